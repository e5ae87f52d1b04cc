# SPDX-License-Identifier: MIT
"""Asks a License Manager server whether a licence holds on this computer, and answers without connection from what it
kept. ../README.md describes it, ../../docs/offline.md the token. One file: copy it. Python 3.9 and `cryptography`."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import math
import os
import platform
import re
import secrets
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timezone
from http.client import HTTPResponse
from typing import Any, Callable, Mapping, Sequence, TypedDict, Union, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

VERSION = "0.4.0"
USER_AGENT = f"license-manager-python/{VERSION}"
MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
AHEAD_SECONDS = 5 * MINUTE
# What a start counts whose clock is not later than at the last check.
START_SECONDS = 10 * MINUTE
# How long check_cached answers with a refusal.
REFUSAL_SECONDS = MINUTE
ANSWER_BYTES = 64 * 1024
FILE_BYTES = 64 * 1024
STORE_BYTES = 1024 * 1024
NAME_MAX = 200
# The records of one call, the calls that one check makes for them, and the size above which none is added.
RECORDS_MAX = 100
SENDINGS_MAX = 20
QUEUE_BYTES = 4 * 1024 * 1024
AMOUNT_MAX = 1_000_000_000
INSTANT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
BEGIN = "-----BEGIN LICENSE FILE-----"
END = "-----END LICENSE FILE-----"
PATHS = {
    "validate": "/licenses/api/license/validate/",
    "activate": "/licenses/api/installations/",
    "heartbeat": "/licenses/api/installation/heartbeat/",
    "release": "/licenses/api/installations/release/",
    "portal": "/licenses/api/portal/ticket/",
    "usage": "/licenses/api/usage/",
    "trial": "/licenses/api/trial/",
}
# An address that a program may open: it ends in a browser, perhaps through a shell.
PORTAL_ADDRESS = re.compile(
    r"(https?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/[A-Za-z0-9/._~?#=-]{1,500}"
)
REASONS_OFFLINE = {"expired": "offline_expired", "clock_back": "clock_back", "future": "future"}
# The detail by the step that a token failed; of an answer "not_the_server", of a file "file_damaged" otherwise.
DETAILS_OF_ANSWER = {"unknown_key": "wrong_key", "signature": "wrong_key"}
DETAILS_OF_FILE = {
    "unknown_key": "wrong_key",
    "audience": "file_other_software",
    "machine": "file_other_machine",
    "key_hash": "file_other_key",
}
# The details that say what is wrong with a key or a file, beside those of a file.
KEY_DETAILS = ("wrong_key", "key_signs")
# What the log says beside each code.
LOG = {
    "dns": "the name of the server is not found",
    "tls": "no secure connection",
    "proxy": "the proxy cannot be reached, or refuses",
    "timeout": "no whole answer in time",
    "unreachable": "no connection",
    "rate_limited": "too many questions (429)",
    "server_error": "the server has a fault (5xx)",
    "not_the_server": "an answer without a token for this question",
    "wrong_key": "a token of none of the program's keys",
    "file_missing": "there is no licence file",
    "file_unreadable": "the licence file cannot be read",
    "file_damaged": "the licence file is none, or was changed",
    "file_other_machine": "the licence file is of another computer",
    "file_other_software": "the licence file is of another software",
    "file_other_key": "the licence file is of another key",
    "store_denied": "no permission to use the store",
    "store_full": "no space for the store",
    "store_failed": "the store cannot be used",
    "clock_back": "the clock is earlier than at the last check",
    "clock_still": "the clock stands still, the time went on by what was measured",
    "clock_file": "a newer licence file set the time anew",
    "use_refused": "a use was refused",
    "callback": "on_change raised",
}

_Path = Union[str, "os.PathLike[str]"]
# A call of the program's own: url, body, headers, timeout -> status, headers, body.
Transport = Callable[[str, bytes, "dict[str, str]", float], "tuple[int, Mapping[str, str], bytes]"]


class Key(TypedDict):
    """A public key, a constant of the program: its parts in base64url, as in the JWK."""

    kid: str
    x: str
    y: str


@dataclass
class Result:
    """What a check returns. `days_left` is None for a licence without an end; `next_check` are seconds."""

    ok: bool
    reason: str | None
    offline: bool
    days_left: int | None = 0
    features: dict[str, Any] = field(default_factory=lambda: {})
    expires_at: datetime | None = None
    in_grace: bool = False
    grace_until: datetime | None = None
    offline_until: datetime | None = None
    type: str | None = None
    status: str | None = None
    next_check: int = HOUR
    updates_until: str | None = None
    # Only of the first result of `start`: it comes from what was kept, and that of the check follows.
    pending: bool = False
    # When a floating seat is free, if nobody gives one back before; only of `installation_limit`.
    seat_free_at: datetime | None = None
    # Why there is no fresh verdict, or why `reason`; and why the store cannot be used (../README.md lists the codes).
    detail: str | None = None
    store_error: str | None = None
    # Uses that the server refused since the last result: code, amount, reason.
    refused_uses: list[dict[str, Any]] = field(default_factory=lambda: [])

    def message(self, language: str = "es") -> str:
        """The text for the program's user, in Spanish ("es") or English ("en"): what happened and what to do. Empty
        where all is well."""
        texts = MESSAGES["en" if language == "en" else "es"]
        now = time.time()
        because = texts.get(f"detail_{self.detail}")
        store = texts.get(f"store_{self.store_error}")
        if self.ok:
            return self._warning(texts, now, because, store)
        reason, detail = self.reason or "", self.detail or ""
        said = [texts.get(reason) or texts["unknown"].replace("{reason}", reason)]
        is_of_key = detail in KEY_DETAILS or detail.startswith("file_")
        if because and (reason in ("no_connection", "unverified") or (reason == "not_found" and is_of_key)):
            said = [because]
        elif reason == "expired" and self.offline:
            said = [texts["expired_offline"]]
        elif because and reason == "offline_expired":
            said = [texts["offline_expired_because"], because]
        if store and reason in ("no_connection", "unverified", "offline_expired"):
            said.append(store)
        return " ".join(said)

    def _warning(self, texts: dict[str, str], now: float, because: str | None, store: str | None) -> str:
        if self.in_grace:
            left = self.grace_until.timestamp() - now if self.grace_until else 0
            return texts["grace_days"].replace("{days}", str(int(left // DAY))) if left >= 2 * DAY else texts["grace"]
        is_away = self.offline and not self.pending
        left = self.offline_until.timestamp() - now if is_away and self.offline_until else 2 * DAY
        if left >= 2 * DAY:
            return store or ""
        hours = str(max(1, int(-(-left // HOUR))))
        if because:
            return f"{texts['offline_ends_because'].replace('{hours}', hours)} {because}"
        return texts["offline_ends"].replace("{hours}", hours)


@dataclass
class Program:
    """What a token is judged by."""

    keys: Sequence[Key]
    software: str
    machine_id: str
    license_key: str = ""
    # The hash of the key of a file that decides without a key.
    key_hash: str | None = None
    # The day on which this build came out, such as 2026-11-21.
    released_on: str = ""


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _sha256(text: str) -> str:
    return hashlib.sha256(_utf8(text)).hexdigest()


def _counted(key: str) -> str:
    """What counts of a key, however it is typed."""
    return re.sub(r"[^!-~]|-", "", key).upper()


def _key_hash(key: str) -> str:
    return _sha256(_counted(key))


def _has_wrong_signs(key: str) -> bool:
    """Whether a key has the length of those made by the server, and a sign that they never have."""
    return re.fullmatch(r"(?=.*[0O1I])[A-Z0-9]{25}", _counted(key)) is not None


def _cut(text: str, most: int) -> str:
    """A text cut by characters, without halves of one, which names of a system may have."""
    return _utf8(text).decode()[:most]


def _bytes_of(text: str) -> bytes | None:
    """The bytes of a base64url text; None for another text."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", text) or len(text) % 4 == 1:
        return None
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _object_of(text: str | bytes) -> dict[str, Any] | None:
    """The JSON object in a text or in bytes; None for anything else."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _objects_in(value: Any) -> list[dict[str, Any]]:
    """The JSON objects in a list; none where it is no list."""
    found = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", one) for one in found if isinstance(one, dict)]


def _part_of(text: str) -> dict[str, Any] | None:
    content = _bytes_of(text)
    return None if content is None else _object_of(content)


def _token_of_file(text: str) -> str:
    """The token in the text of a licence file, whatever stands around it; an empty text where there is none."""
    _before, begin, rest = text.partition(BEGIN)
    token, end, _after = rest.partition(END)
    return re.sub(r"\s", "", token) if begin and end else ""


def _public_key(key: Key) -> ec.EllipticCurvePublicKey:
    """Raises ValueError for what is no point of P-256."""
    x, y = (int.from_bytes(_bytes_of(part) or b"", "big") for part in (key["x"], key["y"]))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def _is_public_key(key: Key) -> bool:
    """Whether a key of the options can be one. Another one would refuse every answer later."""
    try:
        return bool(key["kid"] and _public_key(key))
    except (KeyError, TypeError, ValueError):
        return False


def _is_signed(content: str, signature: bytes, key: Key) -> bool:
    try:
        public_key = _public_key(key)
        r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
        public_key.verify(encode_dss_signature(r, s), _utf8(content), ec.ECDSA(SHA256()))
        return True
    except (InvalidSignature, ValueError):
        return False


def _is_answer_to(role: str, claims: dict[str, Any]) -> bool:
    """Whether a token may stand where it does: as the answer to a call, in a file, or as the last word that was kept."""
    call = claims.get("call")
    if role != "stored":
        return call == role
    return call in ("activate", "heartbeat") or (call == "validate" and claims.get("valid") is not True)


def _read_token(token: str, role: str, program: Program) -> dict[str, Any] | str:
    """Steps 1 to 11 of docs/offline.md, for every token. The role is the call that was made, "stored" or "file".
    Returns the claims, or the error."""
    parts = token.split(".")
    header = _part_of(parts[0])
    if len(parts) != 3 or header is None:
        return "malformed"
    # The program decides the algorithm. A header that may choose it allows none, and HS256 with the public key.
    if header.get("alg") != "ES256":
        return "algorithm"
    if header.get("typ") != ("license-file+jwt" if role == "file" else "license+jwt"):
        return "type"
    key = next((key for key in program.keys if key["kid"] == header.get("kid")), None)
    if key is None:
        return "unknown_key"
    signature = _bytes_of(parts[2])
    if signature is None or len(signature) != 64 or not _is_signed(f"{parts[0]}.{parts[1]}", signature, key):
        return "signature"
    claims = _part_of(parts[1])
    if claims is None:
        return "malformed"
    if claims.get("aud") != program.software:
        return "audience"
    if claims.get("mid") != _sha256(program.machine_id):
        return "machine"
    # Without these a relay answers with the server's own words about another key, or about another call.
    if claims.get("key_hash") != (program.key_hash or _key_hash(program.license_key)):
        return "key_hash"
    if not _is_answer_to(role, claims):
        return "call"
    if claims.get("valid") is True and claims.get("seat") is not True:
        return "seat"
    return _for_build(claims, program.released_on)


def _for_build(claims: dict[str, Any], released_on: str) -> dict[str, Any]:
    """A valid token refuses a build that came out after the last day of updates; older ones it lets run."""
    until = claims.get("updates_until")
    if claims.get("valid") is not True or not released_on or not isinstance(until, str) or released_on <= until:
        return claims
    return {**claims, "valid": False, "reason": "updates_ended"}


def _refuses_build(claims: dict[str, Any]) -> bool:
    """Whether claims are the server's own refusal of a build; those of `_for_build` are valid for an older one."""
    return claims.get("valid") is not True and claims.get("reason") == "updates_ended"


