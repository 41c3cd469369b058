"""The order in which the keys of objects are written: as declared, then as they come.

The grammar asks for this order, so that whoever writes a value for it has to ask here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from slashgrammar.grammar.schema.normalise import normalise
from slashgrammar.grammar.schema.scope import Scope, Scopes
from slashgrammar.grammar.schema.table import Table


class DeclaredOrder:
    """The order that a schema gives to the keys of its values, at every depth.

    Raises ToolError where the schema is none; see `closed`.
    """

    def __init__(self, schema: Any, *, tool: str | None = None) -> None:
        table = Table(normalise(schema, tool=tool))
        self._scopes = Scopes(table, tests=True)
        self._root = self._scopes.of([table.root])

    def arrange(self, value: Any) -> Any:
        """The value with the keys of its objects in declared order, and keys that no schema declares behind them."""
        return self._arranged(value, self._root)

    def names(self, path: Iterable[str | int]) -> tuple[str, ...]:
        """The keys that are declared for the object at a path of a value."""
        scope = self._root
        for step in path:
            scope = self._scopes.item(scope, step) if isinstance(step, int) else self._scopes.property(scope, step)
        return self._scopes.names(scope)

    def _arranged(self, value: Any, scope: Scope) -> Any:
        if not scope:
            return value
        if isinstance(value, list):
            return [self._arranged(item, self._scopes.item(scope, index)) for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        declared = [name for name in self._scopes.names(scope) if name in value]
        arranged = {name: self._arranged(value[name], self._scopes.property(scope, name)) for name in declared}
        other = self._scopes.other(scope)
        return arranged | {name: self._arranged(value[name], other) for name in value if name not in arranged}
