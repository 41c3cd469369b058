"""Every pass keeps the language, and does what it is there for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from slashgrammar.errors import GrammarError
from slashgrammar.grammar import ir
from slashgrammar.grammar.gbnf import to_gbnf
from slashgrammar.grammar.ir import EMPTY, NOTHING, Grammar, Literal, Node, Reference, alt, opt, repeat, seq
from slashgrammar.grammar.matcher import Matcher
from slashgrammar.grammar.rewrite import PASSES, prepare, prepare_for_others, restrict
from slashgrammar.grammar.rewrite.analysis import least_fixpoint, left_recursive, nullable, productive
from slashgrammar.grammar.rewrite.bounds import split_bounds
from slashgrammar.grammar.rewrite.depth import MAX_DEPTH, bound_depth
from slashgrammar.grammar.rewrite.factor import factor
from slashgrammar.grammar.rewrite.flatten import flatten_loops
from slashgrammar.grammar.rewrite.inline import inline
from slashgrammar.grammar.rewrite.left_recursion import remove_left_recursion
from slashgrammar.grammar.rewrite.loops import loops_from_right_recursion
from slashgrammar.grammar.rewrite.nullable import remove_nullable_loops
from slashgrammar.grammar.rewrite.share import share
from slashgrammar.grammar.rewrite.useless import drop_unproductive, drop_unreachable
from tests.grammar.engines import llama_stacks
from tests.grammar.random_grammars import ALPHABET, grammars, language

LENGTH = 4
slow_is_fine = settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.too_slow])

A, B, C, START = Reference("a"), Reference("b"), Reference("c"), Reference("start")
X, Y, Z = Literal("x"), Literal("y"), Literal("z")


def text(name: str) -> Node:
    return Literal(name)


def printed(rewrite: Callable[[Grammar], Grammar], **rules: Node) -> str:
    """The rewritten rules as GBNF, the form in which they are easiest to read."""
    return to_gbnf(rewrite(Grammar(rules))).rstrip("\n")


# Each pass by itself, on whatever the passes before it leave.


@slow_is_fine
@given(grammars)
@example(Grammar({"start": opt(START)}))
@example(Grammar({"start": alt(A, EMPTY), "a": seq(repeat(B), START), "b": seq(START, C), "c": EMPTY}))
@example(Grammar({"start": seq(A, Literal("a")), "a": ir.Repeat(START, 0, 0)}))
def test_each_pass_keeps_the_language(grammar: Grammar) -> None:
    expected = language(grammar, LENGTH)
    for rewrite in PASSES:
        grammar = rewrite(grammar)
        assert language(grammar, LENGTH) == expected, rewrite


@slow_is_fine
@given(grammars)
@pytest.mark.parametrize(
    "rewrite", [drop_unreachable, drop_unproductive, remove_nullable_loops, inline, share, split_bounds]
)
def test_pass_keeps_the_language_of_unprepared_grammars(
    rewrite: Callable[[Grammar], Grammar], grammar: Grammar
) -> None:
    grammar = drop_unreachable(grammar)
    assert language(rewrite(grammar), LENGTH) == language(grammar, LENGTH)


@slow_is_fine
@given(grammars)
def test_prepared_grammars_are_what_they_promise_to_be(grammar: Grammar) -> None:
    prepared = prepare(grammar)
    empty = least_fixpoint(prepared.rules, nullable)
    assert not list(left_recursive(prepared.rules, empty))
    nodes = [node for rule in prepared.rules.values() for node in ir.walk(rule)]
    assert not [n for n in nodes if isinstance(n, ir.Repeat) and n.max != 1 and nullable(n.item, empty)]
    if prepared.rules[prepared.start] != NOTHING:
        assert NOTHING not in nodes
        assert least_fixpoint(prepared.rules, productive) == set(prepared.rules)
    assert drop_unreachable(prepared) == prepared
    assert language(prepare(prepared), LENGTH) == language(prepared, LENGTH)


@slow_is_fine
@given(grammars, st.data())
def test_rules_may_be_prepared_before_the_rest(grammar: Grammar, data: st.DataObject) -> None:
    names = data.draw(st.sets(st.sampled_from(sorted(set(grammar.rules) - {grammar.start}) or ["start"])))
    settled = prepare_for_others(grammar.rules, names - {grammar.start})
    prepared = prepare(grammar, settled)
    assert language(prepared, LENGTH) == language(grammar, LENGTH)
    empty = least_fixpoint(prepared.rules, nullable)
    assert not list(left_recursive(prepared.rules, empty))
    for name in settled.stand_ins:
        assert name not in empty
        if name in prepared.rules:
            assert language(Grammar(prepared.rules, name), LENGTH) == language(Grammar(grammar.rules, name), LENGTH)


def test_settled_rules_are_left_as_they_are() -> None:
    word = repeat(ir.char_class([(0x61, 0x7A)]), 1)
    rules = {"start": alt(A, seq(A, X)), "a": seq(text("a "), B), "b": word, "c": alt(B, text("c"))}
    settled = prepare_for_others(rules, ["a", "b", "c"])
    assert settled.stand_ins.keys() == {"a", "b", "c"}
    prepared = prepare(Grammar(rules), settled)
    assert prepared.rules == {"start": seq(A, opt(X)), "a": seq(text("a "), B), "b": word}
    extended = settled.extended({"d": seq(B, text("!"))})
    assert prepare(Grammar({**rules, "start": Reference("d")}), extended).rules == {
        "start": Reference("d"),
        "d": seq(B, text("!")),
        "b": word,
    }


# Left recursion


def test_direct_left_recursion_becomes_a_loop() -> None:
    assert (
        printed(remove_left_recursion, start=alt(seq(START, text("+"), B), B), b=X) == 'root ::= b ("+" b)*\nb ::= "x"'
    )


def test_arithmetic_keeps_its_shape() -> None:
    factor_rule = alt(seq(text("("), START, text(")")), repeat(ir.char_class([(0x30, 0x39)]), 1))
    rules = {
        "start": alt(seq(START, ir.chars("+-"), Reference("term")), Reference("term")),
        "term": alt(seq(Reference("term"), ir.chars("*/"), Reference("factor")), Reference("factor")),
        "factor": factor_rule,
    }
    assert to_gbnf(prepare(Grammar(rules))) == (
        'root ::= term ([+\\-] term)*\nterm ::= factor ([*/] factor)*\nfactor ::= "(" root ")" | [0-9]+\n'
    )


def test_indirect_left_recursion() -> None:
    rules = {"start": A, "a": alt(seq(B, X), Y), "b": alt(seq(A, Z), text("w"))}
    grammar = prepare(Grammar(rules))
    # what begins with y or w, then alternates
    assert to_gbnf(grammar) == 'root ::= "w" r1 | "y" r2\nr2 ::= ("z" r1)?\nr1 ::= "x" r2\n'


def test_left_linear_rules_become_right_linear() -> None:
    # the words over 0 and 1 with an even number of ones
    rules = {
        "start": alt(seq(START, text("0")), seq(B, text("1")), EMPTY),
        "b": alt(seq(START, text("1")), seq(B, text("0"))),
    }
    grammar = prepare(Grammar(rules))
    assert len(grammar.rules) <= 4
    for node in grammar.rules.values():
        for inner in ir.walk(node):
            assert not isinstance(inner, ir.Sequence) or not any(isinstance(i, Reference) for i in inner.items[:-1])


@pytest.mark.parametrize("distance", [1, 2, 3, 30])
def test_left_recursion_hidden_behind_nullable_rules(distance: int) -> None:
    # start: n0 start "a" | "b", where n0 is nullable only through `distance` other rules
    rules: dict[str, Node] = {"start": alt(seq(Reference("n0"), START, text("a")), text("b"))}
    rules |= {f"n{i}": Reference(f"n{i + 1}") for i in range(distance)}
    rules[f"n{distance}"] = opt(text("c"))
    grammar = Grammar(rules)
    assert list(left_recursive(rules, least_fixpoint(rules, nullable))) == [["start"]]
    prepared = prepare(grammar)
    assert not list(left_recursive(prepared.rules, least_fixpoint(prepared.rules, nullable)))
    assert language(prepared, 5) == language(grammar, 5) > {"b", "ba", "cba", "ccbaa"}


def test_many_rules_that_begin_with_each_other() -> None:
    def body(number: int) -> Node:
        return alt(*(seq(Reference(f"x{j}"), Literal("a")) for j in range(number)), Literal(ALPHABET[number % 3]))

    grammar = Grammar({"start": Reference("x0")} | {f"x{i}": alt(body(40), Literal(str(i))) for i in range(40)})
    assert len(prepare(grammar).rules) < 100


def test_too_entangled_left_recursion_is_refused() -> None:
    def body(number: int) -> Node:  # every rule is needed in a place of its own, so a pair of states costs a rule
        begins = (seq(Reference(f"x{(number * j + j) % 500}"), Literal("a"), Reference(f"x{number}")) for j in range(3))
        return alt(*begins, Literal(str(number)))

    grammar = Grammar({"start": Reference("x1")} | {f"x{i}": body(i) for i in range(500)})
    with pytest.raises(GrammarError, match="begin with each other"):
        remove_left_recursion(grammar)


# Loops over nothing, and repetitions


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (repeat(opt(X)), '"x"*'),
        (repeat(repeat(X)), '"x"*'),
        (repeat(repeat(X, 1)), '"x"*'),
        (repeat(repeat(X, 1), 1), '"x"+'),
        (opt(repeat(X, 1)), '"x"*'),
        (opt(repeat(X)), '"x"*'),
        (repeat(alt(repeat(X, 1), Y)), "[xy]*"),
        (repeat(seq(opt(X), opt(Y)), 2, 5), '("x" "y"? | "y"){0,5}'),
        (seq(repeat(X), repeat(X)), '"x"*'),
        (seq(X, repeat(X)), '"x"+'),
        (seq(opt(X), opt(X), opt(X)), '"x"{0,3}'),
        (alt(X, EMPTY), '"x"?'),
        (alt(opt(A), B, EMPTY), '("ab" | "ba")?'),
        (repeat(repeat(X, 0, 3), 0, 2), '"x"{0,6}'),
        (repeat(repeat(X, 2, 2), 0, 2), '("x"{2}){0,2}'),  # not x{0,4}
        (repeat(repeat(X, 4, 5), 2, 3), '("x"{4,5}){2,3}'),  # 8 to 10, 12 to 15
        (repeat(repeat(X, 3, 5), 2, 3), '"x"{6,15}'),
    ],
)
def test_repetitions_have_one_form(node: Node, expected: str) -> None:
    assert printed(prepare, start=node, a=text("ab"), b=text("ba")) == f"root ::= {expected}"


def test_right_recursion_becomes_a_loop() -> None:
    assert printed(loops_from_right_recursion, start=alt(seq(X, START), seq(Y, START), Z)) == 'root ::= [xy]* "z"'
    unchanged = {"start": alt(seq(X, START, Y, START), Z)}
    assert loops_from_right_recursion(Grammar(unchanged)).rules == unchanged


# What is dropped, and what must not be there


def test_loops_that_repeat_their_rule_become_flat() -> None:
    sums = seq(X, repeat(alt(seq(Y, START), Z)))
    assert printed(flatten_loops, start=sums) == 'root ::= r1 ("y" r1 | "z")*\nr1 ::= "x"'
    unchanged = {"start": seq(opt(X), repeat(START))}
    assert flatten_loops(Grammar(unchanged)).rules == unchanged


@pytest.mark.parametrize(
    ("rules", "member"),
    [
        ({"start": alt(seq(START, START), X)}, "x" * 3001),
        ({"start": alt(seq(START, Y, START), seq(START, Z, START), X)}, "xyxz" * 750 + "x"),
        ({"start": alt(A, X), "a": seq(START, B, START), "b": alt(Y, Z)}, "xyxz" * 750 + "x"),
        ({"start": alt(seq(START, Y, START), A), "a": alt(seq(A, Z, A), X)}, "xyxz" * 750 + "x"),
    ],
)
def test_operators_without_an_order_take_few_stacks(rules: dict[str, Node], member: str) -> None:
    prepared = prepare(Grammar(rules))
    matcher = Matcher(prepared)
    assert matcher.feed(member)
    assert matcher.is_member
    assert max(llama_stacks(to_gbnf(prepared), member)) < 10


def test_rules_without_texts_go() -> None:
    rules = {"start": alt(seq(X, A), Y, B), "a": seq(A, X), "b": Literal("\ud800"), "c": Z}
    assert prepare(Grammar(rules)) == Grammar({"start": Y})


def test_a_grammar_without_texts_is_nothing() -> None:
    assert prepare(Grammar({"start": seq(X, START)})) == Grammar({"start": NOTHING})


def test_a_missing_rule_is_named() -> None:
    with pytest.raises(GrammarError, match=r"rule nowhere: .* does not exist; define it"):
        prepare(Grammar({"start": seq(X, Reference("nowhere"))}))


@slow_is_fine
@given(grammars, st.text(ALPHABET, max_size=2))
def test_restricted_to_some_characters(grammar: Grammar, allowed: str) -> None:
    expected = {word for word in language(grammar, LENGTH) if set(word) <= set(allowed)}
    assert language(restrict(grammar, ir.chars(allowed)), LENGTH) == expected


# Sharing, inlining, factoring


def test_equal_rules_and_parts_are_shared() -> None:
    part = opt(seq(text("a long enough text"), repeat(A, 2, 9)))
    rules = {"start": seq(B, part, X, part, C), "a": seq(X, C), "b": seq(Z, Y, part), "c": seq(Z, Y, part)}
    assert printed(share, **rules) == (
        'root ::= c r1 "x" r1 c\na ::= "x" c\nc ::= "zy" r1\nr1 ::= ("a long enough text" a{2,9})?'
    )


def test_mutually_equal_recursive_rules() -> None:
    grammar = Grammar({"start": alt(A, B), "a": alt(seq(X, A, Y), Z), "b": alt(seq(X, A, Y), Z)})
    assert set(share(grammar).rules) == {"start", "a"}


def test_alternatives_that_become_equal_are_one() -> None:
    assert printed(share, start=repeat(alt(seq(X, A), A, B)), a=seq(A, X), b=seq(A, X)) == (
        'root ::= ("x" a | a)*\na ::= a "x"'
    )


def test_short_rules_are_put_where_they_are_used() -> None:
    first = Reference("first")
    assert printed(inline, start=seq(first, first, B), first=X, b=seq(C, Y), c=Z) == 'root ::= "xxzy"'


def test_names_become_a_trie() -> None:
    long = alt(*(text(f"a text of some length, number {i}") for i in (1, 2)))
    names = ["get_file", "get_files", "give", "grant", "put"]
    rules = {name: seq(text(f"/{name} "), repeat(A, 1, i + 2), long) for i, name in enumerate(names)}
    start = alt(*map(Reference, names))
    assert printed(factor, start=start, a=X, **rules).splitlines()[0] == (
        'root ::= "/" ("g" ("et_file" (" " get-file | "s " get-files) | "ive " give | "rant " grant) | "put " put)'
    )


def test_hundreds_of_names_take_few_stacks() -> None:
    names = [f"tool_{i * 7919 % 1000:03}" for i in range(263)]
    start = alt(*(seq(Literal(f"/{name}"), Reference("arguments")) for name in names))
    grammar = Grammar({"start": start, "arguments": repeat(alt(text(" x=1"), text(" y=2")))})
    stacks = llama_stacks(to_gbnf(prepare(grammar)), f"/{names[100]} x=1 y=2")
    assert len(llama_stacks(to_gbnf(grammar), "/")) == 2
    assert llama_stacks(to_gbnf(grammar), "/")[1] == 263
    assert max(stacks) <= 10


def test_an_optional_beginning_is_shared() -> None:
    start = alt(A, seq(opt(seq(A, X)), B))
    assert printed(factor, start=start, a=seq(Y, B), b=repeat(Z)) == 'root ::= a ("x" b)? | b\na ::= "y" b\nb ::= "z"*'


def test_classes_are_split_where_literals_begin_alike() -> None:
    assert printed(factor, start=alt(ir.chars("abc"), text("bd"))) == 'root ::= "b" "d"? | [ac]'


# Size


def chain(step: Callable[[Node], Node], length: int) -> Grammar:
    rules = {f"x{i}": step(Reference(f"x{i + 1}")) for i in range(length)}
    return Grammar({"start": Reference("x0"), **rules, f"x{length}": X})


STEPS: dict[str, Callable[[Node], Node]] = {
    "alias": lambda node: node,
    "right": lambda node: seq(Y, node),
    "left": lambda node: seq(node, Y),
    "loop": repeat,
    "twice": lambda node: alt(seq(opt(Y), node, Z), node),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_long_chains_of_rules(step: Callable[[Node], Node]) -> None:
    assert "x" in to_gbnf(prepare(chain(step, 4_000)))


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_very_long_chains_of_rules(step: Callable[[Node], Node]) -> None:
    assert "x" in to_gbnf(prepare(chain(step, 200_000)))


@pytest.mark.parametrize(
    "step",
    [
        lambda node: ir.Sequence((Literal("("), ir.Choice((node, Y)), Literal(")"))),
        lambda node: ir.Repeat(node, 0, 1),
        lambda node: ir.Repeat(ir.Sequence((node, Y)), 0, None),
        lambda node: ir.Choice((node, EMPTY)),
    ],
    ids=["groups", "optional", "loops", "choices"],
)
def test_deeply_nested_nodes(step: Callable[[Node], Node]) -> None:
    node: Node = ir.chars("ab")
    for _ in range(20_000):
        node = step(node)
    grammar = bound_depth(Grammar({"start": node}))
    assert max(depth(rule) for rule in grammar.rules.values()) <= MAX_DEPTH
    assert to_gbnf(prepare(grammar))


def depth(node: Node) -> int:
    return 1 + max(map(depth, node.items), default=0)


def test_nodes_shared_so_often_that_their_text_is_astronomic() -> None:
    node: Node = ir.chars("ab")
    for _ in range(200):
        node = ir.Choice((ir.Sequence((node, X)), ir.Sequence((node, Y))))
    assert len(to_gbnf(prepare(Grammar({"start": node})))) < 20_000
