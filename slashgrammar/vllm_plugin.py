"""A tool parser for vLLM: exact grammars of the tools for its structured outputs, and calls out of what comes back.

PLUGIN=$(python -c 'from importlib.util import find_spec; print(find_spec("slashgrammar.vllm_plugin").origin)')
vllm serve MODEL --enable-auto-tool-choice --tool-parser-plugin "$PLUGIN" --tool-call-parser slash_hermes

`slash_hermes` is for models whose chat template asks for JSON in `<tool_call>`, such as Qwen's; `slash` for models that
are told of slash commands in the system message, by `ToolSet.prompt`. Written against the interface that vLLM
publishes, https://docs.vllm.ai/en/stable/api/vllm/tool_parsers/abstract_tool_parser/, for version 0.12 and newer.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.events import CallEnd, CallStart, Event
from slashgrammar.calls.openai import Deltas, assistant_message
from slashgrammar.errors import SetupError, TextError
from slashgrammar.tools.toolset import ToolSet

if TYPE_CHECKING:
    from slashgrammar.calls import StreamParser


def _first_of(*names: str) -> Any:
    """The first of these modules that there is: vLLM has moved them."""
    for name in names:
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise SetupError(f"vLLM has none of {', '.join(names)}; this plugin is for vLLM 0.12 or newer, inside its server")


_parsers = _first_of("vllm.tool_parsers", "vllm.entrypoints.openai.tool_parsers")
_protocol = _first_of(
    "vllm.entrypoints.generate.base.protocol",
    "vllm.entrypoints.openai.engine.protocol",
    "vllm.entrypoints.openai.protocol",
)
_sampling = _first_of("vllm.sampling_params")


_Base: Any = _parsers.ToolParser


class SlashToolParser(_Base):  # type: ignore[misc]  # its type is known where vLLM is installed only
    """Slash commands. An instance reads one answer; reasoning is cut off by vLLM's own reasoning parser."""

    dialect = "slash"
    supports_required_and_named = False  # their answers come to this parser too, not to vLLM's reader of JSON

    def __init__(self, tokenizer: Any, *others: Any) -> None:
        super().__init__(tokenizer, *others)
        self._deltas = Deltas()
        self._parser: StreamParser | None = None
        self._is_over = False

    def adjust_request(self, request: Any) -> Any:
        """The request with the grammar of its tools.

        Raises:
            ToolError: a tool cannot be used.
            ValueError: a call is required, but this vLLM would read it as JSON.
        """
        choice = _choice(request.tool_choice)
        if not request.tools or choice == "none":
            return request
        if choice != "auto" and not hasattr(_parsers.ToolParser, "supports_required_and_named"):
            raise ValueError("this version of vLLM reads required calls as JSON; use tool_choice auto, or a newer one")
        parallel = getattr(request, "parallel_tool_calls", None) is not False
        grammar = _tools(request).compile(tool_choice=choice, parallel=parallel, dialect=self.dialect)
        request.structured_outputs = _sampling.StructuredOutputsParams(grammar=grammar.gbnf)
        request.skip_special_tokens = not grammar.control_tokens
        return request

    def extract_tool_calls(self, model_output: str, request: Any) -> Any:
        """The calls of a whole answer; one that is cut off or does not fit is all content."""
        try:
            message = _tools(request).parse(model_output, reasoning=None, dialect=self.dialect)
        except TextError:
            return _protocol.ExtractedToolCallInformation(tools_called=False, tool_calls=[], content=model_output)
        calls = assistant_message(message).get("tool_calls", [])
        return _protocol.ExtractedToolCallInformation(
            tools_called=bool(calls),
            tool_calls=[_protocol.ToolCall(**call) for call in calls],
            content=message.text or None,
        )

    def extract_tool_calls_streaming(
        self,
        previous_text: str,
        current_text: str,
        delta_text: str,
        previous_token_ids: Sequence[int],
        current_token_ids: Sequence[int],
        delta_token_ids: Sequence[int],
        request: Any,
    ) -> Any:
        """What has become certain with more text, or None; a token that is no text ends the answer."""
        if self._parser is None:
            self._parser = _tools(request).stream(reasoning=None, dialect=self.dialect)
        if self._is_over:
            return None
        events = self._parser.feed(delta_text)
        if not delta_text and delta_token_ids and delta_token_ids[-1] in self.model_tokenizer.all_special_ids:
            events += self._parser.close()
            self._is_over = True
        return self._delta(events)

    def _delta(self, events: list[Event]) -> Any:
        content, parts = "", list[dict[str, Any]]()
        for event in events:
            self._note(event)
            delta = self._deltas.delta(event)
            content += delta.get("content", "")
            for part in delta.get("tool_calls", ()):
                self.streamed_args_for_tool[part["index"]] += part["function"]["arguments"]
                if parts and parts[-1]["index"] == part["index"]:
                    parts[-1]["function"]["arguments"] += part["function"]["arguments"]
                else:
                    parts.append(part)
        if not content and not parts:
            return None
        calls = [_protocol.DeltaToolCall(**part) for part in parts]
        return _protocol.DeltaMessage(content=content or None, tool_calls=calls)

    def _note(self, event: Event) -> None:
        """Keep what vLLM looks at when an answer ends: calls, and how much of their arguments was streamed."""
        if isinstance(event, CallStart):
            self.current_tool_id += 1
            self.current_tool_name_sent = True
            self.prev_tool_call_arr.append({"name": event.name, "arguments": {}})
            self.streamed_args_for_tool.append("")
        elif isinstance(event, CallEnd):
            self.prev_tool_call_arr[-1]["arguments"] = event.call.arguments


class SlashHermesToolParser(SlashToolParser):
    """JSON in `<tool_call>`."""

    dialect = "hermes"


def _tools(request: Any) -> ToolSet:
    return ToolSet.load([tool.model_dump(exclude_none=True) for tool in request.tools or ()])


def _choice(tool_choice: Any) -> str:
    return tool_choice if isinstance(tool_choice, str) else tool_choice.function.name if tool_choice else "auto"


_parsers.ToolParserManager.register_module(name="slash", module=SlashToolParser)
_parsers.ToolParserManager.register_module(name="slash_hermes", module=SlashHermesToolParser)
