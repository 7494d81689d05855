"""What may not leave: secrets in claims and code, and files that the settings hold back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from modelkit import ModelServer
from pageskit import LOGS, RAISES, Asking, memory, pages

from memaudit.judges.model.masking import MASK, is_environment, mask

# Put together here, so that no scanner takes this file for a leak.
BODY = "Zq8Lm2Xc7Vb4Nt9Rw3Ky6Hj1Pd5Sf0Ga"
SECRETS = {
    "anthropic": ("", "sk-ant-api03-" + BODY),
    "openai": ("", "sk-proj-" + BODY),
    "github": ("", "ghp_" + BODY),
    "github fine": ("", "github_pat_" + BODY),
    "gitlab": ("", "glpat-" + BODY[:20]),
    "slack": ("", "xoxb-1234567890-" + BODY),
    "aws id": ("", "AKIA" + "QWERTZUIOPASDFGH"),
    "google": ("", "AIza" + BODY + "abc"),
    "stripe": ("", "sk_live_" + BODY),
    "npm": ("", "npm_" + BODY),
    "hugging face": ("", "hf_" + BODY),
    "jwt": ("", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"),
    "address": ("postgres://lend:{}@db.example:5432/lend", "tulip42"),
    "bearer": ("Authorization: Bearer {}", "abcdefgh1234"),
    "basic": ('"Authorization": "Basic {}"', "dXNlcjpwYXNz"),
    "quoted": ('DB_PASSWORD = "{}"', "tulip"),
    "single": ("client_secret: '{}'", "tulip-fields"),
    "json": ('{{"api_key": "{}"}}', "tulip-fields"),
    "camel": ('const accessToken = "{}"', "tulip-fields"),
    "call": ('connect(password="{}")', "tulip"),
    "argument": ('os.environ.setdefault("DB_PASSWORD", "{}")', "tulip"),
    "prose": ("The admin password is `{}`.", "tulip42"),
    "random": ("blob = '{}'", BODY + "QaWsEdRf+/12"),
}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_masked_and_what_is_around_it_stays(name: str) -> None:
    frame, secret = SECRETS[name]
    frame = frame or "use {} here"
    masked = mask(frame.format(secret), "src/app.py")
    assert secret not in masked
    assert masked == frame.format(MASK)


@pytest.mark.parametrize(
    ("path", "frame"),
    [
        ("a.py", 'password: str = "{}"'),
        ("a.py", 'password: "str" = "{}"'),
        ("a.py", 'def f(api_key: str | None = "{}"):'),
        ("a.ts", 'const apiKey: string = "{}";'),
        ("a.go", 'var password string = "{}"'),
        ("a.rs", 'const API_KEY: &str = "{}";'),
        ("a.rs", 'const API_KEY: &\'static str = "{}";'),
        ("a.kt", 'val password: String? = "{}"'),
        ("a.c", 'char password[64] = "{}";'),
        ("a.py", "db_pass = '{}'"),
        ("a.py", 'os.environ["DB_PASSWORD"] = "{}"'),
        ("a.js", 'const key = process.env.API_KEY || "{}"'),
        ("a.py", 'os.getenv("TOKEN") or "{}"'),
        ("a.py", 'password = SecretStr("{}")'),
        ("a.py", 'PASSWORD = """{}"""'),
        ("a.py", 'PASSWORD = (\n    "{}"\n)'),
        ("a.py", 'PASSWORD = \\\n    "{}"'),
        ("a.js", 'const apiKey =\n  "{}"'),
        ("a.py", 'body = "{{\\"password\\": \\"{}\\"}}"'),
        ("deploy.sh", "export DB_PASSWORD={}"),
        ("deploy.sh", "API_KEY={}"),
        ("deploy.sh", "mysql --password {} lend"),
        ("a.bat", "set API_KEY={}"),
        ("a.md", "DB_PASSWORD={}"),
        ("a.py", "# run with DB_PASSWORD={}"),
        ("a.sh", "curl -u lend:{} https://x.example"),
        ("Dockerfile", "ENV PGPASSWORD {}"),
        ("a.yml", "password: {}"),
    ],
)
def test_a_value_is_masked_however_it_is_given(path: str, frame: str) -> None:
    for secret in ("hunter2xyz", "Tr$ong9", "none-of-your-biz7", "Tr$ong<Pass9"):
        assert mask(frame.format(secret), path) == frame.format(MASK)


@pytest.mark.parametrize(
    ("path", "frame"),
    [
        ("a.yml", "password: |\n  {}\nnext: tulip\n"),
        ("a.yml", "- api_key: >-  # of the shop\n\n      {}\n  port: 1\n"),
        ("a.yml", '"password": |2+\n    {}'),
        ("a.yml", "db:\r\n  password: |\r\n    {}\r\n  port: 1\r\n"),
        ("a.yml", "password:\n  {}\nport: 1\n"),
        ("a.md", "```yaml\npassword: |\n  {}\n```\n"),
        ("a.py", 'TEXT = """\npassword: |\n  {}\n"""\n'),
        ("a.xml", "<password>{}</password>"),
        ("a.xml", "<db:password kind='x'>\n  {}\n</db:password>"),
        ("a.xml", "<apiKey><![CDATA[{}]]></apiKey>"),
        ("a.xml", '<property name="db.password">{}</property>'),
        ("a.xml", "<property><name>db.password</name>\n<value>{}</value></property>"),
        ("a.plist", "<key>password</key>\n<string>{}</string>"),
        ("A.java", 'String text = "<password>{}</password>";'),
        ("A.java", 'builder.password("{}")'),
        ("A.java", 'builder.setPassword("{}");'),
        ("a.rs", 'client.with_token(Some("{}"))'),
        ("a.php", "$client->apiKey('{}')"),
        ("a.kt", 'shop\n  .secret(\n    "{}"\n  )'),
        ("a.py", 'set_password(user, "{}")'),
        ("a.rs", 'request.basic_auth("lend", Some("{}"))'),
        ("build.gradle", "    password '{}'"),
    ],
)
def test_a_value_is_masked_apart_from_its_name(path: str, frame: str) -> None:
    for secret in ("hunter2xyz", "Tr$ong9", "none-of-your-biz7"):
        assert mask(frame.format(secret), path) == frame.format(MASK)


def test_every_line_of_a_block_is_masked_and_no_other() -> None:
    text = "a:\n  password: |\n    tulip\n\n      fields\n  port: 8080\nb: x\n"
    masked = f"a:\n  password: |\n    {MASK}\n\n      {MASK}\n  port: 8080\nb: x\n"
    assert mask(text, "a.yaml") == masked
    assert mask("<password>tulip\nfields</password>\n", "a.xml") == f"<password>{MASK}\n</password>\n"
    assert mask("A.setPassword('tulip ' +\n 'fields')", "a.js") == f"A.setPassword('{MASK}' +\n '{MASK}')"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yml", "password: |\n  ${DB_PASSWORD}\nport: 1\n"),
        ("a.yml", "secret:\n  name: shop\n  items:\n    - a\n"),
        ("a.yml", "token:\nport: 8080\n"),
        ("a.yml", "secrets:\n  - tulip\n"),
        ("a.yml", "description: |\n  Where the password comes from.\n"),
        ("a.py", "def f(\n    token:\n        str,\n): ...\n"),
        ("a.xml", "<password>${db.password}</password>"),
        ("a.xml", "<password/><port>8080</port>"),
        ("a.html", "<label>Password</label><p>Choose one.</p>"),
        ("a.tsx", "<Token>The words that are shown.</Token>"),
        ("a.tsx", "<Secret>{children}</Secret>"),
        ("a.java", 'request.getPassword("field")'),
        ("a.py", "is_token('name') or check_password('tulip')"),
        ("a.py", 'vault.secret("DB_PASSWORD")'),
        ("a.js", 'test.pass("it went well")'),
        ("a.py", "form.password(label)"),
        ("a.py", 'assert reader.token() == "word"'),
        ("a.py", "password 'is' no statement here"),
    ],
)
def test_what_only_looks_like_a_name_with_a_value_stays(path: str, text: str) -> None:
    assert mask(text, path) == text


def test_all_of_a_passphrase_is_masked() -> None:
    assert mask('PASSWORD = "correct horse, it\'s"', "a.py") == f'PASSWORD = "{MASK}"'
    assert mask('PASSWORD = ("tulip " \n "fields")', "a.py") == f'PASSWORD = ("{MASK}" \n "{MASK}")'
    assert mask("password: correct horse", "a.yaml") == f"password: {MASK}"
    assert mask('password = """tulip\nfields"""\nx = 1', "a.py") == f'password = """{MASK}\n"""\nx = 1'
    assert mask('password = "tulip', "a.py") == f'password = "{MASK}'


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yml", "password: ${DB_PASSWORD}"),
        ("a.yml", 'password: "${DB_PASSWORD}"'),
        ("a.yml", "token: ${{ secrets.TOKEN }}"),
        ("a.yml", "password: null"),
        ("a.sh", "export API_KEY=$OTHER_KEY"),
        ("a.sh", "TOKEN=$(cat token.txt)"),
        ("a.sh", 'curl -u "$USER_NAME:$USER_PASS" x'),
        ("a.bat", "set API_KEY=%OTHER_KEY%"),
        ("a.js", "const auth = { token: `Bearer ${token}` }"),
        ("a.py", 'password: str = os.environ["PASSWORD"]'),
        ("a.py", "def f(password: str | None = None, user: str = 'lend') -> None:"),
        ("a.py", "call(password=password, token=self.token)"),
        ("a.md", "token: str"),
        ("", "All tests pass: everything is there."),
    ],
)
def test_what_only_tells_where_a_value_comes_from_stays(path: str, text: str) -> None:
    assert mask(text, path) == text


@pytest.mark.parametrize(
    "text",
    [
        "password = os.environ['PASSWORD']",
        'token = os.environ["TOKEN"]',
        "password: ${DB_PASSWORD}",
        "def login(user: str, password: str) -> Token:",
        "max_tokens = 4096",
        'sort_key = "name"',
        '__all__ = ["Token", "Source"]',
        'NAMES = ("ACME_API_KEY", "FRONTEND_PORT")',
        "token = next(tokens)",
        "secret: true",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "src/memaudit/judges/model/evidence_packing_of_large_changes.py",
        "AVeryLongNameOfAFactoryThatMakesFactories",
        'raise ValueError("the password is wrong and must be typed again")',
        "https://user@example.com/path",
        "The key lives in `settings.API_KEY`.",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask(text, "src/app.py") == text


def test_values_of_configuration_files_need_no_quotes() -> None:
    text = "user: lend\npassword: tulip42\napi_key: tulip-fields\nport: 8080\n"
    masked = f"user: lend\npassword: {MASK}\napi_key: {MASK}\nport: 8080\n"
    assert mask(text, "conf/app.yaml") == masked


def test_a_private_key_loses_its_inside_and_keeps_its_lines() -> None:
    begin, end = "-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----"
    text = f"a\n{begin}\nMIIabc\nMIIdef\n{end}\nb\n"
    assert mask(text) == f"a\n{begin}{MASK}\n\n\n{end}\nb\n"
    assert "MII" not in mask(f"{begin}\nMIIabc\nMIIdef\n")
    assert mask(f"x = '{begin}\\nMIIabc\\n{end}'") == f"x = '{begin}{MASK}{end}'"


@pytest.mark.parametrize("name", [".env", ".env.local", "deploy/.env.example", ".envrc", "prod.env"])
def test_every_value_of_an_environment_file_is_masked(name: str) -> None:
    assert is_environment(name)
    text = "# PORT = old\nexport PORT=8080\nEMPTY=\nNAME = two words\n"
    assert mask(text, name) == f"# PORT ={MASK}\nexport PORT={MASK}\nEMPTY=\nNAME ={MASK}\n"


@pytest.mark.parametrize(
    "text",
    [
        "secret=" * 40_000,
        "password: '" * 30_000,
        "-----BEGIN PRIVATE KEY-----" * 10_000,
        "://a:" * 60_000,
        "eyJaaaaaaaa." * 25_000,
        "A1b" * 100_000,
        "bearer " * 40_000,
        "_" * 300_000 + "secret",
        " " * 300_000,
        "password: x" * 30_000,
        "password=`\\`" * 30_000,
        'password="""' * 20_000,
        "password (" * 30_000,
        "-u a" * 50_000,
        "password: | " * 30_000,
        "password: |\r" * 30_000,
        "<password>" * 30_000,
        "<password>a</passwor>" * 20_000,
        '<property name="password" ' * 20_000,
        "<key>password</key><string>" * 20_000,
        ".password(" * 30_000,
        ".password('" * 30_000,
        "- " * 150_000 + "password",
        "<password " * 30_000,
    ],
    ids=range(24),
)
def test_hostile_text_neither_holds_up_nor_loses_lines(text: str) -> None:
    lined = text.replace(" ", " \n")
    assert mask(lined, "a.yaml").count("\n") == lined.count("\n")
    assert mask(text, "a.yaml").count("\n") == 0


