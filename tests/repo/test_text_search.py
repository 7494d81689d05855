"""Whole-token search over a snapshot, with and without what is remembered from earlier runs."""

from __future__ import annotations

import random
import re
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memaudit.domain import WORKTREE
from memaudit.repo.repository import open_repository
from memaudit.repo.scan import Scanner
from memaudit.repo.searchcache import SearchCache
from memaudit.repo.snapshot import snapshot
from memaudit.repo.textsearch import MOST_HITS, Hit, Search
from memaudit.repo.tokens import defined_of, definitions_of, is_token, lines_with


def head(repo):
    """The snapshot of HEAD."""
    return snapshot(open_repository(repo.root), "HEAD")


def search(found, tokens, *, cache=None, skip=()) -> dict[str, list[Hit]]:
    """The hits of all tokens in a snapshot, found in one pass."""
    finder = Search(found, cache, skip)
    finder.expect(tokens)
    return {token: finder.hits(token) for token in tokens}


def places(hits) -> list[tuple[str, int]]:
    """Hits without their text."""
    return [(hit.path, hit.line) for hit in hits]


def test_whole_tokens_only(git_repo):
    git_repo.commit(
        "one", {"a.py": "run = 1\nrunner = 2\nprerun = 3\nrun_all = 4\nx.run()\n# run-time\nRun\n9run\n"}
    )

    found = search(head(git_repo), {"run"})

    assert places(found["run"]) == [("a.py", 1), ("a.py", 5), ("a.py", 6)]
    assert found["run"][0] == Hit("a.py", 1, "run = 1")


@pytest.mark.parametrize(
    ("token", "line", "found"),
    [
        ("no-cache", "cmd --no-cache x", True),
        ("cache", "cmd --no-cache x", True),
        ("no-cache", "no-cache-dir", False),
        ("no-cache", "my-no-cache", False),
        ("HOME", "echo $HOME", True),
        ("HOME", "echo ${HOME}", True),
        ("$scope", "x($scope)", True),
        ("scope", "x($scope)", True),
        ("key", '{"key": 1}', True),
        ("a", "a->b", True),
        ("b", "a->b", True),
        ("x", "café x", True),
        ("caf", "café", True),
        ("n", "1n", False),
        ("foo", "foo1", False),
        ("ENV", "process.env.ENV!", True),
    ],
)
def test_what_counts_as_a_token(git_repo, token, line, found):
    git_repo.commit("one", {"a.txt": f"{line}\n"})

    assert bool(search(head(git_repo), {token})[token]) is found


def test_a_hyphenated_token_is_told_from_longer_ones_in_the_same_file(git_repo):
    git_repo.commit("one", {"a.txt": "no-cache-dir\nmy-no-cache\n--no-cache\nno-cache-\n"})

    assert places(search(head(git_repo), {"no-cache"})["no-cache"]) == [("a.txt", 3), ("a.txt", 4)]


@pytest.mark.parametrize("token", ["", "a.b", "a/b", "a b", "3d", "-x", "x-", "ü", "a\n"])
def test_what_cannot_be_searched_for_finds_nothing(git_repo, token):
    git_repo.commit("one", {"a.txt": "a.b a/b a b 3d -x x- ü\n"})

    assert not is_token(token)
    assert search(head(git_repo), {token}) == {token: []}


def test_every_token_has_an_answer_and_lines_are_cut(git_repo):
    git_repo.commit("one", {"a.txt": "long " + "x" * 1000 + "\r\n"})

    found = search(head(git_repo), ["long", "absent"])

    assert found["absent"] == []
    assert len(found["long"][0].text) == 400
    assert not found["long"][0].text.endswith("\r")


def test_definitions_come_first_then_source_then_tests_then_prose(git_repo):
    git_repo.commit(
        "one",
        {
            "README.md": "Use Engine here.\n",
            "aaa.py": "print(Engine)\n",
            "tests/test_engine.py": "check(Engine)\n",
            "zzz.py": "import os\n\nclass Engine:\n    pass\n",
            "conf.yaml": "run Engine\n",
        },
    )

    assert places(search(head(git_repo), {"Engine"})["Engine"]) == [
        ("zzz.py", 3),
        ("aaa.py", 1),
        ("conf.yaml", 1),
        ("tests/test_engine.py", 1),
        ("README.md", 1),
    ]


