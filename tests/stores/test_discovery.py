"""Which stores are found, and that one file is loaded once whatever its names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memaudit.domain import Document, Store
from memaudit.errors import StoreError
from memaudit.stores.discover import discover
from memaudit.stores.folder import WorkingFolder

Build = Callable[..., WorkingFolder]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Writes files and links (``link -> target`` as bytes ``None``) and opens the folder."""

    def make(files: dict[str, str | bytes], links: dict[str, str] | None = None) -> WorkingFolder:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        for name, target in (links or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)
        return WorkingFolder(tmp_path)

    return make


def _documents(stores: list[Store]) -> dict[str, Document]:
    return {document.path: document for store in stores for document in store.documents}


def test_nothing_found_is_no_error(build: Build) -> None:
    assert discover(build({"README.md": "Hello.\n"})) == []


def test_claude_family_with_its_scopes(build: Build) -> None:
    folder = build(
        {
            "CLAUDE.md": "- a is set\n",
            "CLAUDE.local.md": "- b is set\n",
            ".claude/CLAUDE.md": "- c is set\n",
            "pkg/CLAUDE.md": "- d is set\n",
            ".claude/rules/go.md": "- e is set\n",
            ".claude/rules/web/ts.md": '---\npaths:\n  - "web/**/*.{ts,tsx}"\n  - lib/**  # both\n---\n'
            "- f is set\n",
            "pkg/.claude/rules/x.md": "---\npaths: a/**, b/*.py\n---\n- g is set\n",
        }
    )
    (store,) = discover(folder)
    assert (store.name, store.format) == ("claude", "claude")
    assert [(document.path, document.format, document.scope) for document in store.documents] == [
        (".claude/CLAUDE.md", "claude-md", ()),
        ("CLAUDE.md", "claude-md", ()),
        ("CLAUDE.local.md", "claude-local-md", ()),
        ("pkg/CLAUDE.md", "claude-md", ("pkg/**",)),
        (".claude/rules/go.md", "claude-rule", ()),
        (".claude/rules/web/ts.md", "claude-rule", ("web/**/*.{ts,tsx}", "lib/**")),
        ("pkg/.claude/rules/x.md", "claude-rule", ("pkg/a/**", "pkg/b/*.py")),
    ]
    assert {claim.scope for claim in store.claims if claim.text == "f is set"} == {
        ("web/**/*.{ts,tsx}", "lib/**")
    }


def test_agents_family_and_what_an_override_hides(build: Build) -> None:
    folder = build(
        {"AGENTS.md": "- a is set\n", "AGENTS.override.md": "- b is set\n", "x/y/AGENTS.md": "- c is set\n"}
    )
    (store,) = discover(folder)
    assert [(one.path, one.format, one.scope, one.shadows) for one in store.documents] == [
        ("AGENTS.md", "agents-md", (), None),
        ("AGENTS.override.md", "agents-override-md", (), "AGENTS.md"),
        ("x/y/AGENTS.md", "agents-md", ("x/y/**",), None),
    ]


def test_linked_pair_is_loaded_once_under_its_real_name(build: Build) -> None:
    stores = discover(build({"AGENTS.md": "- a is set\n"}, {"CLAUDE.md": "AGENTS.md"}))
    assert [(store.name, [(one.path, one.aliases) for one in store.documents]) for store in stores] == [
        ("agents", [("AGENTS.md", ("CLAUDE.md",))])
    ]


def test_both_linked_to_a_third(build: Build) -> None:
    folder = build({"docs/ai.md": "- a is set\n"}, {"AGENTS.md": "docs/ai.md", "CLAUDE.md": "AGENTS.md"})
    (document,) = _documents(discover(folder)).values()
    assert (document.path, document.aliases) == ("docs/ai.md", ("CLAUDE.md", "AGENTS.md"))


@pytest.mark.parametrize("content", ["AGENTS.md", "AGENTS.md\n", "./AGENTS.md\r\n", "\ufeffAGENTS.md"])
def test_one_line_file_that_names_another_is_an_alias(build: Build, content: str) -> None:
    documents = _documents(discover(build({"AGENTS.md": "- a is set\n", "CLAUDE.md": content})))
    assert {path: document.aliases for path, document in documents.items()} == {"AGENTS.md": ("CLAUDE.md",)}


def test_two_files_that_name_each_other_are_no_loop(build: Build) -> None:
    documents = _documents(discover(build({"AGENTS.md": "CLAUDE.md", "CLAUDE.md": "AGENTS.md"})))
    assert set(documents) <= {"AGENTS.md", "CLAUDE.md"}


def test_a_line_that_names_nothing_is_a_claim(build: Build) -> None:
    documents = _documents(discover(build({"CLAUDE.md": "MISSING.md"})))
    assert [claim.text for claim in documents["CLAUDE.md"].claims] == ["MISSING.md"]


def test_folder_linked_into_claude_rules(build: Build) -> None:
    folder = build({"shared/rules/go.md": "- a is set\n"}, {".claude/rules": "../shared/rules"})
    (document,) = _documents(discover(folder)).values()
    assert (document.path, document.format, document.aliases) == (
        "shared/rules/go.md",
        "claude-rule",
        (".claude/rules/go.md",),
    )


def test_imports_are_followed_four_hops_and_belong_to_their_own_file(build: Build) -> None:
    files = {f"docs/{at}.md": f"- fact {at} is set\n\n@{at + 1}.md\n" for at in range(1, 7)}
    folder = build(
        {"CLAUDE.md": "Read @docs/1.md and @README and `@docs/6.md`.\n", "README": "- r is set\n", **files}
    )
    (store,) = discover(folder)
    assert [(one.path, one.format) for one in store.documents] == [
        ("CLAUDE.md", "claude-md"),
        ("docs/1.md", "claude-import"),
        ("README", "claude-import"),
        ("docs/2.md", "claude-import"),
        ("docs/3.md", "claude-import"),
        ("docs/4.md", "claude-import"),
    ]
    assert store.documents[0].imports == ("docs/1.md", "README")


