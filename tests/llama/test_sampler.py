from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from llama_cpp import llama_cpp as lib
from numpy.typing import NDArray

from slashgrammar.errors import GrammarError, ModelError
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.grammar.ir import Grammar, Literal, opt, seq
from slashgrammar.llama import ConstrainedSampler
from slashgrammar.llama.binding import Context, GrammarEngine, vocabulary
from slashgrammar.llama.forcing import Forcing
from slashgrammar.llama.utf8 import unfinished
from tests.llama.reference import exact_chain, llama_chain, run_chain, valid_tokens

TEXT = 'Sure.\n/write\npath="é/h w.py"\ncontent=\n```\nhé 😀\n```'

# The entropy of a flat vocabulary is too much for llama.cpp's single precision.
IMPRECISE: list[dict[str, Any]] = [{"typical_p": 0.5, "top_k": 0, "top_p": 0.9, "min_p": 0.02}]
CHAINS: list[dict[str, Any]] = [
    {},
    {"temperature": 1.5},
    {"top_k": 5, "top_p": 1.0, "min_p": 0.0},
    {"top_k": 0},
    {"top_k": 0, "min_p": 0.0, "top_p": 0.9},
    {"top_k": 0, "min_p": 0.0, "top_p": 0.5, "temperature": 1.5},
    {"top_k": 0, "top_p": 1.0, "min_p": 0.1},
    {"top_k": 40, "top_p": 1.0, "min_p": 0.0, "temperature": 1.5},
    {"typical_p": 0.9},
    *IMPRECISE,
    {"top_k": 100_000},
    {"mirostat_mode": 1, "mirostat_tau": 5.0, "mirostat_eta": 0.1},
    {"mirostat_mode": 2, "mirostat_tau": 5.0, "mirostat_eta": 0.1},
    {"mirostat_mode": 2, "mirostat_tau": 2.0, "mirostat_eta": 0.1},
]


def _logits(size: int, best: int, kind: str, random: np.random.Generator) -> NDArray[np.float32]:
    logits = random.normal(0, {"peaked": 2.0, "flat": 0.3}.get(kind, 2.0), size).astype(np.float32)
    if kind == "peaked":
        logits[best] = logits.max() + random.normal(1, 2)
    elif kind == "wrong":
        logits[random.integers(0, size, 50)] += 15
    return logits


@pytest.fixture(scope="module")
def steps(llm: Any) -> list[tuple[int, NDArray[np.float32], NDArray[np.int32]]]:
    """Along a text with two-byte and four-byte characters: the token, made-up logits, and every valid token."""
    gbnf = (
        'root ::= [^/\\n]* "\\n/write\\npath=" string "\\ncontent=\\n```\\n" [^`]* "\\n```"\n'
        'string ::= "\\"" [^"\\\\\\n]* "\\""\n'
    )
    engine, random, pending = GrammarEngine(llm, gbnf), np.random.default_rng(0), b""
    known = vocabulary(llm)
    result = []
    for place, token in enumerate([*known.tokenize(TEXT), llm.token_eos()]):
        kind = ("peaked", "wrong", "flat")[place % 3]
        result.append((token, _logits(known.size, token, kind, random), valid_tokens(llm, engine, pending)))
        engine.accept(token)
        pending = unfinished(pending + known.pieces[token]) or b""
    return result


@pytest.mark.parametrize("chain", [chain for chain in CHAINS if "mirostat_mode" not in chain], ids=str)
def test_candidates_are_those_of_masking_first(llm: Any, steps: Any, write_gbnf: str, chain: dict[str, Any]) -> None:
    sampler = ConstrainedSampler(llm, write_gbnf, **chain)
    for token, logits, valid in steps:
        ids, probabilities = sampler.candidates(logits)
        expected = exact_chain(chain, valid, logits)
        assert ids.tolist() == list(expected)
        assert probabilities == pytest.approx(list(expected.values()), abs=1e-9)
        sampler.accept(token)


