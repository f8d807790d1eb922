"""A text block → a safe fragment: parse, mark, write, sanitize, and only then put our own markup in."""