def test_a_definition_is_found_among_many_uses(git_repo):
    git_repo.commit("one", {f"a{number}.py": "use(Settings)\n" * 9 for number in range(40)})
    git_repo.commit("two", {"z.py": "use(Settings)\n" * 9 + "class Settings: ...\n"})

    hits = search(head(git_repo), {"Settings"})["Settings"]

    assert len(hits) == MOST_HITS
    assert ("z.py", 10) in places(hits)
    assert places(hits)[0][0] == "z.py"
    assert max(places(hits).count((path, 1)) for path, _ in places(hits)) == 1


def test_files_that_are_not_searched(git_repo):
    git_repo.commit(
        "one",
        {
            "package-lock.json": "needle\n",
            "app.min.js": "needle\n",
            "bundle.js": "x" * 6000 + " needle\n",
            "big.txt": "needle\n" + "y\n" * 600_000,
            "binary.dat": b"needle\n\0",
            "picture.PNG": "needle\n",
            "CLAUDE.md": "needle\n",
            "found.txt": "needle\n",
        },
    )
    (git_repo.root / "link.txt").symlink_to("found.txt")
    git_repo.commit("two")

    assert places(search(head(git_repo), {"needle"}, skip=["CLAUDE.md"])["needle"]) == [("found.txt", 1)]


def test_equal_files_are_both_found(git_repo):
    git_repo.commit("one", {"a.py": "needle\n", "b.py": "needle\n", "c.py": "needle\n"})

    found = search(head(git_repo), {"needle"}, skip={"b.py"})

    assert places(found["needle"]) == [("a.py", 1), ("c.py", 1)]


def test_the_working_tree_is_searched_as_it_is_on_disk(git_repo):
    git_repo.commit("one", {"a.py": "old\n"})
    git_repo.write({"a.py": "new\n", "b.py": "new\n"})

    found = search(snapshot(open_repository(git_repo.root), WORKTREE), {"old", "new"})

    assert found["old"] == []
    assert places(found["new"]) == [("a.py", 1), ("b.py", 1)]


@pytest.fixture
def cache_file(tmp_path):
    """Where a cache is kept."""
    return tmp_path / "state" / "search.sqlite"


def test_a_second_run_gives_the_same_without_reading_a_file(git_repo, cache_file, monkeypatch):
    git_repo.commit("one", {"a.py": "def run(): ...\nwalk()\n", "b.md": "run walk\n"})
    with SearchCache(cache_file) as cache:
        first = search(head(git_repo), {"run", "walk", "absent"}, cache=cache)
    again = head(git_repo)
    monkeypatch.setattr(type(again), "read", None)
    monkeypatch.setattr(type(again), "read_once", None)

    with SearchCache(cache_file) as cache:
        assert search(again, {"run", "walk", "absent"}, cache=cache) == first


def test_a_changed_tree_reads_changed_files_only(git_repo, cache_file, monkeypatch):
    git_repo.commit("one", {"a.py": "run\n", "b.py": "run\n"})
    with SearchCache(cache_file) as cache:
        search(head(git_repo), {"run"}, cache=cache)
    git_repo.commit("two", {"b.py": "walk\n"})
    read = []
    found = head(git_repo)
    for name in ("read", "read_once"):
        original = getattr(type(found), name)
        monkeypatch.setattr(
            type(found),
            name,
            lambda self, path, *rest, original=original: read.append(path) or original(self, path, *rest),
        )

    with SearchCache(cache_file) as cache:
        assert places(search(found, {"run"}, cache=cache)["run"]) == [("a.py", 1)]

    assert read == ["b.py"]


def test_new_tokens_are_found_with_an_old_cache(git_repo, cache_file):
    git_repo.commit("one", {"a.py": "run = walk\n"})
    for token in ("run", "walk", "absent"):
        with SearchCache(cache_file) as cache:
            assert bool(search(head(git_repo), {token}, cache=cache)[token]) is (token != "absent")


def test_files_added_later_to_one_cache_are_found(git_repo):
    git_repo.commit("one", {"a.py": "run\n"})
    git_repo.commit("two", {"b.py": "run\n"})
    repository = open_repository(git_repo.root)
    cache = SearchCache()

    before = search(snapshot(repository, "HEAD~1"), {"run"}, cache=cache)
    after = search(snapshot(repository, "HEAD"), {"run"}, cache=cache)

    assert places(before["run"]) == [("a.py", 1)]
    assert places(after["run"]) == [("a.py", 1), ("b.py", 1)]


