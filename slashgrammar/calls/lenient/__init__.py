"""Reading of texts that models wrote which nothing constrained: what is almost right is taken for what was meant.

A text that is right as it stands, and calls something, is never changed. These are the repairs, each recorded in
`Message.repairs` under this name, with its place and with the text before and after it:

    fence            a fence around calls is passed over, where nothing is called outside of fences
    indentation      a head, or a code block, that is indented
    name             the name of a tool or an argument in another case, or with `-`, `_` and `.` mixed up
    parentheses      `/read(path="x")`
    object           `/read {"path": "x"}`, also with the object below the head
    prose            a line that begins with the head of a tool and goes on as prose
    blanks           `path = "x"`
    colon            `path: "x"`
    comma            a comma or semicolon between arguments
    quotes           single, typographic and triple quotes, and backticks
    literal          True, False, None, and numbers as Python writes them
    bare-word        text without quotes, up to the next key or the end of the line
    escape           a backslash that begins no escape of JSON, a tab or other control character in a string
    line-break       a string that goes over several lines, or that stands on the line below its key
    closing-quote    a string whose quote is not closed on its line, or on any other
    json             anything else in brackets, as the library json_repair understands it
    blank-line       between `key=` and a code block
    inner-fence      a bare fence that would close a block, while a later one has no partner
    closing-fence    a code block that the text ends in
    type             a value of another type that spells one of the right type; one value for a list of one

Nothing else is repaired; a text that stays wrong is wrong as it stands.
"""

from __future__ import annotations

from slashgrammar.calls.lenient.stream import LenientParser

__all__ = ["LenientParser"]
