"""The table of reference kinds. A new kind is one module and one row here."""

from __future__ import annotations

from memaudit.grounding import (
    citation,
    cli,
    command,
    count,
    dependency,
    listing,
    literal,
    manager,
    matrix,
    membership,
    module,
    package,
    path,
    port,
    program,
    ref,
    route,
    schedule,
    size,
    symbol,
    tool,
    tracked,
    value,
    version,
)
from memaudit.grounding.reference import Kind

KINDS: tuple[Kind, ...] = (
    path.PathKind(),
    citation.CitationKind(),
    command.CommandKind(),
    program.ProgramKind(),
    cli.SubcommandKind(),
    module.ModuleKind(),
    package.PackageKind(),
    symbol.SymbolKind(),
    membership.MembershipKind(),
    route.RouteKind(),
    value.ValueKind(),
    port.PortKind(),
    listing.ListingKind(),
    count.CountKind(),
    size.SizeKind(),
    schedule.ScheduleKind(),
    tracked.TrackedKind(),
    literal.LiteralKind(),
    version.VersionKind(),
    matrix.MatrixKind(),
    manager.ManagerKind(),
    dependency.DependencyKind(),
    ref.RefKind(),
    tool.ToolKind(),
)
"""Every kind, in the order in which their outcomes are shown."""
