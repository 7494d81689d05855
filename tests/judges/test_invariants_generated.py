"""What must not change a verdict does not: tried on projects, memory and edits that are made up."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from quickrepo import Revision, build
from worldkit import (
    NEW_VERBS,
    Fact,
    World,
    broken,
    facts,
    files,
    function_name,
    grown,
    regrouped,
    restyled,
    with_function,
    worlds,
)

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Judgement

lasting = settings(
    deadline=None,
    derandomize=True,
    max_examples=12,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)
MEMORY = "CLAUDE.md"


class Answer(NamedTuple):
    """What an audit says of a claim, as far as it must not change."""

    verdict: str
    reason: str
    origin: str | None


def memory(claims: Sequence[str], heading: str = "Notes") -> str:
    return f"# {heading}\n\n" + "".join(f"- {claim}\n" for claim in claims)


class Project:
    """A bare repository of the given trees, one commit each, audited between any two of them."""

    def __init__(self, *trees: Mapping[str, str | bytes]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.root = Path(self._folder.name, "project.git")
        revisions = [Revision(trees[0])]
        for before, after in itertools.pairwise(trees):
            changes: dict[str, str | bytes | None] = dict.fromkeys(before.keys() - after.keys())
            changes.update({path: text for path, text in after.items() if before.get(path) != text})
            revisions.append(Revision(changes))
        self.commits = build(self.root, revisions, bare=True)

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def judgements(
        self, base: int, head: int, stores: Sequence[str] = ()
    ) -> list[tuple[str, str, Judgement]]:
        """Text, id and judgement of every claim of the memory as it stands at head."""
        request = AuditRequest(
            self.root,
            range=f"{self.commits[base]}..{self.commits[head]}",
            store_at=self.commits[head],
            stores=tuple(stores),
        )
        return [(claim.text, claim.id, judgement) for claim, judgement in Audit(request).run()]

    def answers(self, base: int, head: int, stores: Sequence[str] = ()) -> dict[str, Answer]:
        return {text: answer(judgement) for text, _, judgement in self.judgements(base, head, stores)}


def answer(judgement: Judgement) -> Answer:
    origin = judgement.origin.value if judgement.origin else None
    return Answer(judgement.verdict.value, judgement.reason, origin)


def first_wordings(world: World) -> list[str]:
    return [fact.wordings[0] for fact in facts(world)]


@st.composite
def worded(draw: st.DrawFn, world: World) -> list[tuple[Fact, str]]:
    """Facts of the project in a drawn order, each in one of its wordings."""
    chosen = draw(st.permutations(facts(world)))[: draw(st.integers(4, 40))]
    return [(fact, draw(st.sampled_from(fact.wordings))) for fact in chosen]


@lasting
@given(st.data())
def test_what_is_true_is_held_and_what_is_a_norm_is_unknown(data: st.DataObject) -> None:
    world = data.draw(worlds())
    claims = data.draw(worded(world))
    tree = {**files(world), MEMORY: memory([text for _, text in claims])}
    with Project(tree, {**tree, "notes.txt": "1\n"}) as project:
        found = project.answers(0, 1)
    for fact, text in claims:
        verdict = found[text].verdict
        assert verdict == fact.verdict if fact.verdict else verdict != "stale", (text, found[text])


@lasting
@given(st.data())
def test_nothing_is_news_when_base_is_head(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after = data.draw(broken(world))
    text = memory(first_wordings(world))
    with Project({**files(world), MEMORY: text}, {**files(after), MEMORY: text}) as project:
        for revision in (0, 1):
            assert {said.origin for said in project.answers(revision, revision).values()} <= {None, "earlier"}


@lasting
@given(st.data())
def test_the_change_of_another_project_makes_nothing_stale(data: st.DataObject) -> None:
    world, other = data.draw(worlds()), data.draw(worlds())
    after = data.draw(broken(other))
    text = memory([text for _, text in data.draw(worded(world))])
    here = {**files(world), MEMORY: text}
    there, then = ({f"vault/{path}": body for path, body in files(side).items()} for side in (other, after))
    with Project({**here, **there}, {**here, **then}) as project:
        before, found = project.answers(0, 0), project.answers(0, 1)
    assert {text: said for text, said in found.items() if said.verdict == "stale"} == {}
    assert found == before


@lasting
@given(st.data())
def test_other_lines_of_the_same_files_change_no_verdict(data: st.DataObject) -> None:
    world = data.draw(worlds())
    text = memory([text for _, text in data.draw(worded(world))])
    after = data.draw(grown(world))
    with Project({**files(world), MEMORY: text}, {**files(after), MEMORY: text}) as project:
        assert project.answers(0, 1) == project.answers(0, 0)


@lasting
@given(st.data())
def test_another_way_to_write_the_same_makes_nothing_stale(data: st.DataObject) -> None:
    world = data.draw(worlds())
    text = memory([text for _, text in data.draw(worded(world))])
    ways = [files(data.draw(restyled(world))) for _ in range(2)]
    with Project(*({**way, MEMORY: text} for way in ways)) as project:
        before, found = project.answers(0, 0), project.answers(0, 1)
    assert {text: said for text, said in found.items() if said.verdict == "stale"} == {}
    assert found == before


@lasting
@given(st.data())
def test_a_function_in_another_file_is_stale_where_its_file_is_named(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after, old, target = data.draw(regrouped(world))
    name = function_name(target.functions[0], target)
    claims = [
        (fact, text)
        for fact, text in data.draw(worded(world))
        if not any(said.startswith("count of") for said in fact.names)
    ]
    assume(claims)
    text = memory([text for _, text in claims])
    with Project({**files(world), MEMORY: text}, {**files(after), MEMORY: text}) as project:
        before, found = project.answers(0, 0), project.answers(0, 1)
    for fact, text in claims:
        if fact.names == {name, old.path}:
            assert (found[text].verdict, found[text].origin) == ("stale", "range"), (text, found[text])
        else:
            assert found[text] == before[text], text


@lasting
@given(st.data())
def test_what_a_change_contradicts_is_stale_and_nothing_else(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after = data.draw(broken(world))
    claims = data.draw(worded(world))
    text = memory([text for _, text in claims])
    with Project({**files(world), MEMORY: text}, {**files(after), MEMORY: text}) as project:
        before, found = project.answers(0, 0), project.answers(0, 1)
    still = set(facts(after))
    for fact, text in claims:
        if fact in still:
            assert found[text] == before[text], text
        else:
            assert (found[text].verdict, found[text].origin) == ("stale", "range"), (text, found[text])


@lasting
@given(st.data())
def test_a_renamed_function_is_stale_where_it_is_named(data: st.DataObject) -> None:
    world = data.draw(worlds())
    number = data.draw(st.integers(0, len(world.modules) - 1))
    module = world.modules[number]
    place = data.draw(st.integers(0, len(module.functions) - 1))
    new = replace(module.functions[place], verb=data.draw(st.sampled_from(NEW_VERBS)))
    old_name, new_name = function_name(module.functions[place], module), function_name(new, module)
    claims = data.draw(worded(world))
    text = memory([text for _, text in claims])
    after = with_function(world, number, place, new)
    with Project({**files(world), MEMORY: text}, {**files(after), MEMORY: text}) as project:
        before = project.answers(0, 0)
        found = project.judgements(0, 1)
        renaming = project.commits[1]
    names = {text: fact.names for fact, text in claims}
    for text, _, judgement in found:
        if old_name not in names[text]:
            assert answer(judgement) == before[text], text
            continue
        assert answer(judgement) == Answer("stale", "symbol-renamed", "range"), (text, judgement.why)
        assert judgement.evidence[0].commit is not None
        assert judgement.evidence[0].commit.sha == renaming
        assert judgement.suggestion is not None
        assert judgement.suggestion.text == text.replace(old_name, new_name)


@lasting
@given(st.data())
def test_a_moved_file_is_stale_where_it_is_named(data: st.DataObject) -> None:
    world = data.draw(worlds())
    number = data.draw(st.integers(0, len(world.modules) - 1))
    old = world.modules[number]
    folder = data.draw(st.sampled_from([old.folder, f"{old.folder}/inner", "elsewhere"]))
    stem = data.draw(st.sampled_from([old.stem, "anew"]))
    assume((folder, stem) != (old.folder, old.stem))
    new_path = f"{folder}/{stem}{old.suffix}"
    claims = [
        (fact, text) for fact, text in data.draw(worded(world)) if f"count of {old.folder}" not in fact.names
    ]
    assume(claims)
    text = memory([text for _, text in claims])
    start = {**files(world), MEMORY: text}
    then = {new_path if path == old.path else path: body for path, body in start.items()}
    with Project(start, then) as project:
        before = project.answers(0, 0)
        found = project.judgements(0, 1)
        moving = project.commits[1]
    names = {text: fact.names for fact, text in claims}
    for text, _, judgement in found:
        bare = names[text] == {f"{old.stem}{old.suffix}"} and stem != old.stem
        if old.path not in names[text] and not bare:
            assert answer(judgement) == before[text], text
            continue
        assert answer(judgement) == Answer("stale", "path-moved", "range"), (text, judgement.why)
        assert judgement.evidence[0].commit is not None
        assert judgement.evidence[0].commit.sha == moving
        assert judgement.suggestion is not None
        assert judgement.suggestion.text is not None
        if bare:
            assert judgement.suggestion.text.endswith(f"{stem}{old.suffix}` for more.")
        else:
            assert judgement.suggestion.text == text.replace(old.path, new_path)


@lasting
@given(st.data())
def test_other_words_for_the_same_fact_keep_the_verdict(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after = data.draw(broken(world))
    known = facts(world)
    wordings = [text for fact in known for text in fact.wordings]
    text = memory(wordings)
    with Project({**files(world), MEMORY: text}, {**files(after), MEMORY: text}) as project:
        found = project.answers(0, 1)
    verdicts = {fact.wordings: {found[wording].verdict for wording in fact.wordings} for fact in known}
    assert {wordings: said for wordings, said in verdicts.items() if len(said) > 1} == {}


@lasting
@given(st.data())
def test_the_order_of_claims_documents_and_stores_does_not_matter(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after = data.draw(broken(world))
    claims = [text for _, text in data.draw(worded(world))]
    shuffled = data.draw(st.permutations(claims))
    cut = data.draw(st.integers(0, len(claims)))
    one = {MEMORY: memory(claims[:cut]), "AGENTS.md": memory(claims[cut:])}
    swapped = {MEMORY: memory(claims[cut:]), "AGENTS.md": memory(claims[:cut])}
    trees = [
        {**files(side), **texts}
        for texts in ({MEMORY: memory(claims)}, {MEMORY: memory(shuffled)}, one, swapped)
        for side in (world, after)
    ]
    with Project(*trees) as project:
        first = project.answers(0, 1)
        assert project.answers(2, 3) == first
        both = project.answers(4, 5)
        assert project.answers(6, 7) == both
        assert project.answers(4, 5, ["AGENTS.md", MEMORY]) == both
        assert project.answers(4, 5, [MEMORY, "AGENTS.md"]) == both


@lasting
@given(st.data())
def test_lines_above_a_claim_change_neither_verdict_nor_id(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after = data.draw(broken(world))
    text = memory([text for _, text in data.draw(worded(world))])
    above = data.draw(
        st.sampled_from(
            ["\n\n\n", "Some words about all this.\n\n", "# About\n\n- Be brief.\n- Be clear.\n\n"]
        )
    )
    trees = [{**files(side), MEMORY: body} for body in (text, above + text) for side in (world, after)]
    with Project(*trees) as project:
        before = {text: (known, answer(said)) for text, known, said in project.judgements(0, 1)}
        found = {text: (known, answer(said)) for text, known, said in project.judgements(2, 3)}
    assert {text: found[text] for text in before} == before


@lasting
@given(st.data())
def test_what_was_changed_back_is_held_again(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after = data.draw(broken(world))
    text = memory([text for _, text in data.draw(worded(world))])
    start, between = ({**files(side), MEMORY: text} for side in (world, after))
    with Project(start, between, start) as project:
        assert project.answers(0, 2) == project.answers(0, 0)


@lasting
@given(st.data())
def test_the_two_ends_may_be_swapped(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after = data.draw(broken(world))
    claims = first_wordings(world)
    text = memory(claims)
    with Project({**files(world), MEMORY: text}, {**files(after), MEMORY: text}) as project:
        assert project.answers(1, 0).keys() == set(claims)


@lasting
@given(st.data())
def test_line_ends_and_byte_order_marks_change_no_verdict(data: st.DataObject) -> None:
    world = data.draw(worlds())
    after = data.draw(broken(world))
    text = memory([text for _, text in data.draw(worded(world))])
    plain = [{**files(side), MEMORY: text} for side in (world, after)]
    mark = "\ufeff" if data.draw(st.booleans()) else ""
    where = data.draw(st.sampled_from(["memory", "code", "both", "code at head"]))

    def converted(tree: Mapping[str, str], at_head: bool) -> dict[str, str]:
        found = {}
        for path, body in tree.items():
            meant = where == "both" or (where == "memory") == (path == MEMORY)
            changed = body.replace("\n", "\r\n") if meant and (at_head or where != "code at head") else body
            found[path] = mark + changed if path == MEMORY else changed
        return found

    with Project(*plain, converted(plain[0], False), converted(plain[1], True)) as project:
        assert project.answers(2, 3) == project.answers(0, 1)
