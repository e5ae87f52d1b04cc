"""Asks a License Manager server whether a licence holds on this computer, and answers without connection from what it
kept. ../README.md describes it, ../../docs/offline.md the token. One file: copy it. Python 3.9 and `cryptography`."""

import base64
import hashlib
import json
import os
import platform
import re
import secrets
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from datetime import datetime, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

USER_AGENT = "license-manager-python/0.2.0"
HOUR = 60 * 60
DAY = 24 * HOUR
AHEAD_SECONDS = 5 * 60
# What a start counts whose clock is not later than at the last check.
START_SECONDS = 10 * 60
ANSWER_BYTES = 64 * 1024
BEGIN = "-----BEGIN LICENSE FILE-----"
END = "-----END LICENSE FILE-----"
PATHS = {
    "validate": "/licenses/api/license/validate/",
    "activate": "/licenses/api/installations/",
    "heartbeat": "/licenses/api/installation/heartbeat/",
    "release": "/licenses/api/installations/release/",
}
REASONS_OFFLINE = {"expired": "offline_expired", "clock_back": "clock_back", "future": "future"}


@dataclass
class Result:
    """What a check returns. `days_left` is None for a licence without an end; `next_check` are seconds."""

    ok: bool
    reason: "str | None"
    offline: bool
    days_left: "int | None" = 0
    features: dict = field(default_factory=dict)
    expires_at: "datetime | None" = None
    in_grace: bool = False
    grace_until: "datetime | None" = None
    offline_until: "datetime | None" = None
    type: "str | None" = None
    status: "str | None" = None
    next_check: int = HOUR
    updates_until: "str | None" = None


@dataclass
class Program:
    """What a token is judged by."""

    keys: list
    software: str
    machine_id: str
    license_key: str = ""
    # The hash of the key of a file that decides without a key.
    key_hash: "str | None" = None


def _utf8(text):
    return text.encode("utf-8", "replace")


def _sha256(text):
    return hashlib.sha256(_utf8(text)).hexdigest()


def _key_hash(key):
    """The hash of what counts of a key, however it is typed."""
    return _sha256(re.sub(r"[^!-~]|-", "", key).upper())


def _bytes_of(text):
    """The bytes of a base64url text; None for another text."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", text) or len(text) % 4 == 1:
        return None
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _object_of(text):
    """The JSON object in a text or in bytes; None for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _part_of(text):
    content = _bytes_of(text)
    return None if content is None else _object_of(content)


def _token_of_file(text):
    """The token in the text of a licence file; an empty text where there is none."""
    content = text.strip()
    if not content.startswith(BEGIN) or not content.endswith(END):
        return ""
    return re.sub(r"\s", "", content[len(BEGIN) : -len(END)])


def _public_key(key):
    """Raises ValueError for what is no point of P-256."""
    x, y = (int.from_bytes(_bytes_of(key[name]) or b"", "big") for name in ("x", "y"))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def _is_public_key(key):
    """Whether a key of the options can be one. Another one would refuse every answer later."""
    try:
        return bool(key["kid"] and _public_key(key))
    except (KeyError, TypeError, ValueError):
        return False


def _is_signed(content, signature, key):
    try:
        public_key = _public_key(key)
        r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
        public_key.verify(encode_dss_signature(r, s), _utf8(content), ec.ECDSA(SHA256()))
        return True
    except (InvalidSignature, ValueError):
        return False


def _is_answer_to(role, claims):
    """Whether a token may stand where it does: as the answer to a call, in a file, or as the last word that was kept."""
    call = claims.get("call")
    if role != "stored":
        return call == role
    return call in ("activate", "heartbeat") or (call == "validate" and claims.get("valid") is not True)


def _read_token(token, role, program):
    """Steps 1 to 11 of docs/offline.md, for every token. The role is the call that was made, "stored" or "file".
    Returns the claims and None, or None and the error."""
    parts = token.split(".")
    header = _part_of(parts[0])
    if len(parts) != 3 or header is None:
        return None, "malformed"
    # The program decides the algorithm. A header that may choose it allows none, and HS256 with the public key.
    if header.get("alg") != "ES256":
        return None, "algorithm"
    if header.get("typ") != ("license-file+jwt" if role == "file" else "license+jwt"):
        return None, "type"
    key = next((key for key in program.keys if key["kid"] == header.get("kid")), None)
    if key is None:
        return None, "unknown_key"
    signature = _bytes_of(parts[2])
    if signature is None or len(signature) != 64 or not _is_signed(f"{parts[0]}.{parts[1]}", signature, key):
        return None, "signature"
    claims = _part_of(parts[1])
    if claims is None:
        return None, "malformed"
    if claims.get("aud") != program.software:
        return None, "audience"
    if claims.get("mid") != _sha256(program.machine_id):
        return None, "machine"
    # Without these a relay answers with the server's own words about another key, or about another call.
    if claims.get("key_hash") != (program.key_hash or _key_hash(program.license_key)):
        return None, "key_hash"
    if not _is_answer_to(role, claims):
        return None, "call"
    if claims.get("valid") is True and claims.get("seat") is not True:
        return None, "seat"
    return claims, None


