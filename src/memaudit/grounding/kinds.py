"""The table of reference kinds. A new kind is one module and one row here."""

from __future__ import annotations

from memaudit.grounding import cli, command, dependency, manager, path, symbol, tool, value, version
from memaudit.grounding.reference import Kind

KINDS: tuple[Kind, ...] = (
    path.PathKind(),
    command.CommandKind(),
    cli.SubcommandKind(),
    symbol.SymbolKind(),
    value.ValueKind(),
    version.VersionKind(),
    manager.ManagerKind(),
    dependency.DependencyKind(),
    tool.ToolKind(),
)
"""Every kind, in the order in which their outcomes are shown."""
