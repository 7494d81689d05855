"""What a claim is shown of a change: what it names, the best first, and no more than fits."""

from __future__ import annotations

from typing import Any

from modelkit import ModelServer, change_in, claim_in
from pageskit import LOGS, RAISES, Asking, memory, pages

from memaudit.judges.model.packing import BUDGET


def questions(repo: Any, server: ModelServer, **values: Any) -> list[Any]:
    return Asking(repo.root, server.settings(**values)).plan().questions


def test_a_small_change_is_shown_whole_and_the_same_to_all(pages_repo: Any, server: ModelServer) -> None:
    planned = questions(pages_repo, server)
    assert len(planned) == 4
    assert len({one.question.change for one in planned}) == 1
    assert all(one.shared for one in planned)


def test_a_large_change_is_ranked_for_each_claim(git_repo: Any, server: ModelServer) -> None:
    filler = {f"src/other{number}.py": "x = 1\n" * 200 for number in range(10)}
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS), **filler})
    noise = dict.fromkeys(filler, "value = 'quite another thing'\n" * 200)
    git_repo.commit("raise", {"src/pages.py": pages(RAISES), **noise})
    planned = questions(git_repo, server)
    assert len(planned) == 4
    for one in planned:
        assert len(one.question.evidence.text) <= BUDGET
        assert one.question.evidence.hunks[0].path == "src/pages.py"
        assert "other" not in one.question.change


def test_in_a_change_of_many_files_those_that_hold_a_name_are_found(
    git_repo: Any, server: ModelServer
) -> None:
    before = {f"lib/m{number}.py": f"VALUE = {number}\n" for number in range(120)}
    after = {name: text.replace("VALUE", "OTHER") for name, text in before.items()}
    caller = {"lib/caller.py": "fetch_page(1)\n"}
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS), **before, **caller})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES), **after, "lib/caller.py": "fetch_page(2)\n"})
    by_claim = {claim_in(one.sent): change_in(one.sent) for one in questions(git_repo, server)}
    assert len(by_claim) == 4
    for claim, change in by_claim.items():
        assert "src/pages.py" in change
        assert ("lib/caller.py" in change) == ("fetch_page" in claim)
        assert "lib/m1" not in change


def test_tests_lock_files_vendored_code_and_the_memory_itself_are_left_out(
    git_repo: Any, server: ModelServer
) -> None:
    names = ("tests/test_pages.py", "uv.lock", "vendor/pages.py", "node_modules/a/pages.js", "AGENTS.md")
    before = dict.fromkeys(names, "fetch_page missing old\n")
    after = dict.fromkeys(names, "fetch_page missing new\n")
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS), **before})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES), "CLAUDE.md": memory() + "- More.\n", **after})
    planned = questions(git_repo, server)
    assert len(planned) >= 4
    for one in planned:
        assert {hunk.path for hunk in one.question.evidence.hunks} == {"src/pages.py"}


def test_a_claim_that_the_change_has_nothing_to_do_with_is_not_asked(
    git_repo: Any, server: ModelServer
) -> None:
    leave, other = (
        "Leave `fetch_page` alone until the move is over.",
        "Merge nothing until the freeze is over.",
    )
    notes = f"{memory()}- {leave}\n- {other}\n"
    git_repo.commit("log", {"CLAUDE.md": notes, "src/pages.py": pages(LOGS)})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES)})
    made = Asking(git_repo.root, server.settings()).plan()
    claims = [one.question.claim.text for one in made.questions]
    assert made.open == len(claims) + 1
    assert other not in claims
    # What is known to have changed comes first.
    assert claims[-1] == leave


def test_a_moved_file_is_shown_as_what_changed_in_it(git_repo: Any, server: ModelServer) -> None:
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/old.py": pages(LOGS) + "# tail\n" * 80})
    git_repo.commit(
        "move", {"src/old.py": None, "lib/new.py": pages(LOGS.replace("log.", "trace.")) + "# tail\n" * 80}
    )
    (git_repo.root / "CLAUDE.md").write_text("- Leave `fetch_page` alone until the move is over.\n")
    planned = questions(git_repo, server)
    change = planned[0].question.change
    assert "file: src/old.py (moved to lib/new.py)" in change
    assert "+        trace.warning('missing page')" in change
    assert "# tail\n-" not in change


def test_a_long_new_file_is_cut_into_pieces_with_their_own_headers(
    git_repo: Any, server: ModelServer
) -> None:
    body = "\n\n".join(
        f"def step_{number}(page):\n" + "    page = page + 1\n" * 40 + "    return page"
        for number in range(9)
    )
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS)})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES), "src/steps.py": body + "\n"})
    made = Asking(git_repo.root, server.settings()).plan().questions[0].question.evidence
    assert all(len(hunk.lines) <= 60 for hunk in made.hunks)
    headers = {hunk.header for hunk in made.hunks if hunk.path == "src/steps.py"}
    assert len(headers) > 3


def test_questions_do_not_depend_on_the_order_of_claims(git_repo: Any, server: ModelServer) -> None:
    before = {f"lib/m{number}.py": f"VALUE = {number}\n" for number in range(120)}
    after = {name: text.replace("VALUE", "OTHER") for name, text in before.items()}
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS), **before})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES), **after})
    made = Asking(git_repo.root, server.settings())
    forward = [one.question.key for one in made.plan().questions]
    made.judged.reverse()
    assert [one.question.key for one in made.plan().questions] == forward


def test_the_definition_that_a_claim_names_goes_before_what_has_many_of_its_words(
    git_repo: Any, server: ModelServer
) -> None:
    padding = "value = 1  # a missing page logs and goes on\n" * 50
    chatter = {f"lib/talk{number}.py": padding for number in range(6)}
    changed = dict.fromkeys(chatter, padding.replace("value", "other"))
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS), **chatter})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES), **changed})
    for one in questions(git_repo, server):
        first = one.question.evidence.relevant[0]
        name = claim_in(one.sent).split("`")[1]
        assert (first.path, name in first.inside) == ("src/pages.py", True)
        assert f"def {name}(" in one.question.change