@pytest.mark.parametrize("chain", [{}, {"top_k": 0}, {"top_k": 0, "top_p": 1.0, "min_p": 0.1}], ids=str)
def test_a_refused_favourite_does_not_count(llm: Any, chain: dict[str, Any]) -> None:
    known = vocabulary(llm)
    a, b, c = (known.byte_ids[ord(char)] for char in "abc")
    logits = np.full(known.size, -20, np.float32)
    logits[[c, a, b]] = 10, 8, 6.5  # b is far below c, and near enough to a
    valid = np.array([a, b], np.int32)
    ids, probabilities = ConstrainedSampler(llm, "root ::= [ab]", **chain).candidates(logits)
    expected = exact_chain(chain, valid, logits)
    assert dict(zip(ids.tolist(), probabilities.tolist(), strict=True)) == pytest.approx(expected)
    assert len(expected) == 2


@pytest.mark.parametrize("chain", [chain for chain in CHAINS if chain not in IMPRECISE], ids=str)
def test_candidates_are_those_of_llama_cpp(llm: Any, steps: Any, write_gbnf: str, chain: dict[str, Any]) -> None:
    sampler = ConstrainedSampler(llm, write_gbnf, **chain)
    for token, logits, valid in steps:
        ids, probabilities = sampler.candidates(logits)
        found = dict(zip(ids.tolist(), probabilities.tolist(), strict=True))
        expected = run_chain(llama_chain(chain, len(logits)), valid, logits)
        # llama.cpp adds up in single precision: its cut through thousands of nearly equal tokens is off by a few.
        rounding = 1e-6 if len(found) < 1000 else 1e-3
        different = found.keys() ^ expected.keys()
        assert sum(found.get(token, expected.get(token, 0)) for token in different) <= (rounding if different else 0)
        shared = sorted(found.keys() & expected.keys())
        assert [found[token] for token in shared] == pytest.approx([expected[token] for token in shared], abs=rounding)
        sampler.accept(token)


@pytest.mark.parametrize("mode", [1, 2])
def test_mirostat_learns_as_llama_cpp_does(llm: Any, steps: Any, write_gbnf: str, mode: int) -> None:
    tau, eta = 3.0, 0.5
    sampler = ConstrainedSampler(llm, write_gbnf, mirostat_mode=mode, mirostat_tau=tau, mirostat_eta=eta, seed=4)
    engine, bound = GrammarEngine(llm, write_gbnf), 2 * tau
    for _, logits, _ in steps[:6]:
        valid = valid_tokens(llm, engine)
        # A fresh sampler of llama.cpp starts with the bound at twice its tau.
        chain = {"mirostat_mode": mode, "mirostat_tau": bound / 2, "mirostat_eta": eta}
        expected = run_chain(llama_chain(chain, len(logits)), valid, logits)
        token = sampler.sample(logits)
        assert set(sampler.candidates(logits)[0].tolist()) == set(expected)
        bound -= eta * (-math.log2(expected[token]) - tau)
        sampler.accept(token)
        engine.accept(token)


def test_bare_temperature_draws_from_the_masked_distribution(llm: Any) -> None:
    gbnf = 'root ::= "a" | "ab" | "b" | "the" | "c" [a-z]'
    valid = valid_tokens(llm, GrammarEngine(llm, gbnf))
    logits = np.random.default_rng(1).normal(0, 2, vocabulary(llm).size).astype(np.float32)
    logits[valid] = np.linspace(-2, 2, len(valid))
    logits[5000:5050] += 12  # what the model would rather write is not allowed
    sampler = ConstrainedSampler(llm, gbnf, temperature=1.5, top_k=0, top_p=1, min_p=0, seed=3)
    ids, probabilities = sampler.candidates(logits)
    assert sorted(ids.tolist()) == valid.tolist()
    expected = np.exp(logits[ids].astype(np.float64) / 1.5)
    assert probabilities == pytest.approx(expected / expected.sum(), abs=1e-6)
    draws = 800
    places = {token: place for place, token in enumerate(ids.tolist())}
    counts = np.zeros(len(ids))
    for _ in range(draws):
        counts[places[sampler.sample(logits)]] += 1
    common = probabilities * draws >= 5
    observed = np.append(counts[common], counts[~common].sum())
    wanted = np.append(probabilities[common], probabilities[~common].sum()) * draws
    chi_square = float(((observed - wanted) ** 2 / np.maximum(wanted, 1e-9)).sum())
    freedom = len(wanted) - 1
    assert chi_square < freedom + 5 * math.sqrt(2 * freedom)  # far beyond the 0.1 % quantile


