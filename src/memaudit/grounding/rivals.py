"""Families of rivals: formats, algorithms, libraries, calls of which code that does one thing needs one.

A member that code had, and that has gone while another of its family came in its place, shows that the
code now does the same thing another way. The names of a family are no synonyms of each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from memaudit.grounding.code import subwords


@dataclass(frozen=True)
class Member:
    """One of a family: how claims call it, and the words of identifiers or the form of code that show it.

    ``spelled`` members are also plain English, and are meant only in a code span.
    """

    family: str
    name: str
    words: frozenset[str]
    form: str = ""
    spelled: bool = False

    @cached_property
    def said(self) -> re.Pattern[str]:
        """What a claim calls it; longer names, paths and ``JSON-RPC`` are something else."""
        name = r"[- ]?".join(map(re.escape, self.name.split("-")))
        if self.spelled:
            return re.compile(rf"(?<=`)(?:\w+\.)?{name}!?(?:\(\))?(?=`)")
        return re.compile(rf"(?<![\w./@-]){name}(?![\w/]|-\w|\.\w)", re.IGNORECASE)

    @cached_property
    def _form(self) -> re.Pattern[str] | None:
        return re.compile(self.form) if self.form else None

    def stands_in(self, line: str) -> bool:
        """Whether a line of code shows it."""
        if self._form is not None:
            return bool(self._form.search(line))
        return not self.words.isdisjoint(subwords(line))


_FAMILIES: dict[str, str] = {
    "format": "json yaml=yaml,yml toml=toml,tomllib,tomli,tomlkit xml=xml,elementtree msgpack=msgpack,rmp"
    " pickle=pickle,cpickle csv protobuf=protobuf,proto,pb parquet avro cbor bson ron",
    "hash": "md5 sha-1=sha1 sha-256=sha256 sha-384=sha384 sha-512=sha512 blake2=blake2,blake2b,blake2s"
    " blake3 xxhash=xxhash,xxh64,xxh3 crc32 bcrypt argon2=argon2,argon2id scrypt pbkdf2",
    "signature": "hs256 hs512 rs256 rs512 es256 eddsa=eddsa,ed25519",
    "cipher": "aes chacha20 fernet",
    "encoding": "base64=base64,b64,b64encode,b64decode hex=hex,hexlify,hexdigest,unhexlify base32 base58",
    "compression": "gzip=gzip,gz,gunzip zstd=zstd,zstandard brotli lz4 bzip2=bz2,bzip2 snappy xz=xz,lzma",
    "database": "sqlite=sqlite,sqlite3,rusqlite,aiosqlite"
    " postgres=postgres,postgresql,psycopg,psycopg2,asyncpg,pgx,pg"
    " postgresql=postgres,postgresql,psycopg,psycopg2,asyncpg,pgx,pg mysql=mysql,pymysql,mysql2"
    " mongodb=mongo,mongodb,pymongo,mongoose duckdb rocksdb leveldb dynamodb boltdb=bolt,boltdb,bbolt",
    "cache": "redis=redis,ioredis,aioredis memcached=memcached,memcache valkey",
    "client": "httpx aiohttp axios undici superagent urllib=urllib,urllib2,urllib3 reqwest hyper ureq faraday"
    " httparty",
    "remote calls": "grpc graphql=graphql,gql websocket=websocket,websockets,ws thrift soap",
    "templates": "jinja2=jinja,jinja2 jinja=jinja,jinja2 mako handlebars=handlebars,hbs ejs mustache nunjucks"
    " liquid askama tera",
    "orm": "sqlalchemy peewee prisma typeorm drizzle sequelize knex gorm sqlx diesel",
    "arguments": "argparse click typer docopt optparse commander yargs cobra clap structopt",
    "validation": "zod joi yup valibot ajv pydantic marshmallow cerberus",
    "jobs": "celery dramatiq sidekiq resque bullmq rabbitmq=rabbitmq,pika,amqp,amqplib kafka=kafka,kafkajs"
    " sqs nats",
    "ids": "uuid=uuid,uuid4,uuid7,uuidv4 ulid nanoid cuid",
    "dates": "moment dayjs luxon pendulum arrow",
    "markup": "beautifulsoup=beautifulsoup,bs4 lxml selectolax cheerio jsdom",
    "browser": "selenium playwright puppeteer cypress",
    "state": "redux zustand mobx jotai recoil pinia vuex",
    "server": "flask fastapi django fastify koa hono axum actix",
}
"""Members by family, each with the words of identifiers that show it where they differ from its name."""

_ENGLISH = frozenset(
    "hex arrow moment click clap liquid tera hyper recoil commander cobra ron prisma drizzle diesel".split()
)

_CALLS = (
    Member(
        "process", "exec", frozenset(), r"(?<![\w.])(?:os\.)?exec[lv]?p?e?\s*[( ]\s*[\w*\"'\[]", spelled=True
    ),
    Member("process", "system", frozenset(), r"(?<!\w)system!?\s*\(", spelled=True),
    Member("process", "spawn", frozenset(), r"(?<!\w)spawn(?:Sync)?\s*\(", spelled=True),
    Member("process", "fork", frozenset(), r"(?<!\w)fork\s*[({]|(?<!\w)fork do\b", spelled=True),
    Member("process", "subprocess", frozenset(), r"\bsubprocess\.\w+|\bimport subprocess\b", spelled=True),
    Member("process", "popen", frozenset(), r"(?<!subprocess\.)\b[Pp]open[23]?e?\s*\(", spelled=True),
    Member(
        "client",
        "requests",
        frozenset(),
        r"\brequests\.(?:get|post|put|patch|delete|head|request|Session)\b|\bimport requests\b",
        spelled=True,
    ),
    Member("client", "fetch", frozenset(), r"(?<![\w.])fetch\s*\(", spelled=True),
    Member(
        "workers", "threads", frozenset(), r"\bthreading\b|Thread(?:Pool)?\w*\s*\(|thread::spawn|Thread\.new"
    ),
    Member("workers", "processes", frozenset(), r"\bmultiprocessing\b|Process(?:Pool)?\w*\s*\("),
    Member("order", "ascending", frozenset(), r"\bASC\b|\basc\b|\bascending\b|reverse\s*=\s*False|\.asc\("),
    Member(
        "order", "descending", frozenset(), r"\bDESC\b|\bdesc\b|\bdescending\b|reverse\s*=\s*True|\.desc\("
    ),
)


def _read() -> Iterator[Member]:
    for family, entries in _FAMILIES.items():
        for entry in entries.split():
            name, _, words = entry.partition("=")
            known = frozenset((words or name).split(","))
            yield Member(family, name, known, spelled=name in _ENGLISH)
    yield from _CALLS


MEMBERS: tuple[Member, ...] = tuple(_read())
"""Every member of every family."""


_STARTS = tuple((member.name.partition("-")[0], member) for member in MEMBERS)


def said_in(text: str) -> Iterator[tuple[Member, re.Match[str]]]:
    """The members that a claim names, and where."""
    lowered = text.lower()
    for member in [member for start, member in _STARTS if start in lowered]:
        if match := member.said.search(text):
            yield member, match


def rivals(member: Member) -> list[Member]:
    """The others of its family that it is no other name of."""
    return [
        item
        for item in MEMBERS
        if item.family == member.family and item.name != member.name and not (item.words & member.words)
    ]
