"""Conversation → HTML: views hold what may be shown, templates hold the markup."""
