"""JSON Schema → IR: what the arguments of a tool may be, as a grammar, and what of a schema a grammar cannot say."""

from slashgrammar.grammar.schema.arguments import Argument, Arguments, Entry, Value, compile_arguments
from slashgrammar.grammar.schema.closed import closed
from slashgrammar.grammar.schema.report import Widening

__all__ = ["Argument", "Arguments", "Entry", "Value", "Widening", "closed", "compile_arguments"]
