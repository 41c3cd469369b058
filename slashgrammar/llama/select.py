"""One function for one prompt, by a ChatML prompt and a grammar from the first token on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from slashgrammar.dialects.selection import SelectedFunction, select
from slashgrammar.errors import SlashError
from slashgrammar.grammar.join import compile_tools
from slashgrammar.llama.binding import Context, vocabulary
from slashgrammar.llama.encode import Encoder
from slashgrammar.llama.forcing import Forcing
from slashgrammar.llama.limits import Limits
from slashgrammar.llama.loop import Stats, TokenLoop
from slashgrammar.llama.sampler import ConstrainedSampler
from slashgrammar.prompts.chatml import PREFILLS, create_prompt

if TYPE_CHECKING:
    from slashgrammar.calls import Call
    from slashgrammar.tools import ToolSet


def select_function(
    llm: Any,
    user_input: str,
    tools: ToolSet,
    *,
    examples: Sequence[tuple[str, Call]] = (),
    dialect: Literal["hermes", "slash"] = "hermes",
    max_tokens: int = 256,
    temperature: float = 0.0,
    seed: int | None = None,
) -> SelectedFunction:
    """Lets a model that knows ChatML choose the function, and its parameters, that a user's text needs.

    The prompt is that of `create_prompt`. The answer stops at the end of the call, or when the budget is used up.

    Args:
        llm: a `llama_cpp.Llama`.
        user_input: the user's text; control tokens in it stay text.
        tools: the functions.
        examples: texts of users, and the calls that they need.
        dialect: how the model writes the call.
        max_tokens: the budget.
        temperature, seed: as in `ConstrainedSampler`.

    Raises:
        ModelError: the prompt does not fit in the context.
        ToolError, GrammarError: the tools cannot be used.
    """
    known = vocabulary(llm)
    grammar = compile_tools(tools, tool_choice="required", parallel=False, prose=False, dialect=dialect)
    encoder = Encoder(known, [user_input])
    prefill = PREFILLS[dialect]
    prompt = create_prompt(encoder.mark(user_input), tools, examples=examples, dialect=dialect)
    begun = known.continuation("\n", prefill, known.ids_of(grammar.control_tokens))
    ids = encoder.tokens(prompt.removesuffix(prefill)) + begun

    sampler = ConstrainedSampler(llm, grammar, temperature=temperature, seed=seed)
    forcing = Forcing(known, grammar.matcher(), control_tokens=grammar.control_tokens)
    for token in begun:
        sampler.accept(token)
    forcing.follow(prefill)
    limits, context = Limits(max_tokens), Context(llm)
    limits.check(ids, context)
    loop = TokenLoop(known, context, sampler, forcing, limits, Stats())
    answer = prefill + "".join(loop.write(ids))
    if dialect == "hermes":
        return select(user_input, answer, tools)
    try:
        calls = tools.parse(answer).calls
    except SlashError:
        calls = []
    return SelectedFunction(user_input, calls[0].name, calls[0].arguments) if calls else SelectedFunction(user_input)