@dataclass
class _Time:
    """What the program knows of the time (docs/offline.md, The clock). `least` is the mark with the time that was
    measured since, None where there is no mark; `back` and `leap` are the seconds of the clock's steps back and ahead."""

    clock: int
    least: "int | None"
    back: int = 0
    leap: int = 0


def _time_of(store, mark, times):
    is_measured = store["run"] == times["run"] and store["ticks"] is not None and times["ticks"] >= store["ticks"]
    stands_still = not is_measured and store["clock"] is not None and times["clock"] <= store["clock"]
    passed = times["ticks"] - store["ticks"] if is_measured else START_SECONDS if stands_still else 0
    back = 0 if store["clock"] is None else max(0, store["clock"] - times["clock"])
    least = None if mark is None else mark + passed
    return _Time(times["clock"], least, store["back"] + back, store["leap"])


def _time_by_file(file, issued, known):
    """The same without the leaps of the clock, where a file needs that and was issued after every token that decided
    before. No time comes back that was lived through: the mark without its leaps stays."""
    if file is None or file["iat"] <= (-1 if issued is None else issued) or _judge_time(file, known)[1] is None:
        return known
    mark = file["iat"] if known.least is None else known.least
    anew = _Time(known.clock, max(file["iat"], mark - known.leap))
    return anew if _judge_time(file, anew)[1] is None else known


def _time_after(issued, known, now, best, first):
    """What is kept of the time after a check. `best` is what decided, None where nothing passed."""
    ahead = now - (first["iat"] if known.least is None else known.least)
    is_newer = best is not None and best["iat"] > (-1 if issued is None else issued)
    return {
        "mark": now,
        "back": 0 if is_newer else known.back,
        "leap": known.leap + (ahead if ahead > DAY else 0),
        "issued": best["iat"] if is_newer else issued,
    }


def _key_hash_in(token):
    """The hash of the key that a token names, before anything of it is checked; an empty text where there is none."""
    parts = token.split(".")
    key_hash = (_part_of(parts[1]) or {}).get("key_hash") if len(parts) == 3 else None
    return key_hash if isinstance(key_hash, str) else ""


def _judge_time(claims, known):
    """Steps 12 to 14, for a token that was kept or stands in a file. Returns now and the error, each perhaps None."""
    mark = known.clock if known.least is None else known.least
    if known.back > DAY or known.clock < mark - DAY:
        return None, "clock_back"
    now = max(known.clock, mark)
    if claims["iat"] > now + AHEAD_SECONDS:
        return None, "future"
    return now, "expired" if now >= claims["exp"] else None


def judge(kind, text, program, call, nonce, clock, mark):
    """Judges one token as docs/offline.md says. The tests use it; a program uses License."""
    role = call if kind == "fresh" else kind
    claims, error = _read_token(_token_of_file(text) if kind == "file" else text, role, program)
    if error is None and kind == "fresh":
        mark, error = claims["iat"], None if claims.get("nonce") == nonce else "nonce"
    elif error is None:
        mark, error = _judge_time(claims, _Time(clock, mark))
    if error is not None:
        return {"accepted": False, "error": error}
    return {"accepted": True, "valid": claims["valid"] is True, "reason": claims["reason"], "mark": mark}


def _instant_of(value):
    """An instant as it stands in a token; None for anything else."""
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00")) if isinstance(value, str) else None
    except ValueError:
        return None