def _is_for_newer(claims: dict[str, Any], released_on: str) -> bool:
    """Whether such a refusal was for a newer build than this one."""
    until = claims.get("updates_until")
    is_day = isinstance(until, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", until) is not None
    return _refuses_build(claims) and is_day and not (released_on and released_on > str(until))


_Use = dict[str, Any]


@dataclass
class _Sent:
    """The files with uses, and the ids that were answered: they go once a verdict that knows of them was kept."""

    files: dict[str, list[_Use]]
    answered: set[str]
    is_more: bool = False


@dataclass
class _Kept:
    """What the store holds: whose token it is (the key's hash), the token, and what is known of the time."""

    license: str = ""
    token: str = ""
    mark: int | None = None
    clock: int | None = None
    back: int = 0
    leap: int = 0
    issued: int | None = None
    run: str = ""
    ticks: int | None = None
    # Beside the refusal of a newer build: the good token from before, for an older one.
    before: str = ""


@dataclass
class _Counter:
    """A counter of seconds that nobody sets. `run` names it: numbers of one run can be compared."""

    run: str
    ticks: float


@dataclass
class _Time:
    """What the program knows of the time (docs/offline.md, The clock). `least` is the mark with the time that was
    measured since, None where there is no mark; `back` and `leap` are the seconds of the clock's steps back and ahead."""

    clock: int
    least: int | None
    back: int = 0
    leap: int = 0


def _time_of(store: _Kept, mark: int | None, clock: int, counter: _Counter) -> tuple[_Time, str | None]:
    """What is known of the time now, and the rule of the clock that bites."""
    ticks, last = int(counter.ticks), store.ticks
    measured = ticks - last if last is not None and store.run == counter.run and ticks >= last else None
    stands_still = measured is None and store.clock is not None and clock <= store.clock
    passed = START_SECONDS if stands_still else measured or 0
    step = 0 if store.clock is None else clock - store.clock
    least = None if mark is None else mark + passed
    bites = None
    if step < 0:
        bites = "clock_back"
    elif least is not None and passed - step > MINUTE:
        bites = "clock_still"
    return _Time(clock, least, store.back + max(0, -step), store.leap), bites


def _time_by_file(file: dict[str, Any] | None, issued: int | None, known: _Time) -> _Time:
    """The same without the leaps of the clock, where a file needs that and was issued after every token that decided
    before. No time comes back that was lived through: the mark without its leaps stays."""
    if file is None or file["iat"] <= (-1 if issued is None else issued) or _judge_time(file, known)[1] is None:
        return known
    mark = file["iat"] if known.least is None else known.least
    anew = _Time(known.clock, max(file["iat"], mark - known.leap))
    return anew if _judge_time(file, anew)[1] is None else known


def _time_after(store: _Kept, known: _Time, now: int, best: dict[str, Any] | None, first: dict[str, Any]) -> _Kept:
    """What is kept after a check. `best` is what decided, None where nothing passed."""
    ahead = now - (first["iat"] if known.least is None else known.least)
    leap = known.leap + (ahead if ahead > DAY else 0)
    if best is not None and best["iat"] > (-1 if store.issued is None else store.issued):
        return replace(store, mark=now, back=0, leap=leap, issued=best["iat"])
    return replace(store, mark=now, back=known.back, leap=leap)


def _key_hash_in(token: str) -> str:
    """The hash of the key that a token names, before anything of it is checked; an empty text where there is none."""
    parts = token.split(".")
    key_hash = (_part_of(parts[1]) or {}).get("key_hash") if len(parts) == 3 else None
    return key_hash if isinstance(key_hash, str) else ""


def _judge_time(claims: dict[str, Any], known: _Time) -> tuple[int | None, str | None]:
    """Steps 12 to 14, for a token that was kept or stands in a file. Returns now and the error, each perhaps None."""
    mark = known.clock if known.least is None else known.least
    if known.back > DAY or known.clock < mark - DAY:
        return None, "clock_back"
    now = max(known.clock, mark)
    if claims["iat"] > now + AHEAD_SECONDS:
        return None, "future"
    return now, "expired" if now >= claims["exp"] else None


def judge(
    kind: str, text: str, program: Program, call: str | None, nonce: str | None, clock: int, mark: int | None
) -> dict[str, Any]:
    """Judges one token as docs/offline.md says. The tests use it; a program uses License."""
    role = call or "" if kind == "fresh" else kind
    claims = _read_token(_token_of_file(text) if kind == "file" else text, role, program)
    if isinstance(claims, str):
        return {"accepted": False, "error": claims}
    if kind == "fresh":
        mark, error = claims["iat"], None if claims.get("nonce") == nonce else "nonce"
    else:
        mark, error = _judge_time(claims, _Time(clock, mark))
    if error is not None:
        return {"accepted": False, "error": error}
    return {"accepted": True, "valid": claims["valid"] is True, "reason": claims["reason"], "mark": mark}


def _instant_of(value: Any) -> datetime | None:
    """An instant as it stands in a token; None for anything else."""
    if not isinstance(value, str) or re.fullmatch(INSTANT, value) is None:
        return None
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return None


def _days_until(end: datetime | None, now: int, offset: Any) -> int | None:
    """Whole days of the vendor's calendar until the licence ends, as the console counts them."""
    if end is None:
        return None
    seconds = int(end.timestamp())
    if type(offset) is not int:
        return max(0, (seconds - now) // DAY)
    return max(0, (seconds + offset) // DAY - (now + offset) // DAY)


def _result_of(claims: dict[str, Any], now: int, offline: bool) -> Result:
    """What the program is told of a verdict. `now` is the mark after the check."""
    is_valid, end = claims["valid"] is True, _instant_of(claims.get("license_expires"))
    in_grace = is_valid and end is not None and (claims.get("in_grace") is True or now > end.timestamp())
    half = (claims["exp"] - claims["iat"]) // 2 if is_valid else 0
    return Result(
        ok=is_valid,
        reason=None if is_valid else claims["reason"],
        offline=offline,
        days_left=_days_until(end, now, claims.get("utc_offset")) if is_valid else 0,
        features=claims["features"] or {} if is_valid else {},
        expires_at=end,
        in_grace=in_grace,
        grace_until=_instant_of(claims.get("usable_until")) if in_grace else None,
        offline_until=datetime.fromtimestamp(claims["exp"], timezone.utc) if is_valid else None,
        type=claims.get("license_type"),
        status=claims.get("status"),
        next_check=min(HOUR, half) if half > 0 else HOUR,
        updates_until=claims.get("updates_until"),
    )


def _ended(claims: dict[str, Any], error: str, now: int | None) -> Result:
    """What is said of a token that has ended: where the licence itself has ended too, that."""
    end = _instant_of(claims.get("usable_until")) or _instant_of(claims.get("license_expires"))
    if error == "expired" and now is not None and end is not None and end.timestamp() <= now:
        return _result_of({**claims, "valid": False, "reason": "expired"}, now, True)
    return Result(False, REASONS_OFFLINE[error], True)


def _waiting_for_seat(result: Result, asked: _Asked) -> Result:
    """The refusal of a floating licence without a free seat: when one is free, and to ask again then, at least each
    minute."""
    if result.reason != "installation_limit" or asked.claims is None or asked.seat_free_at is None:
        return result
    # By the server's clock: that of the computer may be wrong.
    seconds = math.ceil(asked.seat_free_at.timestamp()) - asked.claims["iat"]
    return replace(result, seat_free_at=asked.seat_free_at, next_check=min(MINUTE, max(1, seconds)))


def _text_in(content: bytes) -> str:
    """The text in the bytes of a file: UTF-8, or UTF-16 with a byte order mark."""
    is_wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    return content.decode("utf-16" if is_wide else "utf-8-sig", "replace")


def _read(path: _Path, most: int = -1) -> str:
    """The text in the first bytes of a file. Raises OSError or ValueError."""
    with open(path, "rb") as file:
        return _text_in(file.read(most))


def _read_store(path: str) -> dict[str, Any]:
    """What a store holds; nothing where it is no JSON, or larger than any store. Raises OSError or ValueError."""
    with open(path, "rb") as file:
        content = file.read(STORE_BYTES + 1)
    return _object_of(_text_in(content)) or {} if len(content) <= STORE_BYTES else {}


def _file_text(path: _Path, most: int = -1) -> str:
    try:
        return _read(path, most)
    except (OSError, ValueError):
        return ""


def _write_file(path: str, text: str) -> str | None:
    """Writes a text beside the file and renames it, in a folder that is made. Returns why it failed, or None."""
    draft = f"{path}.{secrets.token_hex(16)}"
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
        return None
    except (OSError, ValueError) as error:
        try:
            os.remove(draft)
        except (OSError, ValueError):
            pass
        return _store_error_of(error)


def _append(path: str, line: str) -> str | None:
    """Adds a line to a file, in a folder that is made. Returns why it failed, or None."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        while True:
            with open(path, "ab", buffering=0) as file:
                if file.tell() > QUEUE_BYTES:
                    return "full"
                # A line of its own even where the one before was torn.
                data = f"\n{line}\n".encode()
                while data:
                    data = data[file.write(data) or 0 :]
                written = os.fstat(file.fileno())
            # Who sends the file gave it another name meanwhile, and may have read it before: once more, with the same id.
            try:
                if os.path.samestat(written, os.stat(path)):
                    return None
            except FileNotFoundError:
                pass
    except (OSError, ValueError) as error:
        return _store_error_of(error)


def _usage_files(store: str) -> list[str]:
    """The files with uses: `<store>.usage`, and those that got a name of their own to be sent."""
    folder, name = os.path.split(f"{store}.usage")
    own = re.compile(re.escape(name) + r"(\.[0-9a-f]{32}|\.sending)?")
    try:
        return sorted(os.path.join(folder, file) for file in os.listdir(folder or ".") if own.fullmatch(file))
    except (OSError, ValueError):
        return []


def _uses_in(text: str) -> list[_Use]:
    """What was used, by the lines of a file. A line that was torn is none, nor is one that no use can be: the server
    would refuse the others with it."""

    def is_one(use: _Use) -> bool:
        id, clock = use.get("id"), use.get("clock")
        is_id = isinstance(id, str) and re.fullmatch(r"[0-9a-f]{32}", id) is not None
        is_time = type(clock) is int and 0 <= clock < 2**53
        return is_id and is_time and _is_use(use.get("code"), use.get("amount"))

    return [use for use in map(_object_of, text.split("\n")) if use and is_one(use)]


def _left_in(claims: dict[str, Any], is_file: bool, code: str, now: int, uses: list[_Use]) -> tuple[int | None, bool]:
    """What is left of a meter, and whether what is beyond is refused. After its reset all of it is left, but the last
    period of a licence begins anew only with a renewal. Of a file what was used before it counts only where the meter
    never begins anew."""
    meter = next((one for one in _objects_in(claims.get("meters")) if one.get("code") == code), None)
    if meter is None or type(meter.get("limit")) is not int or type(meter.get("remaining")) is not int:
        return None, False
    reset, end = _instant_of(meter.get("resets_at")), _instant_of(claims.get("license_expires"))
    is_reset = reset is not None and now >= reset.timestamp() and (end is None or reset < end)
    since = reset.timestamp() if is_reset and reset else claims["iat"] if is_file and reset is not None else 0
    waiting = {use["id"]: use["amount"] for use in uses if use["code"] == code and use["clock"] >= since}
    left = meter["limit" if is_reset else "remaining"] - sum(waiting.values())
    return max(0, left), meter.get("overage") == "refuse"


def _use_in(claims: dict[str, Any], request_id: str) -> dict[str, Any]:
    """What a token says of a use; nothing where it says nothing."""
    found = [one for one in _objects_in(claims.get("uses")) if one.get("request_id") == request_id]
    return found[0] if found else {}


def _is_use(code: object, amount: object) -> bool:
    is_amount = type(amount) is int and 1 <= amount <= AMOUNT_MAX
    return is_amount and isinstance(code, str) and re.fullmatch(r"[a-z0-9_]{1,50}", code) is not None


def _store_error_of(error: Exception) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "denied"
    return "full" if code in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)) else "failed"


def _system_id() -> str:
    """The system's own id of this computer, never a network address; empty where none can be read."""
    try:
        if sys.platform == "win32":
            import winreg

            access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography", 0, access) as key:
                return str(winreg.QueryValueEx(key, "MachineGuid")[0]).strip()
        if sys.platform == "darwin":
            command = ["ioreg", "-rd1", "-c", "IOPlatformExpertDevice"]
            output = subprocess.run(command, capture_output=True, text=True, timeout=5).stdout
            found = re.search(r'"IOPlatformUUID" = "([^"]+)"', output)
            return found.group(1) if found else ""
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    for path in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        text = _file_text(path).strip()
        if text not in ("", "uninitialized"):
            return text
    return ""


def _system_counter() -> _Counter:
    """That of the system since it was started. Linux has it in a file, which a faked clock of the process does not
    reach."""
    boot = _file_text("/proc/sys/kernel/random/boot_id").strip()
    uptime = re.match(r"\d+(\.\d+)?", _file_text("/proc/uptime"))
    if boot and uptime:
        return _Counter(boot, float(uptime.group()))
    return _Counter("system", time.monotonic())


@dataclass
class _Answer:
    """What came back of a call. Without an answer the status is 0, and `detail` says why."""

    status: int = 0
    body: bytes = b""
    detail: str = ""
    retry_after: int = 0


@dataclass
class _Asked:
    """What a call brought: token and claims of its verdict, or a reason with its detail. `code` is what an answer
    without a token says of itself; it is not signed."""

    token: str = ""
    claims: dict[str, Any] | None = None
    reason: str = "no_connection"
    detail: str | None = None
    code: str = ""
    status: int = 0
    retry_after: int = 0
    seat_free_at: datetime | None = None


class _AnyAnswer(urllib.request.HTTPErrorProcessor):
    """Leaves every status to the caller: no redirect is followed, and no status raises."""

    def http_response(self, request: urllib.request.Request, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response


def _send(url: str, body: bytes, headers: dict[str, str], timeout: float) -> tuple[int, Mapping[str, str], bytes]:
    """The transport of a program that has none of its own."""
    deadline = time.monotonic() + timeout
    opener = urllib.request.build_opener(_AnyAnswer)
    with opener.open(urllib.request.Request(url, body, headers), timeout=timeout) as response:
        answer = b""
        while len(answer) <= ANSWER_BYTES:
            if time.monotonic() > deadline:
                raise TimeoutError
            chunk = response.read1(ANSWER_BYTES)
            if not chunk:
                break
            answer += chunk
        return response.status, response.headers, answer


def _is_of_portal(url: object, asked: str) -> bool:
    """Whether a program may open this address: by http only on this computer, or at the host that it asked by http itself."""
    address = PORTAL_ADDRESS.fullmatch(url) if isinstance(url, str) else None
    if address is None or address[1] == "https":
        return address is not None
    server = PORTAL_ADDRESS.fullmatch(asked)
    is_asked_host = server is not None and server[1] == "http" and server[2].lower() == address[2].lower()
    return is_asked_host or address[2] in ("localhost", "127.0.0.1", "[::1]")


def _is_proxied(server: str) -> bool:
    parts = urlsplit(server)
    return parts.scheme in urllib.request.getproxies() and not urllib.request.proxy_bypass(parts.hostname or "")


def _network_detail(error: BaseException, server: str) -> str:
    """The detail of a call that brought no answer. A transport of the program may raise what its library makes of the
    error of the system."""
    causes: list[Any] = [error]
    while isinstance(causes[-1], BaseException) and len(causes) < 9:
        last = causes[-1]
        causes.append(last.reason if isinstance(last, URLError) else last.__cause__ or last.__context__)

    def some(*kinds: type[BaseException]) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if some(TimeoutError, socket.timeout):
        return "timeout"
    if some(ssl.SSLError):
        return "tls"
    if any("Proxy" in type(cause).__name__ or "Tunnel connection failed" in str(cause) for cause in causes):
        return "proxy"
    # The system raises a URLError until the question is sent: to a proxy that is not there, or refuses the tunnel.
    if isinstance(error, URLError) and _is_proxied(server):
        return "proxy"
    return "dns" if some(socket.gaierror) else "unreachable"


def _detail_of_status(status: int) -> str | None:
    """The detail that a status says by itself."""
    return {407: "proxy", 429: "rate_limited"}.get(status, "server_error" if status >= 500 else None)


def _refused(answer: _Answer, body: Mapping[str, Any], detail: str) -> _Asked:
    """What an answer says that brings nothing that counts; the detail is for one whose status says none."""
    detail = _detail_of_status(answer.status) or detail
    if answer.status in (407, 429) or answer.status >= 500:
        return _Asked(detail=detail, status=answer.status, retry_after=answer.retry_after)
    code = body.get("code")
    is_code = isinstance(code, str) and not isinstance(body.get("token"), str) and re.fullmatch(r"[a-z_]{1,50}", code)
    return _Asked(reason="unverified", detail=detail, code=str(code) if is_code else "", status=answer.status)


@dataclass
class _Last:
    """The last result of a key, with the counter when it was found and the time that is left of `offline_until`."""

    key_hash: str
    result: Result
    counter: _Counter
    lasts: float

    def is_younger(self, key_hash: str, counter: _Counter, seconds: float) -> bool:
        """Whether this is of the key, and holds, and was found less than these seconds ago."""
        age = counter.ticks - self.counter.ticks
        return self.key_hash == key_hash and self.counter.run == counter.run and 0 <= age < min(seconds, self.lasts)


class _Flight:
    """A check that several callers wait for."""

    def __init__(self) -> None:
        self.has_landed = threading.Event()
        self.result: Result | None = None


class License:
    """The licence of this program on this computer. The constructor raises ValueError for a wrong option."""

    # Why the last release was refused, and its detail; both None where it was not.
    release_reason: str | None = None
    release_detail: str | None = None
    # Why the last portal_url gave none, and its detail; both None where it gave one.
    portal_reason: str | None = None
    portal_detail: str | None = None
    # Why the last start_trial gave no key, or why its trial may not be used; and the detail of a call without an answer.
    trial_reason: str | None = None
    trial_detail: str | None = None

    def __init__(
        self, server: str, software: str, keys: Sequence[Key], store: _Path,
        file: _Path | None = None, machine_id: str | None = None,
        machine_name: str | None = None, app_version: str | None = None, timeout: float = 5,
        clock: Callable[[], float] = time.time, uptime: Callable[[], float] | None = None,
        instance: str | None = None, log: Callable[[str, str], object] | None = None,
        released_on: str | None = None, transport: Transport | None = None,
    ) -> None:  # fmt: skip
        if not re.match(r"https?://[^/]", server or ""):
            raise ValueError("server: an address with https:// is needed")
        if not (software or "").strip():
            raise ValueError("software: the code of the software is needed")
        if not store:
            raise ValueError("store: the path of a file is needed")
        if not keys or not all(_is_public_key(key) for key in keys):
            raise ValueError("keys: public keys of P-256 with kid, x and y are needed")
        if not timeout > 0:
            raise ValueError("timeout: seconds, more than 0")
        self._instance, given_id = (instance or "").strip(), (machine_id or "").strip()
        if self._instance and given_id:
            raise ValueError("instance: not together with machine_id")
        if released_on and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", released_on):
            raise ValueError("released_on: a day as 2026-11-21")
        if transport is not None and not callable(transport):
            raise ValueError("transport: a function is needed")
        self._transport = transport
        self._server, self._store, self._file = server.rstrip("/"), str(store), file
        self._program = Program(list(keys), software, given_id, released_on=released_on or "")
        self._named = {"machine_name": _cut(machine_name or platform.node(), NAME_MAX)}
        self._about = {"os": _cut(f"{platform.system()} {platform.release()}", 100)}
        if app_version is not None:
            self._about["app_version"] = app_version
        if released_on:
            self._about["released_on"] = released_on
        self._timeout, self._clock, self._uptime, self._log = timeout, clock, uptime, log
        self._unwritten: _Kept | None = None
        self._store_error: str | None = None
        self._last: _Last | None = None
        # Those of the last result, also of a pending one.
        self._features: dict[str, Any] = {}
        # Uses that the server refused, for the next result.
        self._refused: list[dict[str, Any]] = []
        # Ids of consumptions that were not answered: asked again, they count once.
        self._unanswered: list[_Use] = []
        # The key that was checked last.
        self._key = ""
        # What was kept, as texts, and its claims that say what is left.
        self._kept: tuple[tuple[str, ...], dict[str, Any], bool] = ((), {}, False)
        # What was sent in this check.
        self._sent: _Sent | None = None
        # Held while a use is decided about and written.
        self._uses = threading.Lock()
        # Held by a whole call.
        self._calls = threading.Lock()
        # Held while the store is read and written, or the id of this computer found; nobody waits for the server with it.
        self._files = threading.RLock()
        # Held for a moment, for what check_cached and start know.
        self._state = threading.Lock()
        self._flights: dict[str, _Flight] = {}
        self._stopped: threading.Event | None = None

    def check(self, key: str) -> Result:
        """Whether the program may run with this key; without one, by the licence file alone. Never raises."""
        with self._calls:
            return self._check((key or "").strip())

    def check_cached(self, key: str, seconds: float) -> Result:
        """The last result of this key where it is younger than these seconds, else a check, which callers who come
        meanwhile share or, with an older result that still holds, do not wait for. Never raises."""
        key = self._key = (key or "").strip()
        key_hash = _key_hash(key)
        with self._state:
            known = self._younger(key_hash, seconds)
            if known is not None:
                return known
            is_first = key_hash not in self._flights
            flight = self._flights.setdefault(key_hash, _Flight())
            older = None if is_first else self._younger(key_hash, float("inf"))
        if older is not None and older.ok:
            return older
        if not is_first:
            flight.has_landed.wait()
            return flight.result or self.check(key)
        try:
            with self._calls:
                flight.result = self._younger(key_hash, seconds) or self._check(key)
            return flight.result
        finally:
            with self._state:
                del self._flights[key_hash]
            flight.has_landed.set()

    def start(self, key: str, on_change: Callable[[Result], object]) -> None:
        """Calls on_change with what is kept, where that is good (`pending`); then checks, and again every `next_check`
        seconds, in a daemon thread, and calls it with the result of the first check and with each that says something
        else. A second start replaces the first."""
        stopped = threading.Event()
        with self._state:
            before, self._stopped = self._stopped, stopped
        if before is not None:
            before.set()
        threading.Thread(target=self._run, args=(key, on_change, stopped), daemon=True).start()

    def stop(self) -> None:
        """Ends what start began. Does not wait for a check that is under way."""
        with self._state:
            before, self._stopped = self._stopped, None
        if before is not None:
            before.set()

    def has(self, code: str) -> bool:
        """Whether the last check was ok and the licence has this feature."""
        return self._features.get(code, False) is not False

    def release(self, key: str) -> bool:
        """Gives the seat of this computer back. True when the server said so; else release_reason and release_detail
        say why not. Never raises."""
        with self._calls:
            self._program.license_key = (key or "").strip()
            sent = self._send_uses(int(self._clock()))
            asked = self._ask("release", {})
            self.release_reason, self.release_detail = asked.reason, asked.detail
            if asked.claims is not None:
                self.release_reason = asked.claims["reason"] or "unverified"
            elif asked.code:
                self.release_reason, self.release_detail = asked.code, None
            elif asked.detail is not None:
                self._tell(asked.detail, "release: ")
            if self.release_reason != "not_activated" or asked.claims is None:
                return False
            self.release_reason = None
            self._last, self._features = None, {}
            with self._files:
                self._write(replace(self._read(), license="", token="", before=""))
            self._forget_sent(sent)
            return True

    def portal_url(self, key: str) -> str | None:
        """An address of the portal for this computer's seat, for the browser: it works once, within five minutes. None
        where there is none; portal_reason and portal_detail then say why. Never raises."""
        asked = {
            "license_key": (key or "").strip(),
            "machine_id": self.machine_id(),
            "software": self._program.software,
        }
        answer = self._post(PATHS["portal"], asked)
        body = _object_of(answer.body) or {}
        url = body.get("url")
        if answer.status == 200 and _is_of_portal(url, self._server + PATHS["portal"]):
            self.portal_reason, self.portal_detail = None, None
            return str(url)
        refused = _refused(answer, body, "not_the_server") if answer.status else _Asked(detail=answer.detail)
        self.portal_reason, self.portal_detail = refused.code or refused.reason, None if refused.code else refused.detail
        if self.portal_detail is not None:
            self._tell(self.portal_detail, "portal: ")
        return None

    def use(self, code: str, amount: int = 1) -> bool:
        """Notes that something was used, beside the store; checks send it, and it counts once. True where it is kept;
        False too where less is left, of a meter that refuses what is beyond. Never raises."""
        if not _is_use(code, amount):
            return False
        with self._uses:
            left, refuses = self._left_of(code)
            if refuses and left is not None and left < amount:
                self._tell("use_refused", f"{code}: {amount} of {left} (limit_reached): ")
                return False
            return self._keep_use({"code": code, "amount": amount, "id": secrets.token_hex(16)})

    def consume(self, code: str, amount: int = 1) -> bool:
        """Asks the server to count this now, with the key that was checked last: True only where it signed that it did. A
        call without such an answer, said again, counts once. Never raises."""
        if not _is_use(code, amount) or not self._key:
            return False
        with self._uses:
            again = next((use for use in self._unanswered if (use["code"], use["amount"]) == (code, amount)), None)
            use = again or {"code": code, "amount": amount, "id": secrets.token_hex(16)}
            if again is not None:
                self._unanswered.remove(again)
        record = {"code": code, "amount": amount, "request_id": use["id"]}
        asked = self._ask("usage", {"records": [record]}, self._key)
        if asked.claims is None:
            # Nobody signed whether it counted: the same id asks again.
            if asked.status != 400:
                with self._uses:
                    self._unanswered.append(use)
            self._tell(asked.detail or "not_the_server", "consume: ")
            return False
        said = _use_in(asked.claims, use["id"])
        # A relay may have changed the record, sent another one first under this id, or named another day.
        is_this = (said.get("code"), said.get("amount")) == (code, amount) and said.get("past") is not True
        if said.get("accepted") is True and is_this:
            # What was kept does not know of it yet.
            self._keep_use({**use, "counted": True})
            return True
        if said.get("accepted") is False:
            self._refuse(use, said.get("reason"))
        else:
            self._tell("use_refused", f"{code}: {amount} ({asked.claims.get('reason') or 'not this use'}): ")
        return False

    def remaining(self, code: str) -> int | None:
        """What is left of a meter: what the last verdict said, without what waits to be sent. From the first line on,
        without connection too. None without a limit, and where nothing was kept."""
        return self._left_of(code)[0]

    def _keep_use(self, use: _Use) -> bool:
        error = _append(f"{self._store}.usage", json.dumps({**use, "clock": int(self._clock())}))
        if error is not None:
            self._tell(f"store_{error}")
        return error is None

    def _refuse(self, use: _Use, reason: object) -> None:
        said = reason if isinstance(reason, str) else "invalid"
        self._refused.append({"code": use["code"], "amount": use["amount"], "reason": said})
        self._tell("use_refused", f"{use['code']}: {use['amount']} ({said}): ")

    def _left_of(self, code: str) -> tuple[int | None, bool]:
        claims, is_file = self._open_kept()
        if not claims:
            return None, False
        uses = [use for file in _usage_files(self._store) for use in _uses_in(_file_text(file))]
        return _left_in(claims, is_file, code, int(self._clock()), uses)

    def _open_kept(self) -> tuple[dict[str, Any], bool]:
        """The claims of the kept verdict or of the file of its key, whichever is newer; and whether it is the file."""
        content = self._unwritten
        if content is None:
            try:
                read = _read_store(self._store)
            except (OSError, ValueError):
                read = {}
            content = _Kept(str(read.get("license") or ""), str(read.get("token") or ""))
        file = _token_of_file(_file_text(self._file, FILE_BYTES)) if self._file else ""
        texts = (content.license, content.token, file)
        if self._kept[0] == texts:
            return self._kept[1:]
        self.machine_id()

        def claims_in(token: str, role: str) -> dict[str, Any]:
            program = replace(self._program, key_hash=_key_hash_in(token) or "-")
            claims = _read_token(token, role, program) if token else {}
            return claims if isinstance(claims, dict) else {}

        kept, in_file = claims_in(content.token, "stored"), claims_in(file, "file")
        if kept.get("key_hash") != content.license:
            kept = {}
        is_own = not kept or in_file.get("key_hash") == content.license
        is_file = bool(in_file) and is_own and (not kept or in_file["iat"] > kept["iat"])
        self._kept = (texts, in_file if is_file else kept, is_file)
        return self._kept[1:]

    def _report(self, key: str, records: list[dict[str, Any]]) -> tuple[_Answer, list[dict[str, Any]] | None]:
        """Reports some records. The results are None where the answer is none."""
        asked = {"license_key": key, "machine_id": self.machine_id(), "software": self._program.software}
        answer = self._post(PATHS["usage"], {**asked, "records": records})
        results = (_object_of(answer.body) or {}).get("results")
        if answer.status != 200 or not isinstance(results, list):
            return answer, None
        return answer, _objects_in(results)

    def _send_uses(self, now: int) -> _Sent:
        """Sends what was used. Each use has an id, so that what was sent and not answered can be sent again."""
        try:
            # A name of its own, so that no process writes over what another one sends.
            os.rename(f"{self._store}.usage", f"{self._store}.usage.{secrets.token_hex(16)}")
        except (OSError, ValueError):
            pass  # There is none, or it cannot be moved now: the next check tries again.
        names = [name for name in _usage_files(self._store) if not name.endswith(".usage")]
        files: dict[str, list[_Use]] = {}
        for name in names:
            try:
                files[name] = _uses_in(_read(name))
            except (OSError, ValueError):
                pass  # What cannot be read now stays for a later check.
        waiting = {use["id"]: use for uses in files.values() for use in uses}
        answered = {use["id"] for uses in files.values() for use in uses if use.get("counted") is True}
        unsent = [use for id, use in waiting.items() if id not in answered]
        ahead, last = now - int(self._clock()), SENDINGS_MAX * RECORDS_MAX
        for start in range(0, min(len(unsent), last), RECORDS_MAX):
            part = unsent[start : start + RECORDS_MAX]
            if not self._send_part(part, now, ahead):
                break
            answered.update(use["id"] for use in part)
        return _Sent(files, answered, len(unsent) > last)

    def _send_part(self, uses: list[_Use], now: int, ahead: int) -> bool:
        """Whether the server answered. Moments are said by its clock: that of the computer may be wrong."""
        records = [
            {
                "code": use["code"],
                "amount": use["amount"],
                "request_id": use["id"],
                "at": datetime.fromtimestamp(max(0, min(now, use["clock"] + ahead)), timezone.utc).isoformat(),
            }
            for use in uses
        ]
        answer, results = self._report(self._program.license_key, records)
        # What the server takes for no record it would take for none tomorrow.
        if answer.status == 400:
            for use in uses:
                self._refuse(use, None)
            return True
        if results is None:
            self._tell(_detail_of_status(answer.status) or answer.detail or "not_the_server", "usage: ")
            return False
        by_id = {use["id"]: use for use in uses}
        for one in results:
            use = by_id.get(str(one.get("request_id")))
            if use is not None and one.get("accepted") is False:
                self._refuse(use, one.get("reason"))
        return True

    def _forget_sent(self, sent: _Sent) -> None:
        """Deletes what a kept verdict knows of. What is kept twice is sent twice, and counts once."""
        for name, uses in sent.files.items():
            rest = [use for use in uses if use["id"] not in sent.answered]
            if rest and len(rest) == len(uses):
                continue
            lines = "".join(f"{json.dumps(use)}\n" for use in rest)
            if rest and _write_file(f"{self._store}.usage.{secrets.token_hex(16)}", lines) is not None:
                continue
            try:
                os.remove(name)
            except (OSError, ValueError):
                pass

    def start_trial(self, email: str | None = None, name: str | None = None) -> str | None:
        """Starts the trial of this computer, or finds the one that it has: the key, for check. None where there is none;
        trial_reason then says why, and of a trial that may not be used why not. Never raises."""
        nonce = secrets.token_urlsafe(16)
        asked: dict[str, object] = {"software": self._program.software, "machine_id": self.machine_id()}
        asked.update(self._about, **self._named, nonce=nonce)
        asked.update({field: value for field, value in (("email", email), ("name", name)) if value is not None})
        answer = self._post(PATHS["trial"], asked)
        key, self.trial_reason, self.trial_detail = self._trial_in(answer, nonce)
        if self.trial_detail is not None:
            self._tell(self.trial_detail, "trial: ")
        return key

    def _trial_in(self, answer: _Answer, nonce: str) -> tuple[str | None, str | None, str | None]:
        """The key of an answer, why it may not be used, and the detail. Only a signed one counts: anybody could name a
        key."""
        if not answer.status:
            return None, "no_connection", answer.detail
        body, detail = _object_of(answer.body) or {}, "not_the_server"
        key, token = body.get("license_key"), body.get("token")
        if isinstance(key, str) and isinstance(token, str):
            claims = _read_token(token, "activate", replace(self._program, license_key=key.strip(), key_hash=None))
            if isinstance(claims, str):
                detail = DETAILS_OF_ANSWER.get(claims, detail)
            elif claims.get("nonce") == nonce:
                why = "trial_ended" if claims["reason"] == "expired" else claims["reason"]
                return key.strip(), None if claims["valid"] is True else why, None
        if answer.status == 429 and body.get("code") == "trial_limit":
            return None, "trial_limit", None
        refused = _refused(answer, body, detail)
        return None, refused.code or refused.reason, None if refused.code else refused.detail

    def machine_id(self) -> str:
        """The id of this computer for this software, which a licence file is issued for. Never raises."""
        with self._files:
            if not self._program.machine_id:
                self._program.machine_id = self._find_machine_id()
            return self._program.machine_id

    def _find_machine_id(self) -> str:
        own, software, copy = _system_id(), self._program.software, f"\n{self._instance}" if self._instance else ""
        if own:
            return _sha256(f"{own}\n{software}{copy}")
        digits = _file_text(f"{self._store}.machine").strip()
        if not re.fullmatch(r"[0-9a-f]{32}", digits):
            digits = secrets.token_hex(16)
            _write_file(f"{self._store}.machine", digits)
        return _sha256(f"{digits}\n{software}{copy}") if copy else digits

    def _tell(self, code: str, about: str = "") -> None:
        if self._log is not None:
            try:
                self._log(code, about + LOG[code])
            except Exception:  # A log that fails changes nothing.
                pass

    def _run(self, key: str, on_change: Callable[[Result], object], stopped: threading.Event) -> None:
        told = None
        kept = None if stopped.is_set() else self._look((key or "").strip())
        if kept is not None and not stopped.is_set():
            self._features = kept.features
            self._hand(kept, on_change)
        while not stopped.is_set():
            result = self.check(key)
            # A text that begins may be the warning before the end.
            warns = result.message() != ""
            says = (result.ok, result.reason, result.features, result.in_grace, result.offline, warns)
            if (says != told or result.refused_uses) and not stopped.is_set():
                told = says
                self._hand(result, on_change)
            stopped.wait(result.next_check)

    def _hand(self, result: Result, on_change: Callable[[Result], object]) -> None:
        try:
            on_change(result)
        except Exception:  # The checks go on whatever the program does with them.
            self._tell("callback")

    def _look(self, key: str) -> Result | None:
        """The result of what is kept, where that is good. It waits for no check: a server may hang, or be behind a wall
        that answers nothing."""
        with self._files:
            self.machine_id()
            self._key = key
            # A check of another key may be under way.
            program = replace(self._program, license_key=key, key_hash=None)
            result, _now = (
                self._decide_offline(program, _key_hash(key), "no_connection", None)
                if key
                else self._decide_by_file(program)
            )
            return replace(result, pending=True, store_error=self._store_error) if result.ok else None

    def _younger(self, key_hash: str, seconds: float) -> Result | None:
        """The last result of this key, if it still holds and is younger than this."""
        last = self._last
        if last is None or not last.is_younger(key_hash, self._counter(), seconds):
            return None
        return last.result

    def _check(self, key: str) -> Result:
        self._program.license_key = self._key = key
        result, now = self._decide(key) if key else self._decide_by_file(self._program)
        result.store_error = self._store_error
        result.refused_uses, self._refused = self._refused, []
        until = result.offline_until
        lasts = REFUSAL_SECONDS if until is None else until.timestamp() - now
        self._last = _Last(_key_hash(key), result, self._counter(), lasts)
        self._features = result.features
        return result

    def _decide(self, key: str) -> tuple[Result, int]:
        license_hash = _key_hash(key)
        asked = self._ask_server()
        if asked.claims is None:
            result, now = self._decide_offline(self._program, license_hash, asked.reason, asked.detail)
            return self._without_flip(result, license_hash, asked), now
        iat: int = asked.claims["iat"]
        # Of the token itself: one that is only too old for this build is good for an older one.
        is_refusal = _refuses_build(_part_of(asked.token.split(".")[1]) or {})
        with self._files:
            before = self._good_before(license_hash) if is_refusal else ""
            self._write(_Kept(license_hash, asked.token, mark=iat, issued=iat, before=before), *self._times_now())
        result = _waiting_for_seat(_result_of(asked.claims, iat, False), asked)
        if result.reason == "not_found" and _has_wrong_signs(key):
            result.detail = "key_signs"
        if self._sent is not None:
            self._forget_sent(self._sent)
            # What is left to be sent does not wait for an hour.
            result.next_check = MINUTE if self._sent.is_more else result.next_check
        return result, iat

    def _good_before(self, license_hash: str) -> str:
        """The good token that stays beside the refusal of this build: an older build may go on with it."""
        store = self._read()
        claims = _read_token(store.token, "stored", replace(self._program, released_on=""))
        if isinstance(claims, str) or store.license != license_hash:
            return ""
        return store.token if claims.get("valid") is True else store.before if _refuses_build(claims) else ""

    def _without_flip(self, result: Result, license_hash: str, asked: _Asked) -> Result:
        """Too many questions are no lost connection: where nothing else changed, the program is not told of one."""
        if asked.detail != "rate_limited":
            return result
        before = self._last.result if self._last is not None and self._last.key_hash == license_hash else result
        is_same = (before.ok, before.reason) == (result.ok, result.reason)
        next_check = max(result.next_check, min(HOUR, asked.retry_after))
        return replace(result, offline=before.offline if is_same else result.offline, next_check=next_check)

    def _decide_by_file(self, program: Program) -> tuple[Result, int]:
        """Without a key: that of the file. The server cannot be asked."""
        self.machine_id()
        key_hash = _key_hash_in(_token_of_file(_file_text(self._file, FILE_BYTES))) if self._file else ""
        program = replace(program, key_hash=key_hash or None)
        claims, detail = self._read_license_file(program)
        if claims is None:
            return Result(False, "not_found", False, detail=detail), 0
        return self._decide_offline(program, key_hash, "not_found", None)

    def _read_license_file(self, program: Program) -> tuple[dict[str, Any] | None, str | None]:
        """The claims of the licence file where it passes the steps 1 to 11, else why not; nothing without a file."""
        if not self._file:
            return None, None
        try:
            read = _read_token(_token_of_file(_read(self._file, FILE_BYTES)), "file", program)
            if not isinstance(read, str):
                return read, None
            detail = DETAILS_OF_FILE.get(read, "file_damaged")
        except (FileNotFoundError, NotADirectoryError):
            detail = "file_missing"
        except (OSError, ValueError):
            detail = "file_unreadable"
        self._tell(detail)
        return None, detail

    def _ask_server(self) -> _Asked:
        """Steps 2 to 5 of ../README.md: the verdict, or why there is none."""
        self._sent = None
        call, asked = "validate", self._ask("validate", {"require_seat": True, **self._about})
        if asked.claims is not None and asked.claims["reason"] == "not_activated":
            call, asked = "activate", self._ask("activate", {**self._about, **self._named})
            sent = _Sent({}, set())
            if asked.claims is not None and asked.claims["valid"] is True:
                sent = self._send_uses(asked.claims["iat"])
            # The verdict that is kept knows of what was sent.
            beat = self._ask("heartbeat", {**self._about, **self._named}) if sent.files else _Asked()
            if beat.claims is not None:
                asked, self._sent = beat, sent
        elif asked.claims is not None and asked.claims["valid"] is True:
            self._sent = self._send_uses(asked.claims["iat"])
            call, asked = "heartbeat", self._ask("heartbeat", {**self._about, **self._named})
        if asked.detail is not None:
            self._tell(asked.detail, f"{call}: ")
        return asked

    def _ask(self, call: str, fields: Mapping[str, object], key: str | None = None) -> _Asked:
        """One call, about the key that is being checked, or this one."""
        nonce, machine_id = secrets.token_urlsafe(16), self.machine_id()
        program = self._program if key is None else replace(self._program, license_key=key, key_hash=None)
        asked = {"license_key": program.license_key, "machine_id": machine_id, "software": program.software}
        answer = self._post(PATHS[call], {**asked, **fields, "nonce": nonce})
        if not answer.status:
            return _Asked(detail=answer.detail)
        body = _object_of(answer.body) or {}
        token, detail = body.get("token"), "not_the_server"
        if isinstance(token, str):
            claims = _read_token(token, call, program)
            if isinstance(claims, str):
                detail = DETAILS_OF_ANSWER.get(claims, detail)
            elif claims.get("nonce") == nonce:
                seat_free_at = _instant_of(body.get("seat_free_at"))
                return _Asked(token, claims, seat_free_at=seat_free_at)
        return _refused(answer, body, detail)

    def _post(self, path: str, fields: Mapping[str, object]) -> _Answer:
        answers = [_Answer(detail="timeout")]
        # A thread, because the timeout of a socket counts anew with each byte, and looking up a name has none.
        thread = threading.Thread(target=lambda: answers.append(self._call(path, fields)), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # No thread can be had, such as while the program ends.
            return _Answer(detail="unreachable")
        thread.join(self._timeout)
        return answers[-1]

    def _call(self, path: str, fields: Mapping[str, object]) -> _Answer:
        headers = {"content-type": "application/json", "user-agent": USER_AGENT}
        send = self._transport or _send
        try:
            try:
                asked = json.dumps(fields).encode()
                status, found, body = send(self._server + path, asked, headers, self._timeout)
            except HTTPError as error:  # So urllib says every status but 2xx.
                with error:
                    status, found, body = error.code, error.headers, error.read(ANSWER_BYTES + 1)
            wait = {name.lower(): value for name, value in found.items()}.get("retry-after") or ""
            retry_after = int(wait) if re.fullmatch(r"[0-9]{1,9}", wait) else 0
            # More than the server ever answers counts as nothing.
            content = bytes(body) if len(body) <= ANSWER_BYTES else b""
            return _Answer(int(status), content, "" if status else "unreachable", retry_after)
        except Exception as error:  # Whatever goes wrong on the network is no answer.
            return _Answer(detail=_network_detail(error, self._server))

    def _counter(self) -> _Counter:
        return _Counter("given", self._uptime()) if self._uptime else _system_counter()

    def _times_now(self) -> tuple[int, _Counter]:
        """The clock of the computer, and the counter that nobody sets."""
        return int(self._clock()), self._counter()

    def _decide_offline(
        self, program: Program, license_hash: str, problem: str, detail: str | None
    ) -> tuple[Result, int]:
        """Steps 7 and 8: the kept verdict and the file, judged by the later of clock and mark. Returns that as well."""
        with self._files:
            return self._decide_by_store(program, license_hash, problem, detail)

    def _decide_by_store(
        self, program: Program, license_hash: str, problem: str, detail: str | None
    ) -> tuple[Result, int]:
        store = self._read()
        # After the store, so that another process that writes it cannot make this clock look set back.
        clock, counter = self._times_now()
        last = _read_token(store.token, "stored", program)
        is_for_newer = not isinstance(last, str) and _is_for_newer(last, program.released_on)
        token = _read_token(store.before, "stored", program) if is_for_newer else last
        kept = None if isinstance(token, str) else token
        verdicts = [(kept, True)] if kept is not None and store.license == license_hash else []
        in_file, _detail = self._read_license_file(program)
        if in_file is not None:
            verdicts.append((in_file, False))

        marks = [store.mark] if store.mark is not None else []
        marks += [claims["iat"] for claims in (last, token) if not isinstance(claims, str)]
        by_clock, bites = _time_of(store, max(marks, default=None), clock, counter)
        known = _time_by_file(in_file, store.issued, by_clock)
        if bites or known is not by_clock:
            self._tell("clock_file" if known is not by_clock else bites or "")
        ended: list[Result] = []
        best, latest = None, None
        for claims, is_kept in verdicts:
            now, error = _judge_time(claims, known)
            latest = now if latest is None else latest
            is_lasting_refusal = is_kept and claims["valid"] is not True and error == "expired"
            if error is not None and not is_lasting_refusal:
                ended.append(_ended(claims, error, now))
            elif best is None or claims["iat"] > best["iat"]:
                best = claims
        if latest is not None:
            after = _time_after(store, known, latest, best, verdicts[0][0])
            self._write(after, clock, counter)
            if best is not None:
                return replace(_result_of(best, latest, True), detail=detail), latest
        result = ended[0] if ended else Result(False, problem, False)
        return replace(result, detail=detail), clock

    def _read(self) -> _Kept:
        if self._unwritten is not None:
            return self._unwritten
        content: dict[str, Any] = {}
        try:
            content = _read_store(self._store)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except (OSError, ValueError) as error:
            self._fail_store(_store_error_of(error))

        def words(name: str) -> str:
            return content[name] if isinstance(content.get(name), str) else ""

        def seconds(name: str) -> int | None:
            value = content.get(name)
            return value if type(value) is int and 0 <= value < 2**53 else None

        return _Kept(
            words("license"), words("token"), seconds("mark"), seconds("clock"), seconds("back") or 0,
            seconds("leap") or 0, seconds("issued"), words("run"), seconds("ticks"), words("before"),
        )  # fmt: skip

    def _write(self, content: _Kept, clock: int | None = None, counter: _Counter | None = None) -> None:
        """Keeps this, with the times where they are given."""
        if clock is not None and counter is not None:
            content = replace(content, clock=clock, run=counter.run, ticks=int(counter.ticks))
        known = {name: value for name, value in asdict(content).items() if name != "before" or value}
        error = _write_file(self._store, json.dumps(known))
        self._unwritten = None if error is None else content
        self._store_error = None
        if error is not None:
            self._fail_store(error)

    def _fail_store(self, error: str) -> None:
        self._store_error = error
        self._tell(f"store_{error}")


# What the program's user reads, as in ../messages.json.
MESSAGES: dict[str, dict[str, str]] = {
    "es": {
        "not_found": "La licencia no existe. Hay que revisar la clave, o pedirla de nuevo al proveedor.",
        "wrong_software": "La clave es de otro programa. Hay que escribir la clave de este, o pedirla al proveedor.",
        "inactive": "La licencia no está activa. Para activarla hay que comunicarse con el proveedor.",
        "suspended": "La licencia está suspendida. Para usarla de nuevo hay que comunicarse con el proveedor.",
        "cancelled": "La licencia está cancelada. Para seguir con el programa hay que comunicarse con el proveedor.",
        "expired": "La licencia venció. Para seguir con el programa hay que renovarla con el proveedor.",
        "expired_offline": "La licencia venció. Hay que renovarla con el proveedor; si ya se renovó, basta conectar el equipo a internet una vez.",
        "updates_ended": "La licencia no incluye esta versión del programa. Hay que instalar una versión anterior, o renovar las actualizaciones con el proveedor.",
        "installation_limit": "La licencia ya se usa en todos los equipos que permite. Hay que liberar un lugar en otro equipo, o pedir más lugares al proveedor.",
        "not_activated": "Este equipo no tiene lugar en la licencia. Hay que abrir el programa con conexión a internet, o comunicarse con el proveedor.",
        "no_connection": "No hay conexión con el servidor de licencias. Hay que conectar el equipo a internet e intentar de nuevo.",
        "unverified": "La respuesta no viene del servidor de licencias. Hay que revisar la red de este equipo, o comunicarse con el proveedor.",
        "offline_expired": "Terminó el tiempo para trabajar sin conexión. Hay que conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.",
        "offline_expired_because": "Terminó el tiempo para trabajar sin conexión.",
        "clock_back": "El reloj de este equipo no es correcto. Hay que corregir la fecha y la hora, conectar el equipo a internet una vez, o pedir al proveedor un archivo de licencia nuevo.",
        "future": "La fecha de este equipo es anterior a la de la licencia. Hay que corregir la fecha y la hora del equipo.",
        "unknown": "La licencia no permite usar el programa ({reason}). Hay que comunicarse con el proveedor.",
        "detail_dns": "No se encuentra la dirección del servidor de licencias. Hay que revisar la conexión a internet de este equipo y su servidor DNS.",
        "detail_tls": "No se pudo abrir una conexión segura con el servidor de licencias. Hay que revisar la fecha y la hora de este equipo, y si un antivirus o un proxy vigila la conexión; si todo está bien, avisar al proveedor.",
        "detail_proxy": "El proxy de la red no deja llegar al servidor de licencias. Hay que revisar la configuración del proxy, o pedir ayuda a quien administra la red.",
        "detail_timeout": "El servidor de licencias no respondió a tiempo. Hay que intentar de nuevo en unos minutos, y revisar la conexión a internet si se repite.",
        "detail_unreachable": "No hay conexión con el servidor de licencias. Hay que revisar la conexión a internet y el cortafuegos de este equipo.",
        "detail_rate_limited": "El servidor de licencias recibió demasiadas preguntas. Hay que esperar un minuto e intentar de nuevo.",
        "detail_server_error": "El servidor de licencias tiene una falla o está en mantenimiento. Hay que intentar de nuevo en unos minutos, y avisar al proveedor si se repite.",
        "detail_not_the_server": "La respuesta no viene del servidor de licencias. Hay que iniciar sesión en la red si lo pide, y revisar el proxy o el antivirus de este equipo.",
        "detail_wrong_key": "El programa no reconoce la firma del servidor de licencias. Hay que instalar la última versión del programa, o avisar al proveedor.",
        "detail_key_signs": "La clave no existe. Las claves no llevan los signos 0, O, 1 ni I: hay que compararla letra por letra con la del correo.",
        "detail_file_missing": "No se encuentra el archivo de licencia. Hay que copiarlo a su lugar, o pedirlo al proveedor.",
        "detail_file_unreadable": "El archivo de licencia no se puede leer. Hay que revisar los permisos del archivo y de su carpeta.",
        "detail_file_damaged": "El archivo de licencia está dañado o incompleto. Hay que copiarlo otra vez, o pedirlo de nuevo al proveedor.",
        "detail_file_other_machine": "El archivo de licencia es de otro equipo. Hay que pedir al proveedor uno para este equipo.",
        "detail_file_other_software": "El archivo de licencia es de otro programa. Hay que pedir al proveedor el de este programa.",
        "detail_file_other_key": "El archivo de licencia es de otra clave. Hay que escribir la clave del archivo, o pedir al proveedor uno para esta clave.",
        "store_denied": "El programa no tiene permiso para guardar la licencia en este equipo, y sin eso no funciona sin conexión. Hay que revisar los permisos de su carpeta de datos.",
        "store_full": "El disco está lleno: el programa no puede guardar la licencia, y sin eso no funciona sin conexión. Hay que liberar espacio.",
        "store_failed": "El programa no puede guardar la licencia en este equipo, y sin eso no funciona sin conexión. Hay que revisar su carpeta de datos.",
        "offline_ends": "El programa trabaja sin conexión y dejará de funcionar en {hours} h. Antes hay que conectar el equipo a internet, o pedir al proveedor un archivo de licencia nuevo.",
        "offline_ends_because": "El programa trabaja sin conexión y dejará de funcionar en {hours} h.",
        "grace": "La licencia venció y el programa dejará de funcionar pronto. Hay que renovarla con el proveedor.",
        "grace_days": "La licencia venció y el programa dejará de funcionar en {days} días. Hay que renovarla con el proveedor.",
    },
    "en": {
        "not_found": "The licence does not exist. Check the key, or ask the vendor for it again.",
        "wrong_software": "The key is for another program. Enter the key of this one, or ask the vendor for it.",
        "inactive": "The licence is not active. Contact the vendor to have it activated.",
        "suspended": "The licence is suspended. Contact the vendor to use it again.",
        "cancelled": "The licence is cancelled. Contact the vendor to go on with the program.",
        "expired": "The licence has expired. Renew it with the vendor to go on with the program.",
        "expired_offline": "The licence has expired. Renew it with the vendor; if it was renewed, connect the computer to the internet once.",
        "updates_ended": "The licence does not include this version of the program. Install an earlier version, or renew the updates with the vendor.",
        "installation_limit": "The licence is in use on all the computers that it allows. Free a seat on another computer, or ask the vendor for more.",
        "not_activated": "This computer has no seat in the licence. Open the program with an internet connection, or contact the vendor.",
        "no_connection": "There is no connection to the licence server. Connect the computer to the internet and try again.",
        "unverified": "The answer does not come from the licence server. Check the network of this computer, or contact the vendor.",
        "offline_expired": "The time for working without a connection is over. Connect the computer to the internet once, or ask the vendor for a new licence file.",
        "offline_expired_because": "The time for working without a connection is over.",
        "clock_back": "The clock of this computer is not right. Set the date and the time, connect the computer to the internet once, or ask the vendor for a new licence file.",
        "future": "The date of this computer is earlier than that of the licence. Set the date and the time of the computer.",
        "unknown": "The licence does not allow the use of the program ({reason}). Contact the vendor.",
        "detail_dns": "The address of the licence server cannot be found. Check the internet connection of this computer and its DNS server.",
        "detail_tls": "No secure connection to the licence server could be opened. Check the date and the time of this computer, and whether an antivirus or a proxy watches the connection; if all is well, tell the vendor.",
        "detail_proxy": "The proxy of the network does not let the program reach the licence server. Check the settings of the proxy, or ask whoever runs the network.",
        "detail_timeout": "The licence server did not answer in time. Try again in a few minutes, and check the internet connection if it happens again.",
        "detail_unreachable": "There is no connection to the licence server. Check the internet connection and the firewall of this computer.",
        "detail_rate_limited": "The licence server was asked too often. Wait a minute and try again.",
        "detail_server_error": "The licence server has a fault or is under maintenance. Try again in a few minutes, and tell the vendor if it happens again.",
        "detail_not_the_server": "The answer does not come from the licence server. Sign in to the network if it asks for that, and check the proxy or the antivirus of this computer.",
        "detail_wrong_key": "The program does not know the signature of the licence server. Install the latest version of the program, or tell the vendor.",
        "detail_key_signs": "The key does not exist. Keys have no 0, O, 1 or I: compare it letter by letter with the one in the mail.",
        "detail_file_missing": "The licence file cannot be found. Copy it to its place, or ask the vendor for it.",
        "detail_file_unreadable": "The licence file cannot be read. Check the permissions of the file and of its folder.",
        "detail_file_damaged": "The licence file is damaged or not complete. Copy it once more, or ask the vendor for it again.",
        "detail_file_other_machine": "The licence file is for another computer. Ask the vendor for one for this computer.",
        "detail_file_other_software": "The licence file is for another program. Ask the vendor for the one of this program.",
        "detail_file_other_key": "The licence file is for another key. Enter the key of the file, or ask the vendor for one for this key.",
        "store_denied": "The program may not save the licence on this computer, and without that it does not work without a connection. Check the permissions of its data folder.",
        "store_full": "The disk is full: the program cannot save the licence, and without that it does not work without a connection. Free some space.",
        "store_failed": "The program cannot save the licence on this computer, and without that it does not work without a connection. Check its data folder.",
        "offline_ends": "The program works without a connection and will stop in {hours} h. Before that connect the computer to the internet, or ask the vendor for a new licence file.",
        "offline_ends_because": "The program works without a connection and will stop in {hours} h.",
        "grace": "The licence has expired and the program will stop soon. Renew it with the vendor.",
        "grace_days": "The licence has expired and the program will stop in {days} days. Renew it with the vendor.",
    },
}
