"""The demo: a throw-away git repository made from the plain files of ``sample_store/``.

The repository is made by git itself: the revisions are committed in one repository, and a clone
pulls the last of them. So reflog, ORIG_HEAD and remote branches are what a real pull leaves behind.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memaudit.errors import RepositoryError
from memaudit.paths import shipped

_SUFFIX = ".sample"
"""Ends the names of files that agents and git would take for the ones of memaudit itself."""

_REMOTE = "https://git.lendwell.example/lendwell.git"


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit to make: ``folder/files`` laid over what is there, after moves and deletions."""

    folder: Path
    message: str
    author: str
    date: str
    pulled: bool = False
    branch: str = ""
    tag: str = ""
    deleted: list[str] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Revision:
        """The revision that ``folder/revision.toml`` describes."""
        values: dict[str, Any] = tomllib.loads((folder / "revision.toml").read_text(encoding="utf-8"))
        return cls(folder=folder, **values)

    def lay_over(self, root: Path) -> None:
        """Turn the tree of the revision before into this one's."""
        for old, new in self.moved.items():
            (root / new).parent.mkdir(parents=True, exist_ok=True)
            (root / old).rename(root / new)
        for name in self.deleted:
            (root / name).unlink()
        files = self.folder / "files"
        # Installers compile every .py they find, those of the sample too.
        sources = [path for path in files.rglob("*") if path.is_file() and path.suffix != ".pyc"]
        for source in sources:
            target = root / str(source.relative_to(files)).removesuffix(_SUFFIX)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())

    def stamp(self) -> dict[str, str]:
        """The environment in which git makes commits and reflog entries of this author and date."""
        email = f"{self.author.split()[0].lower()}@lendwell.example"
        return {
            f"GIT_{role}_{what}": value
            for role in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", self.author), ("EMAIL", email), ("DATE", self.date))
        }


def build_demo(target: Path) -> Path:
    """Build the demo's repository at ``target``, which must not exist or be empty, and return it.

    The same files always give the same commits. Raises RepositoryError when there is no git, or
    something is in the way.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RepositoryError("the demo is built in a new folder only", str(target), "name another one")
    folders = sorted((shipped("sample_store") / "revisions").iterdir())
    revisions = [Revision.read(folder) for folder in folders if folder.is_dir()]
    with tempfile.TemporaryDirectory(prefix="memaudit-demo-") as temporary:
        origin = Path(temporary) / "lendwell"
        origin.mkdir()
        _git(origin, "init", "--quiet")
        _git(origin, "symbolic-ref", "HEAD", "refs/heads/main")
        for revision in revisions:
            if revision.pulled and not target.joinpath(".git").exists():
                _git(origin.parent, "clone", "--quiet", str(origin), str(target.absolute()))
            _commit(origin, revision)
        _git(target, "pull", "--quiet", "--ff-only", stamp=revisions[-1].stamp())
        _git(target, "remote", "set-url", "origin", _REMOTE)
    return target


def changed_files(target: Path) -> list[str]:
    """The files of a demo's repository that are not as they were committed."""
    return _git(target, "-c", "core.quotePath=false", "diff", "--name-only").splitlines()


def _commit(root: Path, revision: Revision) -> None:
    revision.lay_over(root)
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "--message", revision.message, stamp=revision.stamp())
    if revision.branch:
        _git(root, "branch", revision.branch)
    if revision.tag:
        _git(root, "tag", revision.tag)


def _git(folder: Path, *arguments: str, stamp: Mapping[str, str] | None = None) -> str:
    """Run git in ``folder``, deaf to the user's own settings, hooks and repositories; what it printed."""
    git = shutil.which("git")
    if git is None:
        raise RepositoryError("the demo needs git to build its repository", fix="install git")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TEMPLATE_DIR": "",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        **(stamp or Revision(folder, "", "Lendwell Desk", "2026-01-12T09:00:00+01:00").stamp()),
    }
    command = [git, "-c", "core.autocrlf=false", "-c", "gc.auto=0", *arguments]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RepositoryError(f"git {arguments[0]} failed: {run.stderr.strip()}", str(folder))
    return run.stdout
