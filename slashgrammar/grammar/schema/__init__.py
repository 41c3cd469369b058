"""JSON Schema → IR: what the arguments of a tool may be, as a grammar, and what of a schema a grammar cannot say."""

from slashgrammar.grammar.schema.closed import closed

__all__ = ["closed"]
