"""Word lists of the splitter: names and words that a rule cannot tell by their shape."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    """Phrases, separated by bars in the text, with a space before and after each."""
    return tuple(f" {' '.join(phrase.split())} " for phrase in text.split("|"))


IMPERATIVES = _words(
    """
    abide accept act add address adhere adjust align allow amend annotate answer apply approach ask assert
    assume attach author avoid bail base batch be begin benchmark bind boot break bring build bump bundle
    cache call capture catch change check choose cite clean close collapse combine commit compare complete
    compose configure confirm consider consult continue convert copy cover create cut debug declare
    decouple default define delegate delete deploy derive describe design destructure detect disable
    discard discuss do document drop duplicate edit embed emit enable encapsulate enforce enter escape
    evaluate examine exclude execute expect explain explore export expose extend extract fail fall fetch
    fill filter find fix flag focus follow force format gate generate get give go group guard handle
    hard-code hide hold identify ignore implement import include indent infer inherit initialize inject
    inline insert inspect install instruct instrument introduce invoke isolate iterate join keep kill land
    launch leave let limit link lint list load localize locate log look maintain make map mark match merge
    migrate minimize mirror mock modify monitor mount move name narrow note notify number obey offer open
    optimize order organize override pair parametrize parse pass patch perform persist pick pin place plan
    point post preload prepare preserve prevent print prioritize propagate propose provide publish pull
    push put quote raise re-export re-run read rebase rebuild record reduce ref refactor refer reference
    reflect regenerate register reject release rely remember remove rename render repeat replace report
    request require rerun resolve respect respond restart restore restrict retain return reuse revert
    review rewrite roll run save scan schedule scope search select send separate set show simplify skip
    solve sort split squash stage start state stay stick stop store stream strip structure stub submit
    suggest summarize surface switch sync tag take target tell test think throw tie touch track translate
    treat trigger trim trust try turn type understand undo unify unwrap update upgrade use utilize
    validate verify version view wait walk warn watch wire work wrap write
    """
)
"""Verbs that open an order."""

ABBREVIATIONS = _words(
    """
    a.k.a aka al approx ca cf ch dept dr e.g eg eq est etc excl fig i.e ie incl max min mr mrs ms no nos
    pp prof resp sec st ver viz vol vs
    """
)
"""What a full stop may follow without ending a sentence, in lower case and without that stop."""

DANGLING = _words(
    """
    a an and as at by for from in into is of on or that the their this to via when where which with
    """
)
"""Words that no sentence ends with."""

TOOLS = _words(
    """
    ansible-playbook apk apt apt-get aws az babel bash bazel bin/rails black brew buck2 buf bun bundle
    bunx cargo cat cd chmod clang-format claude cmake codex composer conda corepack cp crush ctest curl
    deno direnv docker docker-compose dotnet echo elixir env eslint export fastlane find flutter fly
    flyctl gcloud gem gh git go gofmt golangci-lint goreleaser gradle grep gulp hatch helm java javac jest
    jq just k6 kind kubectl lerna ls make mise mix mkdir mv mvn mypy ninja nix node nox npm npx nx openssl
    pdm php php-artisan pip pip3 pipenv pipx playwright pnpm pnpx poetry pre-commit prettier psql pulumi
    pyright pytest python python3 rails rake redis-cli rg rm rspec rsync ruby ruff rustc rustup sbt sed
    serverless source sqlite3 ssh stack sudo swift task tauri terraform time tox trivy tsc tsx turbo uv
    uvicorn uvx vale vercel vite vitest wget wrangler xcodebuild yarn zig
    """
)
"""Programs that developers type: a line that starts with one is a command."""

SHELLS = _words(
    """
    bash bat batch cmd console dos fish ksh powershell ps1 pwsh sh sh-session shell shell-session
    shellsession terminal zsh
    """
)
"""The names under which a fence holds shell commands."""

FILE_NAMES = _words(
    """
    authors brewfile build caddyfile cargo changelog codeowners containerfile dockerfile earthfile gemfile
    jenkinsfile justfile license makefile notice procfile rakefile readme tiltfile vagrantfile workspace
    """
)
"""Names of files that have no extension, in lower case."""

SKIPPED_FOLDERS = _words(
    """
    .cache .git .gradle .hg .hypothesis .jj .mypy_cache .next .nox .pytest_cache .ruff_cache .svn
    .terraform .tox .turbo .venv __pycache__ node_modules site-packages venv
    """
)
"""Folders of tools and installed packages, in which nobody keeps memory."""

STARTERS = _words(
    """
    a all always an any both do don't each either every everything for here if in it its most never no
    none not note on only our please see some that the there these they this those to we when whenever
    where you your
    """
)
"""Small words that are written with a capital only where a sentence starts, in lower case."""

RULE_PHRASES = _phrases(
    """
    never | always | must | shall | should | required | requires | mandatory | forbidden | prohibited |
    disallowed | not allowed | not permitted | ensure | make sure | be sure | need to | needs to | has to |
    have to | no longer use | at all costs | the only | only use | only allow | only via | only through |
    only for | only in | only on | only if | only when | only the | mustn't | shouldn't |
    may not | cannot be | can't be
    """
)
"""What makes a statement a rule wherever it stands."""

PREFERENCE_PHRASES = _phrases(
    """
    prefer | prefers | preferred | preferably | favor | favors | favour | favours | ideally | please |
    i like | i want | i prefer | i use | we like | we prefer | try to | where possible | when possible |
    if possible | nice to have | lean toward | lean towards | default to | user likes | user wants |
    user prefers | local only | locally only
    """
)
"""What makes a statement a preference: a rule that may bend."""

RULE_TOPICS = _words(
    """
    convention conventions rule rules guideline guidelines standard standards principle principles policy
    policies constraint constraints requirement requirements required style anti-pattern anti-patterns
    do don't don'ts must never always avoid allowed forbidden ask 规范 约定 规则
    """
)
"""Words in a lead-in that make rules of the fragments below it."""

PLAIN_TEXT = _words("text txt plain plaintext tree ascii output log none")
"""The names under which a fence holds no code: examples and output make no claims, trees do."""
