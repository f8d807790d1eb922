"""The program, one file for each command: a run loads only what it uses. `rendering` tells the story top to bottom."""
