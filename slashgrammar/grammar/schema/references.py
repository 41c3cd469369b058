"""Finding what a `$ref` points to, inside the document that holds it.

RFC 3986 for the URIs, RFC 6901 for the JSON pointers. Nothing is fetched: a reference that leads out of the document
is an error, but for the metaschemas of JSON Schema itself, which the library that validates knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from slashgrammar.errors import ToolError

# What holds instances, not schemas: an "$id" in there names nothing.
_DATA = frozenset({"enum", "const", "default", "examples", "example"})
_DEPTH = 500  # below this no schema is read, see `normalise.MAX_DEPTH`


@dataclass(frozen=True, slots=True)
class Target:
    """A place in a document: the schema there, its JSON pointer, and the base URI that holds inside it."""

    schema: Any
    pointer: str
    base: str


class Document:
    """A schema document with everything in it that can be referred to by name."""

    def __init__(self, schema: Any, *, tool: str | None = None) -> None:
        self._tool = tool
        self._resources: dict[str, Target] = {}
        self._anchors: dict[tuple[str, str], Target] = {}
        self.root = Target(schema, "", base_inside(schema, ""))
        self._resources[""] = self.root
        for target in _targets(self.root):
            self._enter(target)

    def _enter(self, target: Target) -> None:
        schema = target.schema
        self._resources.setdefault(target.base, target)
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(schema.get(key), str):
                self._anchors.setdefault((target.base, schema[key]), target)
        for key in ("$id", "id"):  # before 2019 a plain fragment in the identifier was the anchor
            if isinstance(schema.get(key), str) and schema[key].startswith("#"):
                self._anchors.setdefault((target.base, schema[key][1:]), target)

    def resolve(self, reference: str, origin: Target) -> Target:
        """The place that `reference` means where it stands in `origin`.

        Raises ToolError where there is no such place.
        """
        uri, _, fragment = reference.partition("#")
        base = _join(origin.base, uri) if uri else origin.base
        if base not in self._resources:
            for target in _targets(Target(_metaschema(base), base + "#", "")):
                if target.base:
                    self._enter(target)
        resource = self._resources.get(base)
        if resource is None:
            raise self._dangling(reference, origin, "it leads out of the schema, and nothing is fetched")
        if fragment.startswith("/"):
            # An "id" in passing often is no more than a label: what is not below it may be below the root.
            found = _follow(resource, fragment) or (_follow(self.root, fragment) if not uri else None)
        else:
            found = self._anchors.get((base, fragment)) if fragment else resource
        if found is None:
            raise self._dangling(reference, origin, "there is no such place")
        return found

    def resolve_dynamic(self, reference: str, origin: Target) -> Target:
        """The place that a `$dynamicRef` or `$recursiveRef` means.

        Which one that is depends on the path taken through the document; taken here is the one of the whole document
        where it has such an anchor, which is what these keywords are used for.
        """
        outermost = self._anchors.get((self.root.base, reference.partition("#")[2]))
        return outermost if outermost is not None else self.resolve(reference, origin)

    def _dangling(self, reference: str, origin: Target, why: str) -> ToolError:
        return ToolError(
            f"$ref {reference!r} points nowhere: {why}; define it below $defs", tool=self._tool, path=origin.pointer
        )


def base_inside(schema: Any, base: str) -> str:
    """The base URI inside a schema that stands where `base` holds."""
    for key in ("$id", "id"):
        identifier = schema.get(key) if isinstance(schema, Mapping) else None
        if isinstance(identifier, str) and not identifier.startswith("#"):
            return _join(base, identifier.partition("#")[0])
    return base


def _join(base: str, uri: str) -> str:
    try:
        return urljoin(base, uri)
    except ValueError:  # brackets that are no IPv6 address
        return uri


def _targets(root: Target) -> Iterator[Target]:
    """Every object of the document that may be a schema, with the base that holds inside it."""
    stack = [(root, 0)] if isinstance(root.schema, (Mapping, list)) else []
    while stack:
        place, depth = stack.pop()
        if isinstance(place.schema, Mapping):
            yield place
            items = [(key, value) for key, value in place.schema.items() if key not in _DATA]
        else:
            items = [(str(index), value) for index, value in enumerate(place.schema)]
        for key, value in items:
            if isinstance(value, (Mapping, list)):
                inner = Target(value, f"{place.pointer}/{escape(key)}", base_inside(value, place.base))
                stack += [(inner, depth + 1)] if depth < _DEPTH else []


def _follow(resource: Target, fragment: str) -> Target | None:
    value, pointer, base = resource.schema, resource.pointer, resource.base
    for raw in unquote(fragment).split("/")[1:]:
        key = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
        pointer += "/" + escape(key)
        base = base_inside(value, base)
    return Target(value, pointer, base)


def escape(key: str) -> str:
    """One token of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def _metaschema(uri: str) -> Any:
    """The metaschema of that URI and all it refers to, as the validating library carries it; None for any other."""
    import jsonschema_rs

    try:
        if urlsplit(uri).hostname != "json-schema.org":
            return None
        return jsonschema_rs.bundle({"$schema": uri, "$ref": uri}, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None
