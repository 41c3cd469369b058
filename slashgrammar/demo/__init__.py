"""What `slashgrammar demo` shows: the tools of a small household, and a tiny model that looks after it."""