def asked(repo: Any, server: ModelServer, **values: Any) -> str:
    """All that was sent, as text."""
    made = Asking(repo.root, server.settings(**values))
    list(made.run().verdicts())
    return json.dumps(server.bodies, ensure_ascii=False)


def test_no_secret_of_claim_or_code_reaches_the_server(git_repo: Any, server: ModelServer) -> None:
    key, word = "ghp_" + BODY, "tulip-fields"
    notes = f"# Pages\n\n- `fetch_page` logs a missing page with token {key} and goes on.\n"
    git_repo.commit("log", {"CLAUDE.md": notes, "src/pages.py": pages(LOGS), ".env": "missing_page=tulip1\n"})
    code = RAISES + f"    api_key = '{word}'\n"
    git_repo.commit("raise", {"src/pages.py": pages(code), ".env": "missing_page=tulip2\nmissing=tulip3\n"})
    sent = asked(git_repo, server)
    assert "fetch_page" in sent
    assert f"api_key = '{MASK}'" in sent
    assert "missing=[masked]" in sent
    for secret in (BODY, word, "tulip1", "tulip2", "tulip3"):
        assert secret not in sent


def test_files_that_are_held_back_never_leave(git_repo: Any, server: ModelServer) -> None:
    before = {name: f"missing_page = 'old {name}'\n" for name in ("src/a.py", "inner/b.py", "keys/c.pem")}
    after = {name: f"missing_page = 'new {name}'\n" for name in before}
    git_repo.commit("log", {"CLAUDE.md": memory(), "src/pages.py": pages(LOGS), **before})
    git_repo.commit("raise", {"src/pages.py": pages(RAISES), **after})
    sent = asked(git_repo, server, ignore=("inner/",))
    assert "new src/a.py" in sent
    assert "b.py" not in sent
    assert "c.pem" not in sent
    server.bodies.clear()
    assert "b.py" in asked(git_repo, server, effort="high")


def test_claims_of_a_file_that_is_held_back_are_not_asked(
    asking: Callable[..., Asking], server: ModelServer
) -> None:
    made = asking(ignore=("CLAUDE.md",))
    assert (made.plan().open, made.plan().questions) == (4, [])
    assert list(made.run().verdicts()) == []
    assert server.bodies == []