@pytest.mark.parametrize("harm", ["garbage", "newer", "folder"])
def test_a_cache_that_cannot_be_used_is_done_without(git_repo, cache_file, harm):
    git_repo.commit("one", {"a.py": "run\n"})
    cache_file.parent.mkdir()
    if harm == "garbage":
        cache_file.write_bytes(b"not a database" * 100)
    elif harm == "newer":
        with sqlite3.connect(cache_file) as database:
            database.execute("CREATE TABLE files (something, quite, different)")
            database.execute("PRAGMA user_version = 99")
        database.close()
    else:
        cache_file.mkdir()

    with SearchCache(cache_file) as cache:
        assert places(search(head(git_repo), {"run"}, cache=cache)["run"]) == [("a.py", 1)]

    if harm != "folder":
        with sqlite3.connect(cache_file) as database:
            assert database.execute("SELECT count(*) FROM files").fetchone() == (1,)
        database.close()


@pytest.mark.parametrize(
    "rot",
    [
        "UPDATE files SET ids = 7",
        "UPDATE token SET held = 'text'",
        "UPDATE sought SET files = NULL",
        "UPDATE hit SET lines = '{\"run'",
        "UPDATE hit SET lines = '[1]'",
        "UPDATE hit SET lines = x'7bff'",
        "UPDATE hit SET lines = CAST(x'7bff' AS TEXT)",
    ],
)
def test_a_cache_that_rotted_inside_is_done_without_and_begun_anew(git_repo, cache_file, rot):
    git_repo.commit("one", {"a.py": "run\n"})
    for _ in range(2):
        with SearchCache(cache_file) as cache:
            search(head(git_repo), {"run"}, cache=cache)
        with sqlite3.connect(cache_file) as database:
            assert database.execute(rot).rowcount == 1
        database.close()

        with SearchCache(cache_file) as cache:
            assert places(search(head(git_repo), {"run"}, cache=cache)["run"]) == [("a.py", 1)]


def test_a_cache_whose_schema_is_no_text_is_begun_anew(git_repo, cache_file):
    git_repo.commit("one", {"a.py": "run\n"})
    with SearchCache(cache_file) as cache:
        search(head(git_repo), {"run"}, cache=cache)
    cache_file.write_bytes(cache_file.read_bytes().replace(b"CREATE TABLE hit", b"CREATE \xda\xdaBLE hit"))
    for _ in range(2):
        with SearchCache(cache_file) as cache:
            assert places(search(head(git_repo), {"run"}, cache=cache)["run"]) == [("a.py", 1)]


def test_parsed_files_that_rotted_are_parsed_again(cache_file):
    blob_id = "12" * 20
    with SearchCache(cache_file) as cache:
        cache.add_definitions(blob_id, "python", [])
    for rot in ("'[[1]]'", "'[1'", "'3'", "x'ff'"):
        with sqlite3.connect(cache_file) as database:
            database.execute(f"UPDATE parsed SET rows = {rot}")
        database.close()
        with SearchCache(cache_file) as cache:
            assert cache.definitions(blob_id, "python") is None
        with SearchCache(cache_file) as cache:
            cache.add_definitions(blob_id, "python", [])
        with SearchCache(cache_file) as cache:
            assert cache.definitions(blob_id, "python") == []


def test_a_cache_held_by_another_process_is_done_without(git_repo, cache_file):
    git_repo.commit("one", {"a.py": "run\n"})
    with SearchCache(cache_file):
        pass
    before = cache_file.stat().st_ino
    other = sqlite3.connect(cache_file)
    other.execute("BEGIN EXCLUSIVE")

    with SearchCache(cache_file) as cache:
        assert places(search(head(git_repo), {"run"}, cache=cache)["run"]) == [("a.py", 1)]

    other.rollback()
    other.close()
    assert cache_file.stat().st_ino == before


def test_names_a_line_seems_to_define():
    source = b"""
pub(crate) struct Foo;
    pub async fn bar<T>(x: T) {
class A(B):
    x = 1
    return Nope(3)
export default class Q extends W {
export const zed = 3
  handler: () => 1,
  "test": "vitest",
func (r *Recv) Method(a int) error {
type Thing struct {
#define MAX_X 3
mod inner;
FOO ?= 3
    if check(x):
"""
    assert definitions_of(source) == {
        *(b"Foo", b"bar", b"A", b"x", b"Q", b"zed", b"handler", b"test", b"Method", b"Thing"),
        *(b"MAX_X", b"inner", b"FOO"),
    }


