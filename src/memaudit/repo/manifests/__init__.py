"""What the manifests and task files of a repository declare: tasks, dependencies, versions, programs.

Every reader takes ``(path, text)`` and returns a :class:`Manifest`; none runs anything, none looks
at another file. A new ecosystem is one module here and one row in
:data:`~memaudit.repo.manifests.model.READERS`.
"""

from __future__ import annotations

from memaudit.repo.manifests.model import Manifest, Pin, Source, Task, read_manifest

__all__ = ["Manifest", "Pin", "Source", "Task", "read_manifest"]