def test_imported_agents_file_stays_with_its_family(build: Build) -> None:
    stores = discover(build({"CLAUDE.md": "@AGENTS.md\n\n- a is set\n", "AGENTS.md": "- b is set\n"}))
    assert [(store.name, [one.path for one in store.documents]) for store in stores] == [
        ("claude", ["CLAUDE.md"]),
        ("agents", ["AGENTS.md"]),
    ]


def test_imports_lead_nowhere_outside_and_circles_end(build: Build, tmp_path: Path) -> None:
    (tmp_path.parent / "outside.md").write_text("- secret is set\n")
    folder = build({"CLAUDE.md": "@../outside.md\n@~/x.md\n@/etc/passwd\n@a.md\n", "a.md": "@CLAUDE.md\n"})
    (store,) = discover(folder)
    assert [one.path for one in store.documents] == ["CLAUDE.md", "a.md"]


def test_memory_folders(build: Build) -> None:
    folder = build(
        {
            "memory/MEMORY.md": "- [t.md](t.md): a topic\n",
            "memory/t.md": "---\ntype: feedback\n---\n\nText is here.\n",
            ".claude/memory/note.md": "Text is here.\n",
            ".claude/agent-memory/rev/MEMORY.md": "- a is set\n",
            "src/memory/alloc.md": "No store of ours.\n",
        }
    )
    stores = discover(folder)
    assert [
        (store.name, store.format, [(d.path, d.format) for d in store.documents]) for store in stores
    ] == [
        (
            "memory",
            "memory-dir",
            [("memory/MEMORY.md", "claude-auto-memory-index"), ("memory/t.md", "claude-auto-memory-topic")],
        ),
        (".claude/memory", "memory-dir", [(".claude/memory/note.md", "claude-auto-memory-topic")]),
        (
            ".claude/agent-memory/rev",
            "memory-dir",
            [(".claude/agent-memory/rev/MEMORY.md", "claude-auto-memory-index")],
        ),
    ]


def test_unreadable_file_is_told_and_stops_nothing(build: Build) -> None:
    documents = _documents(discover(build({"CLAUDE.md": b"caf\xe9\n", "AGENTS.md": "- a is set\n"})))
    assert documents["CLAUDE.md"].claims == ()
    assert documents["CLAUDE.md"].warnings == ("is not valid UTF-8 (byte 3, line 1)",)
    assert len(documents["AGENTS.md"].claims) == 1


def test_a_file_too_large_is_told(build: Build) -> None:
    documents = _documents(discover(build({"CLAUDE.md": b"- a is set\n" * 500_000})))
    assert documents["CLAUDE.md"].claims == ()
    assert documents["CLAUDE.md"].warnings == ("is larger than 4 MiB and was not read",)


def test_selected_files_and_folders_and_nothing_else(build: Build) -> None:
    folder = build(
        {
            "CLAUDE.md": "- a is set\n\n@docs/x.md\n",
            "AGENTS.md": "- b is set\n",
            "docs/x.md": "- c is set\n",
            "docs/deep/y.txt": "- d is set\n",
            "docs/z.py": "print()\n",
            ".claude/rules/r.md": "---\npaths: [a/**]\n---\n- e is set\n",
        }
    )
    stores = discover(folder, ["./CLAUDE.md", "docs/", ".claude/rules", "docs/x.md", "CLAUDE.md"])
    assert [
        (store.name, store.format, [(d.path, d.format) for d in store.documents]) for store in stores
    ] == [
        ("CLAUDE.md", "claude-md", [("CLAUDE.md", "claude-md")]),
        (
            "docs",
            "memory-dir",
            [("docs/x.md", "claude-auto-memory-topic"), ("docs/deep/y.txt", "claude-auto-memory-topic")],
        ),
        (".claude/rules", "memory-dir", [(".claude/rules/r.md", "claude-rule")]),
        ("docs/x.md", "markdown", [("docs/x.md", "markdown")]),
    ]
    assert stores[2].documents[0].scope == ("a/**",)


def test_a_claim_has_the_same_id_selected_by_any_name(build: Build) -> None:
    folder = build({"AGENTS.md": "- a is set\n"}, {"CLAUDE.md": "AGENTS.md"})
    ids = [store.claims[0].id for store in (*discover(folder), *discover(folder, ["CLAUDE.md", "AGENTS.md"]))]
    assert len(set(ids)) == 1


def test_untracked_folder_can_be_selected(build: Build, tmp_path: Path) -> None:
    build({"notes/a.md": "- a is set\n", "x.py": ""})
    (store,) = discover(WorkingFolder(tmp_path, ["x.py"]), ["notes"])
    assert [document.path for document in store.documents] == ["notes/a.md"]


@pytest.mark.parametrize(
    ("selector", "says"),
    [
        ("gone.md", "no such memory file"),
        ("../up.md", "outside"),
        ("/etc/passwd", "outside"),
        ("src", "no such"),
    ],
)
def test_a_selector_that_cannot_be_met_says_what_where_and_what_to_do(
    build: Build, selector: str, says: str
) -> None:
    folder = build({"src/a.py": ""})
    with pytest.raises(StoreError, match=says) as caught:
        discover(folder, [selector])
    assert caught.value.where == selector
    assert caught.value.fix


def test_a_selected_file_that_cannot_be_read_is_an_error(build: Build) -> None:
    with pytest.raises(StoreError, match="UTF-16"):
        discover(build({"a.md": "text".encode("utf-16")}), ["a.md"])
