"""A page proves itself: what it carries is still what it was made with."""