def test_bare_temperature_finds_what_the_model_would_never_write(llm: Any) -> None:
    gbnf = 'root ::= "a" | "ab" | "b" | "the"'
    valid = valid_tokens(llm, GrammarEngine(llm, gbnf))
    logits = np.random.default_rng(1).normal(0, 2, vocabulary(llm).size).astype(np.float32)
    logits[valid] = np.linspace(-200, -198, len(valid))  # too unlikely for any number of draws, or single precision
    sampler = ConstrainedSampler(llm, gbnf, temperature=1.0, top_k=0, top_p=1, min_p=0, seed=3)
    ids, probabilities = sampler.candidates(logits)
    drawn = [sampler.sample(logits) for _ in range(150)]
    assert set(drawn) <= set(valid.tolist())
    assert drawn.count(int(ids[0])) / 150 == pytest.approx(probabilities[0], abs=0.15)


def test_truncated_draws_follow_their_probabilities(llm: Any, steps: Any, write_gbnf: str) -> None:
    sampler = ConstrainedSampler(llm, write_gbnf, temperature=1.5, top_k=4, top_p=1, min_p=0, seed=5)
    ids, probabilities = sampler.candidates(steps[2][1])
    drawn = [sampler.sample(steps[2][1]) for _ in range(2000)]
    for token, probability in zip(ids.tolist(), probabilities.tolist(), strict=True):
        assert drawn.count(token) / 2000 == pytest.approx(probability, abs=0.06)


@pytest.mark.parametrize("kind", [{"temperature": 0.0}, {}, {"temperature": 2.0, "top_k": 0, "top_p": 1, "min_p": 0}])
def test_same_seed_same_text(llm: Any, steps: Any, write_gbnf: str, kind: dict[str, Any]) -> None:
    sampler = ConstrainedSampler(llm, write_gbnf, seed=11, **kind)
    first = [sampler.sample(logits) for _, logits, _ in steps[:8]]
    sampler.reset()
    assert [sampler.sample(logits) for _, logits, _ in steps[:8]] == first


def test_seeds(llm: Any, steps: Any, write_gbnf: str) -> None:
    with pytest.raises(ValueError, match="seed is -2; expected a whole number from 0, or -1 for a different one"):
        ConstrainedSampler(llm, write_gbnf, seed=-2)
    assert ConstrainedSampler(llm, write_gbnf, seed=-1).sample(steps[0][1]) >= 0


def test_penalties_are_those_of_llama_cpp(llm: Any, write_gbnf: str) -> None:
    random, known = np.random.default_rng(2), vocabulary(llm)
    written = known.tokenize("the cat and the dog and the cat")
    logits = random.normal(0, 3, known.size).astype(np.float32)
    logits[written] += 4
    settings = {"repeat_penalty": 1.3, "frequency_penalty": 0.4, "presence_penalty": 0.2}
    sampler = ConstrainedSampler(llm, write_gbnf, **settings)
    engine = GrammarEngine(llm, write_gbnf)
    penalties = lib.llama_sampler_init_penalties(known.size, llm.last_n_tokens_size, 1.3, 0.4, 0.2)
    for token in written:
        for step in (sampler.accept, engine.accept, partial(lib.llama_sampler_accept, penalties)):
            step(token)
    expected = run_chain([penalties, *llama_chain({}, known.size)], valid_tokens(llm, engine), logits)
    ids, probabilities = sampler.candidates(logits)
    assert dict(zip(ids.tolist(), probabilities, strict=True)) == pytest.approx(expected, abs=1e-6)