@pytest.mark.parametrize(
    ("path", "line", "names"),
    [
        ("A.java", "  public Map<String, List<Foo>> load(", {"load"}),
        ("A.java", "  @Override(x) protected final Foo name;", {"name"}),
        ("A.java", "  public <R, S> void register(", {"register"}),
        ("A.java", "    return Foo.call(x);", set()),
        ("A.java", "    throw new Gone(x);", set()),
        ("a.cs", "  public async Task<int> RunAsync<T>(int a)", {"RunAsync"}),
        ("a.cs", "  public string? Name { get; set; }", {"Name"}),
        ("a.kt", "private fun <T> OkClient.Builder.trust(x: T) {", {"trust"}),
        ("a.kt", "val Project.home: String", {"home"}),
        ("a.rb", "  def self.build", {"build"}),
        ("a.rb", "  def empty?", {"empty"}),
        ("a.rb", "class Admin::Base < Root", {"Base"}),
        ("a.rb", "  has_many :items, dependent: :destroy", {"items"}),
        ("a.php", "  public ?string $name = null;", {"$name", "name"}),
        ("a.php", "  private Foo $foo;", {"$foo", "foo"}),
        ("a.c", "static char *parse(const char *s)", {"parse"}),
        ("a.c", "  unsigned char buffer[8];", {"buffer"}),
        ("a.h", "typedef uint64_t Key;", {"Key"}),
        ("a.c", "  goto out;", set()),
        ("a.cpp", "std::vector<int> Store<T>::load(int x) const {", {"load"}),
        ("a.cpp", "void Store::close() {", {"close"}),
        ("a.swift", "  case leaf", {"leaf"}),
        ("a.swift", "  @MainActor func go() {", {"go"}),
        ("a.ts", "  Map<String, Foo> load(", {"Map"}),
    ],
)
def test_names_a_line_seems_to_define_go_by_the_language(path, line, names):
    assert definitions_of(line.encode(), path) == {name.encode() for name in names}


SHORT_TOKENS = ["a", "ab", "b", "a-b", "b-a", "a_1", "$a", "a$b", "_"]


@given(st.text(alphabet="ab_1$- .\n(", max_size=60), st.sampled_from([0, 40]))
def test_a_text_holds_the_tokens_that_stand_on_its_lines(text, others):
    data = text.encode()
    scanner = Scanner([*SHORT_TOKENS, *(f"other{number}" for number in range(others))])

    assert set(scanner.held(data)) == {
        token for token in SHORT_TOKENS if any(lines_with(data, token.encode()))
    }


@given(
    st.text(alphabet="ab$- \n(:={\"'?<;", max_size=40),
    st.sampled_from(["", "class ", "x = 1\nlet ", "public int "]),
    st.sampled_from(["a.py", "a.cs"]),
)
def test_of_tokens_those_are_defined_that_are_among_all_names_a_text_defines(text, before, path):
    data = (before + text).encode()
    tokens = [token.encode() for token in SHORT_TOKENS]

    assert defined_of(data, tokens, path) == definitions_of(data, path).intersection(tokens)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_hits_as_a_plain_search(git_repo, seed):
    chance = random.Random(seed)
    words = [
        "run",
        "run_all",
        "run-all",
        "Run",
        "x.run",
        "$run",
        "prerun",
        "walk",
        "--walk-far",
        "9run",
        "é run",
    ]
    files = {
        f"src/f{number}.txt": "\n".join(" ".join(chance.choices(words, k=3)) for _ in range(4))
        for number in range(8)
    }
    git_repo.commit("one", files)
    plain = {
        token: {
            (path, number)
            for path, text in files.items()
            for number, line in enumerate(text.split("\n"), 1)
            if re.search(rf"(?<![A-Za-z0-9_]){token}(?![A-Za-z0-9_])", line)
        }
        for token in ("run", "run_all", "walk", "far", "Run")
    }

    found = search(head(git_repo), list(plain))

    assert {token: set(places(hits)) for token, hits in found.items()} == plain


