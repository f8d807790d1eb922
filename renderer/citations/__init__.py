"""Registry, markers, verdicts, numbering: what may be shown as a source is decided here, from data alone."""