def _days_until(end, now, offset):
    """Whole days of the vendor's calendar until the licence ends, as the console counts them."""
    if end is None:
        return None
    seconds = int(end.timestamp())
    if type(offset) is not int:
        return max(0, (seconds - now) // DAY)
    return max(0, (seconds + offset) // DAY - (now + offset) // DAY)


def _terms_of(claims, now):
    """What a verdict says of the licence."""
    is_valid, end = claims["valid"] is True, _instant_of(claims.get("license_expires"))
    in_grace = is_valid and end is not None and (claims.get("in_grace") is True or now > end.timestamp())
    half = (claims["exp"] - claims["iat"]) // 2 if is_valid else 0
    return {
        "expires_at": end,
        "in_grace": in_grace,
        "grace_until": _instant_of(claims.get("usable_until")) if in_grace else None,
        "offline_until": datetime.fromtimestamp(claims["exp"], timezone.utc) if is_valid else None,
        "type": claims.get("license_type"),
        "status": claims.get("status"),
        "next_check": min(HOUR, half) if half > 0 else HOUR,
        "updates_until": claims.get("updates_until"),
    }


def _result_of(claims, now, offline):
    """What the program is told of a verdict. `now` is the mark after the check."""
    terms = _terms_of(claims, now)
    if claims["valid"] is not True:
        return Result(False, claims["reason"], offline, **terms)
    days_left = _days_until(terms["expires_at"], now, claims.get("utc_offset"))
    return Result(True, None, offline, days_left, claims["features"] or {}, **terms)


def _file_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _write_file(path, text):
    """Writes a text beside the file and renames it. Returns whether that worked."""
    draft = f"{path}.{secrets.token_hex(16)}"
    try:
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
        return True
    except (OSError, ValueError):
        try:
            os.remove(draft)
        except (OSError, ValueError):
            pass
        return False


def _system_id():
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


def _system_ticks():
    """A counter of seconds that nobody sets: that of the system since it was started. `run` names it: numbers of one
    run can be compared. Linux has it in a file, which a faked clock of the process does not reach."""
    boot = _file_text("/proc/sys/kernel/random/boot_id").strip()
    uptime = re.match(r"\d+", _file_text("/proc/uptime"))
    if boot and uptime:
        return {"run": boot, "ticks": int(uptime.group())}
    return {"run": "system", "ticks": int(time.monotonic())}


class _AnyAnswer(urllib.request.HTTPErrorProcessor):
    """Leaves every status to the caller: no redirect is followed, and no status raises."""

    def http_response(self, _request, response):
        return response

    https_response = http_response


def _body_of(response, deadline):
    """The body of an answer, or nothing when it is larger than any answer of the server."""
    body = b""
    while len(body) <= ANSWER_BYTES:
        if time.monotonic() > deadline:
            raise TimeoutError
        chunk = response.read1(ANSWER_BYTES)
        if not chunk:
            return body
        body += chunk
    return b""


class License:
    """The licence of this program on this computer. The constructor raises ValueError for a wrong option."""

    def __init__(
        self, server, software, keys, store, file=None, machine_id=None, machine_name=None, app_version=None,
        timeout=5, clock=time.time, uptime=None,
    ):  # fmt: skip
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
        self._server, self._store, self._file = server.rstrip("/"), str(store), file
        self._program = Program(list(keys), software, (machine_id or "").strip())
        self._machine_name = machine_name or platform.node()
        self._about = {"os": f"{platform.system()} {platform.release()}"[:100]}
        if app_version is not None:
            self._about["app_version"] = app_version
        self._timeout, self._clock, self._uptime = timeout, clock, uptime
        self._unwritten = None
        self._features = {}
        self._calls = threading.Lock()

    def check(self, key):
        """Whether the program may run with this key; without one, by the licence file alone. Never raises."""
        with self._calls:
            result = self._decide((key or "").strip())
            self._features = result.features
            return result

    def has(self, code):
        """Whether the last check was ok and the licence has this feature."""
        return self._features.get(code, False) is not False

    def release(self, key):
        """Gives the seat of this computer back. True when the server said so. Never raises."""
        with self._calls:
            self._program.license_key = (key or "").strip()
            _token, claims, _problem = self._ask("release", {})
            if claims is None or claims["reason"] != "not_activated":
                return False
            self._features = {}
            self._write({**self._read(), "license": "", "token": ""})
            return True

    def machine_id(self):
        """The id of this computer for this software, which a licence file is issued for. Never raises."""
        if not self._program.machine_id:
            self._program.machine_id = self._find_machine_id()
        return self._program.machine_id

    def _find_machine_id(self):
        own = _system_id()
        if own:
            return _sha256(f"{own}\n{self._program.software}")
        kept = _file_text(f"{self._store}.machine").strip()
        if re.fullmatch(r"[0-9a-f]{32}", kept):
            return kept
        made = secrets.token_hex(16)
        _write_file(f"{self._store}.machine", made)
        return made

    def _decide(self, key):
        self._program.license_key = key
        if not key:
            return self._decide_by_file()
        license_hash = _key_hash(key)
        token, claims, problem = self._ask_server()
        if claims is None:
            return self._decide_offline(license_hash, problem)
        known = {"mark": claims["iat"], "back": 0, "leap": 0, "issued": claims["iat"]}
        self._write({"license": license_hash, "token": token, **known, **self._times_now()})
        return _result_of(claims, claims["iat"], False)

    def _decide_by_file(self):
        """Without a key: that of the file. The server cannot be asked."""
        self.machine_id()
        key_hash = _key_hash_in(self._file_token())
        try:
            self._program.key_hash = key_hash
            if not key_hash or _read_token(self._file_token(), "file", self._program)[0] is None:
                return Result(False, "not_found", False)
            return self._decide_offline(key_hash, "not_found")
        finally:
            self._program.key_hash = None

    def _file_token(self):
        return _token_of_file(_file_text(self._file)) if self._file else ""

    def _ask_server(self):
        """Steps 2 to 5 of ../README.md. Returns token and claims of the verdict, or a problem."""
        first = self._ask("validate", {"require_seat": True})
        _token, claims, _problem = first
        if claims is not None and claims["reason"] == "not_activated":
            return self._ask("activate", {**self._about, "machine_name": self._machine_name[:200]})
        if claims is not None and claims["valid"] is True:
            return self._ask("heartbeat", self._about)
        return first

    def _ask(self, call, fields):
        nonce = secrets.token_urlsafe(16)
        asked = {
            "license_key": self._program.license_key,
            "machine_id": self.machine_id(),
            "software": self._program.software,
        }
        status, body = self._post(PATHS[call], {**asked, **fields, "nonce": nonce})
        token = (_object_of(body) or {}).get("token")
        if isinstance(token, str):
            claims, _error = _read_token(token, call, self._program)
            if claims is not None and claims.get("nonce") == nonce:
                return token, claims, None
        is_away = status is None or status == 429 or status >= 500
        return None, None, "no_connection" if is_away else "unverified"

    def _post(self, path, fields):
        """The status and the body of an answer; None and nothing without an answer."""
        answers = [(None, b"")]
        # A thread, because the timeout of a socket counts anew with each byte, and looking up a name has none.
        thread = threading.Thread(target=lambda: answers.append(self._call(path, fields)), daemon=True)
        thread.start()
        thread.join(self._timeout)
        return answers[-1]

    def _call(self, path, fields):
        deadline = time.monotonic() + self._timeout
        headers = {"content-type": "application/json", "user-agent": USER_AGENT}
        try:
            request = urllib.request.Request(self._server + path, json.dumps(fields).encode(), headers)
            opener = urllib.request.build_opener(_AnyAnswer)
            with opener.open(request, timeout=self._timeout) as response:
                return response.status, _body_of(response, deadline)
        except Exception:  # Whatever goes wrong on the network is no answer.
            return None, b""

    def _times_now(self):
        """The clock of the computer, and the counter that nobody sets."""
        counter = {"run": "given", "ticks": int(self._uptime())} if self._uptime else _system_ticks()
        return {"clock": int(self._clock()), **counter}

    def _decide_offline(self, license_hash, problem):
        """Steps 7 and 8: the kept verdict and the file, judged by the later of clock and mark."""
        store = self._read()
        # After the store, so that another process that writes it cannot make this clock look set back.
        times = self._times_now()
        kept, _error = _read_token(store["token"], "stored", self._program)
        verdicts = [(kept, True)] if kept is not None and store["license"] == license_hash else []
        in_file, _error = _read_token(self._file_token(), "file", self._program)
        if in_file is not None:
            verdicts.append((in_file, False))

        marks = [mark for mark in (store["mark"], kept and kept["iat"]) if mark is not None]
        by_clock = _time_of(store, max(marks, default=None), times)
        known = _time_by_file(in_file, store["issued"], by_clock)
        errors, best, latest = [], None, None
        for claims, is_kept in verdicts:
            now, error = _judge_time(claims, known)
            latest = now if latest is None else latest
            is_lasting_refusal = is_kept and claims["valid"] is not True and error == "expired"
            if error is not None and not is_lasting_refusal:
                errors.append(error)
            elif best is None or claims["iat"] > best["iat"]:
                best = claims
        if latest is not None:
            after = _time_after(store["issued"], known, latest, best, verdicts[0][0])
            self._write({**store, **times, **after})
        if best is not None:
            return _result_of(best, latest, True)
        return Result(False, REASONS_OFFLINE[errors[0]], True) if errors else Result(False, problem, False)

    def _read(self):
        content = self._unwritten or _object_of(_file_text(self._store)) or {}

        def text(name):
            return content[name] if isinstance(content.get(name), str) else ""

        def seconds(name, absent=None):
            value = content.get(name)
            return value if type(value) is int and 0 <= value < 2**53 else absent

        return {
            **{"license": text("license"), "token": text("token"), "mark": seconds("mark")},
            **{"clock": seconds("clock"), "back": seconds("back", 0), "leap": seconds("leap", 0)},
            **{"issued": seconds("issued"), "run": text("run"), "ticks": seconds("ticks")},
        }

    def _write(self, content):
        is_written = _write_file(self._store, json.dumps(content))
        self._unwritten = None if is_written else content
