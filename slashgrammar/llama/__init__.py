"""Constrained generation with llama-cpp-python; needs the extra `llama`."""

from slashgrammar.errors import MissingExtra

try:
    import llama_cpp as _llama_cpp
    import numpy as _numpy
except ImportError as error:
    raise MissingExtra("llama", "slashgrammar.llama") from error

from slashgrammar.llama.chat_handler import SlashChatHandler, register
from slashgrammar.llama.dropins import GrammarProcessor, llama_grammar, logits_processor
from slashgrammar.llama.generate import Generation, generate
from slashgrammar.llama.loop import Stats, TokenProbability
from slashgrammar.llama.sampler import ConstrainedSampler

__all__ = [
    "ConstrainedSampler",
    "Generation",
    "GrammarProcessor",
    "SlashChatHandler",
    "Stats",
    "TokenProbability",
    "generate",
    "llama_grammar",
    "logits_processor",
]

register()

del _llama_cpp, _numpy, register
