"""The order in which the schema of a tool declares arguments, and the keys of objects inside of them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from slashgrammar.grammar.schema.order import DeclaredOrder

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

_orders: WeakKeyDictionary[ToolSet, dict[str, DeclaredOrder]] = WeakKeyDictionary()


def declared_order(tools: ToolSet, name: str) -> DeclaredOrder:
    """The order of a tool of a set, the same that its grammar asks for; raises ToolError for a schema that is none."""
    known = _orders.setdefault(tools, {})
    if name not in known:
        known[name] = DeclaredOrder(tools[name].parameters, tool=name)
    return known[name]
