"""Conversations → files, one module per kind of output."""
