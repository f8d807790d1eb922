"""Many conversations → a site that opens from disk and from any static host."""
