"""Other formats of calls than slash commands, for the same tools."""
