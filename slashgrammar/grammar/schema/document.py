"""A JSON document that meets a schema, as a grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from slashgrammar.errors import ToolError
from slashgrammar.grammar.ir import NOTHING, Node
from slashgrammar.grammar.schema.closed import close
from slashgrammar.grammar.schema.normalise import normalise
from slashgrammar.grammar.schema.plans import Planner
from slashgrammar.grammar.schema.productive import drop_impossible
from slashgrammar.grammar.schema.report import Report, Widening
from slashgrammar.grammar.schema.table import Table
from slashgrammar.grammar.schema.writer import Writer


@dataclass(frozen=True, slots=True)
class Document:
    """What a JSON document may be.

    Attributes:
        node: its text.
        rules: further rules that it refers to, besides those of the generation grammar. Their names begin with the
            document's name and a colon.
        report: what of the schema the grammar takes more widely.
    """

    node: Node
    rules: dict[str, Node]
    report: tuple[Widening, ...]


def compile_document(schema: Any, *, name: str, open_objects: bool) -> Document:
    """The JSON documents that a schema allows, as IR; keys stand in declared order.

    Args:
        schema: the JSON Schema.
        name: of the schema, or of the tool whose parameters it describes.
        open_objects: as in `ToolSet`.

    Raises:
        ToolError: the schema is none, or no document meets it.
    """
    planner = Planner(Table(close(normalise(schema, tool=name), open_objects)))
    root = planner.table.root
    report = Report(name)
    writer = Writer(planner, report, f"{name}:")
    node = writer.value(planner.table.state([root]), planner.scopes.of([root]), "")
    writer.finish()
    rules, clean = drop_impossible(writer.rules)
    node = clean(node)
    if node == NOTHING:
        raise ToolError("no value meets this schema; correct it", tool=name, path="/")
    return Document(node, rules | writer.texts, tuple(report))
