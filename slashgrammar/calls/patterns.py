"""Schemas whose patterns the validator cannot read, made such that it can: what cannot be checked is not asked for."""

from __future__ import annotations

from typing import Any

import jsonschema_rs

_VALUES = ("const", "default", "enum", "examples")


def readable(schema: Any) -> Any:
    """The schema without patterns that are no regular expressions for `jsonschema_rs`."""
    if isinstance(schema, list):
        return [readable(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: inner if key in _VALUES else readable(inner) for key, inner in schema.items()}
    if isinstance(schema.get("pattern"), str) and not _is_readable(schema["pattern"]):
        del result["pattern"]
    by_pattern = schema.get("patternProperties")
    if isinstance(by_pattern, dict) and not all(map(_is_readable, by_pattern)):
        result["patternProperties"] = {key: readable(by_pattern[key]) for key in by_pattern if _is_readable(key)}
        result["additionalProperties"] = True
    return result


def _is_readable(pattern: str) -> bool:
    try:
        jsonschema_rs.validator_for({"pattern": pattern})
    except jsonschema_rs.ValidationError:
        return False
    return True