@pytest.mark.parametrize("seed", range(6))
def test_the_same_hits_whenever_a_token_is_asked_for(git_repo, cache_file, seed):
    chance = random.Random(seed)
    words = [f"word{number}" for number in range(28)]
    common = ["often", "seldom"]
    for step in range(3):
        git_repo.commit(
            f"step {step}",
            {
                f"{chance.choice(['src', 'tests'])}/f{number}.py": "".join(
                    f"{chance.choice(['often =', 'x = often', 'use(seldom)', 'seldom ='])} {word}\n"
                    for word in chance.sample(words, 4)
                )
                for number in chance.sample(range(90), 60)
            },
        )
    repository = open_repository(git_repo.root)
    for revision in chance.choices(["HEAD", "HEAD~1", "HEAD~2"], k=3):
        found = snapshot(repository, revision)
        with SearchCache(cache_file) as cache:
            finder = Search(found, cache)
            finder.expect(chance.sample(words + common, 6))
            finder.expect(chance.sample(words + common, chance.choice([2, 24])), perhaps=True)
            for token in chance.sample(words, 5) + common:
                if chance.random() < 0.5:
                    holding = finder.files_with(token)
                    assert set(holding) == {
                        path for path in found.files() if re.search(rf"\b{token}\b", found.text(path))
                    }
                assert finder.hits(token) == Search(found).hits(token)


@pytest.mark.parametrize("perhaps", [True, False])
def test_what_is_expected_is_found_in_one_pass(git_repo, monkeypatch, perhaps):
    git_repo.commit("one", {"a.py": "def run(): ...\nwalk()\n", "b.py": "run(walk)\n"})
    found = head(git_repo)
    read = []
    original = type(found).read_once
    monkeypatch.setattr(
        type(found), "read_once", lambda self, path, limit: read.append(path) or original(self, path, limit)
    )
    finder = Search(found)
    finder.expect(["run"])
    finder.expect(["walk", "absent"], perhaps=perhaps)

    assert places(finder.hits("run")) == [("a.py", 1), ("b.py", 1)]
    assert places(finder.hits("walk")) == [("a.py", 2), ("b.py", 1)]
    assert finder.files_with("walk") == ["a.py", "b.py"]
    assert finder.hits("absent") == finder.files_with("absent") == []
    assert read == ["a.py", "b.py"]


def test_a_token_without_a_letter_is_found_among_many(git_repo):
    git_repo.commit("one", {"a.js": "$(x)\n"})
    found = search(head(git_repo), ["$", *(f"other{number}" for number in range(40))])

    assert places(found["$"]) == [("a.js", 1)]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_never_changes_what_is_found(git_repo, cache_file, seed):
    chance = random.Random(seed)
    words = [f"word{number}" for number in range(30)]
    for step in range(5):
        git_repo.commit(
            f"step {step}",
            {f"f{number}.py": " = ".join(chance.sample(words, 4)) for number in chance.sample(range(12), 5)},
        )
        asked = chance.sample(words, chance.choice([2, 25]))
        revision = chance.choice(["HEAD", "HEAD~1"]) if step else "HEAD"
        found = snapshot(open_repository(git_repo.root), revision)

        with SearchCache(cache_file) as cache:
            kept = search(found, asked, cache=cache, skip=["f3.py"])

        assert kept == search(found, asked, skip=["f3.py"])


def test_two_audits_at_once_do_not_mix_their_files_up(git_repo, cache_file):
    git_repo.commit("one", {"a.py": "run\n"})
    git_repo.commit("two", {"a.py": "walk\n", "b.py": "run\n", "c.py": "walk run\n"})
    repository = open_repository(git_repo.root)
    older, newer = snapshot(repository, "HEAD~1"), snapshot(repository, "HEAD")
    one, other = SearchCache(cache_file), SearchCache(cache_file)

    search(older, {"run"}, cache=one)
    search(newer, {"run", "walk"}, cache=other)
    other.close()
    after_the_other = places(search(older, {"walk"}, cache=one)["walk"])
    one.close()

    assert after_the_other == []
    with SearchCache(cache_file) as cache:
        found = search(newer, {"run", "walk"}, cache=cache)
    assert places(found["run"]) == [("b.py", 1), ("c.py", 1)]
    assert places(found["walk"]) == [("a.py", 1), ("c.py", 1)]