def test_bias_and_processors_come_before_the_grammar(llm: Any) -> None:
    x, y, z = (vocabulary(llm).tokenize(letter)[0] for letter in "xyz")

    def prefer_y(_: Any, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        scores = scores.copy()
        scores[y] += 5
        return scores

    logits = np.zeros(vocabulary(llm).size, np.float32)
    gbnf = 'root ::= "x" | "y"'
    assert ConstrainedSampler(llm, gbnf, temperature=0, logit_bias={x: 1.0, z: 90.0}).sample(logits) == x
    both = ConstrainedSampler(llm, gbnf, temperature=0, logit_bias={x: 1.0}, logits_processor=[prefer_y])
    assert both.sample(logits) == y


def test_control_tokens_never_pass_as_text(llm: Any) -> None:
    known = vocabulary(llm)
    sampler = ConstrainedSampler(llm, "root ::= [^\\n]*", temperature=0)
    logits = np.zeros(known.size, np.float32)
    logits[known.control] = 50
    logits[known.ends] = -50
    for _ in range(3):
        token = sampler.sample(logits)
        assert not known.control[token]
        sampler.accept(token)
    start = known.pieces.index(b"<|im_start|>")
    with pytest.raises(GrammarError, match="stands for no text"):
        sampler.accept(start)


def test_end_comes_only_where_the_grammar_may_end(llm: Any) -> None:
    known = vocabulary(llm)
    end = llm.token_eos()
    logits = np.zeros(known.size, np.float32)
    logits[end] = 90
    sampler = ConstrainedSampler(llm, 'root ::= "ab" "c"?', temperature=0)
    with pytest.raises(GrammarError, match="not what the grammar allows"):
        sampler.accept(end)
    text = b""
    while (token := sampler.sample(logits)) != end:
        sampler.accept(token)
        text += known.pieces[token]
    sampler.accept(end)
    assert text in (b"ab", b"abc")


def test_text_is_utf8(llm: Any) -> None:
    known = vocabulary(llm)
    sampler = ConstrainedSampler(llm, "root ::= [^x]*", temperature=0)
    logits = np.zeros(known.size, np.float32)
    logits[llm.token_eos()] = 80
    lead, surrogate, second = (known.byte_ids[byte] for byte in (0xED, 0xA0, 0x9F))
    logits[lead] = 90
    assert sampler.sample(logits) == lead
    sampler.accept(int(lead))
    logits[surrogate], logits[second] = 99, 70  # ED A0 begins a surrogate, which is no character
    assert sampler.sample(logits) == second  # nor may a text end inside a character
    with pytest.raises(GrammarError):
        sampler.accept(int(surrogate))


@pytest.mark.filterwarnings("ignore:invalid value")  # of numbers that are none
def test_nothing_may_come_next(llm: Any) -> None:
    logits = np.zeros(vocabulary(llm).size, np.float32)
    for settings in ({"temperature": 0.0}, {}, {"temperature": 1.0, "top_k": 0, "top_p": 1, "min_p": 0}):
        sampler = ConstrainedSampler(llm, 'root ::= "\U00050000"', **settings)
        with pytest.raises(GrammarError, match="no token of the vocabulary may come next"):
            sampler.sample(logits)
        sampler = ConstrainedSampler(llm, "root ::= [a-z]+", **settings)
        for nothing in (np.nan, -np.inf):
            with pytest.raises(GrammarError, match="no token of the vocabulary may come next"):
                sampler.sample(np.full(vocabulary(llm).size, nothing, np.float32))


def test_parameters_that_mean_nothing(llm: Any) -> None:
    size = vocabulary(llm).size
    for penalty in (0.0, -1.0):
        with pytest.raises(ValueError, match="repeat_penalty is above 0"):
            ConstrainedSampler(llm, "root ::= [a-z]+", repeat_penalty=penalty)
    for token in (-1, size):
        with pytest.raises(ValueError, match="tokens that the vocabulary has not"):
            ConstrainedSampler(llm, "root ::= [a-z]+", logit_bias={0: 1.0, size - 1: 1.0, token: 1.0})


@pytest.mark.parametrize("gbnf", ["", "root ::= [a]\0", "root ::= (", "start ::= [a]", 'root ::= missing "a"'])
def test_grammars_that_do_not_load(llm: Any, gbnf: str) -> None:
    with pytest.raises(GrammarError):
        ConstrainedSampler(llm, gbnf)


def test_without_logits_those_of_the_last_evaluation_count(llm: Any) -> None:
    sampler = ConstrainedSampler(llm, "root ::= [a-zA-Z ]+", temperature=0)
    llm.reset()
    with pytest.raises(ModelError, match="evaluate a prompt first"):
        sampler.sample()
    logits = Context(llm).evaluate(np.array(vocabulary(llm).tokenize("The capital of France is the city of"), np.int32))
    assert sampler.sample() == sampler.sample(logits) == sampler.candidates()[0][0]
    assert vocabulary(llm).pieces[sampler.sample()] == b" Paris"


def test_tokens_that_do_not_exist(llm: Any) -> None:
    sampler = ConstrainedSampler(llm, "root ::= [a-z]+")
    for token in (-1, vocabulary(llm).size):
        with pytest.raises(GrammarError, match="not in the vocabulary"):
            sampler.accept(token)
    with pytest.raises(ValueError, match="3 logits"):
        sampler.sample(np.zeros(3, np.float32))


def test_few_tokens_meet_the_grammar(llm: Any, write_gbnf: str) -> None:
    random, known = np.random.default_rng(7), vocabulary(llm)
    sampler = ConstrainedSampler(llm, write_gbnf)
    sampler.accept(known.tokenize("Sure")[0])
    for _ in range(20):
        sampler.sample(_logits(known.size, 400, "peaked", random))
    assert sampler.checked < 20 * 300


@pytest.mark.parametrize(
    "chain", [*CHAINS, {"temperature": 0.0}, {"repeat_penalty": 1.3, "logit_bias": {30: 2.0}}], ids=str
)
def test_what_is_drawn_among_the_valid_tokens_is_what_is_drawn(llm: Any, chain: dict[str, Any]) -> None:
    gbnf = 'root ::= "/get_weather\\ncity=" [a-z]*\n'
    known, random = vocabulary(llm), np.random.default_rng(5)
    text = b"/get_weather\ncity="
    asked, among = (ConstrainedSampler(llm, gbnf, **chain, seed=7) for _ in range(2))
    while len(text) > 5:  # where the text ends, tokens may reach over its end
        logits = _logits(known.size, int(random.integers(known.size)), ("flat", "wrong")[len(text) % 2], random)
        spellings = known.beginning(text)
        token = asked.sample(logits)
        assert among.sample_among(spellings, logits) == token
        for sampler in (asked, among):
            sampler.accept(token)
        text = text[len(known.pieces[token]) :]
    assert among.checked < asked.checked


def test_a_text_begins_with_every_token_that_is_a_part_of_its_start(llm: Any) -> None:
    known = vocabulary(llm)
    for text in (b"/get_weather", "été".encode(), b"```\n", b"\x01", b""):
        special = known.unfit | known.ends
        expected = [token for token, piece in enumerate(known.pieces) if text.startswith(piece) and not special[token]]
        assert known.beginning(text).tolist() == expected
    name = "<file_sep>"
    assert known.ids_of([name])[name] in known.beginning(f"{name}x".encode(), known.ids_of([name]))


def test_control_tokens_that_a_grammar_names_are_text(llm: Any) -> None:
    grammar = Grammar({"root": seq(Literal("<file_sep>a"), opt(Literal("<repo_name>")))}, "root")
    known = vocabulary(llm)
    token, other = (known.ids_of([name])[name] for name in ("<file_sep>", "<repo_name>"))
    logits = np.zeros(known.size, np.float32)
    logits[[token, other]] = 50.0
    strict = ConstrainedSampler(llm, CompiledGrammar(grammar, []), temperature=0)
    assert strict.sample(logits) != token
    with pytest.raises(GrammarError, match="stands for no text"):
        strict.accept(token)
    compiled = CompiledGrammar(grammar, [], control_tokens=frozenset({"<file_sep>", "<tool_call>"}))
    sampler = ConstrainedSampler(llm, compiled, temperature=0)
    assert sampler.sample(logits) == token
    assert sampler.candidates(logits)[0][0] == token
    sampler.accept(token)
    for piece in known.tokenize("a"):
        sampler.accept(piece)
    assert sampler.sample(logits) != other
    forcing = Forcing(known, compiled.matcher(), control_tokens=compiled.control_tokens)
    assert forcing.draft("x").tokens == [token, *known.tokenize("a")]
