"""The commands of the tests (../README.md, The driver): driver.py vectors|check|release|machine-id|serve ..."""

import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, Callable

from license import Key, License, Program, Result, judge


X, Y = "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk", "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k"


def vectors(path: str) -> "list[dict[str, Any]]":
    with open(path, encoding="utf-8") as file:
        content = json.load(file)

    def judged(case: "dict[str, Any]") -> "dict[str, Any]":
        key = case.get("license_key", content["license_key"])
        released_on = case.get("released_on", "")
        program = Program(content["keys"], content["audience"], content["machine_id"], key, released_on=released_on)
        asked = (case.get("call"), case.get("nonce"))
        return judge(case["kind"], case["input"], program, *asked, case["clock"], case["mark"])

    return [{"name": case["name"], **judged(case)} for case in content["cases"]]


def machine_id(**options: Any) -> str:
    keys: "list[Key]" = [{"kid": "-", "x": X, "y": Y}]
    defaults: "dict[str, Any]" = {"server": "https://localhost", "keys": keys, "store": "machine"}
    return License(**{**defaults, **options}).machine_id()


def line_of(result: Result) -> "dict[str, Any]":
    return {
        "ok": result.ok,
        "reason": result.reason,
        "offline": result.offline,
        "daysLeft": result.days_left,
        "features": result.features,
        "expiresAt": result.expires_at and result.expires_at.isoformat(),
        "inGrace": result.in_grace,
        "graceUntil": result.grace_until and result.grace_until.isoformat(),
        "offlineUntil": result.offline_until and result.offline_until.isoformat(),
        "type": result.type,
        "status": result.status,
        "nextCheck": result.next_check,
        "updatesUntil": result.updates_until,
        "pending": result.pending,
        "seatFreeAt": result.seat_free_at and result.seat_free_at.isoformat(),
        "detail": result.detail,
        "storeError": result.store_error,
        "refusedUses": result.refused_uses,
    }


def message(result: "dict[str, Any]", lang: str) -> str:
    def instant(name: str) -> "datetime | None":
        return datetime.fromisoformat(result[name].replace("Z", "+00:00")) if result[name] else None

    told = Result(result["ok"], result["reason"], result["offline"], in_grace=result["inGrace"])
    told.grace_until, told.offline_until = instant("graceUntil"), instant("offlineUntil")
    told.detail, told.store_error = result["detail"], result["storeError"]
    told.pending = result.get("pending", False)
    return told.message(lang)


def cached(program: License, key: str, rounds: "list[dict[str, Any]]") -> "list[list[dict[str, Any]]]":
    def ask(seconds: float) -> "dict[str, Any]":
        began = time.monotonic()
        result = program.check_cached(key, seconds)
        return {"ms": int((time.monotonic() - began) * 1000), "result": line_of(result)}

    def answers(asked: "dict[str, Any]") -> "list[dict[str, Any]]":
        time.sleep(asked.get("wait", 0))
        with ThreadPoolExecutor(asked["callers"]) as callers:
            return list(callers.map(ask, [asked["seconds"]] * asked["callers"]))

    return [answers(asked) for asked in rounds]


def start(
    program: License, key: str, seconds: float, starts: int, until: int, wait: float, throws: bool,
    read: "Callable[[], dict[str, Any]]",
) -> "list[dict[str, Any]]":  # fmt: skip
    heard: "list[dict[str, Any]]" = []
    began, enough = time.monotonic(), threading.Event()

    def hear(number: int) -> "Callable[[Result], None]":
        def on_change(result: Result) -> None:
            ms = int((time.monotonic() - began) * 1000)
            heard.append({"start": number, "ms": ms, "result": line_of(result), **read()})
            if sum(line["start"] == starts for line in heard) == until:
                enough.set()
            if throws:
                raise RuntimeError("on_change")

        return on_change

    for number in range(1, starts + 1):
        if number > 1:
            time.sleep(wait)
        program.start(key, hear(number))
    enough.wait(seconds)
    program.stop()
    return list(heard)


def logger(path: str) -> "Callable[[str, str], None]":
    def log(code: str, text: str) -> None:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{code} {text}\n")

    return log


def run(command: "dict[str, Any]") -> Any:
    what, key, code = command.pop("do"), command.pop("key", ""), command.pop("has", None)
    if what == "vectors":
        return vectors(command["file"])
    if what == "message":
        return message(command["result"], command["lang"])
    if what == "machine-id":
        return machine_id(**command)
    uses, codes = command.pop("uses", []), command.pop("codes", [])
    by = {name: command.pop(name, None) for name in ("email", "name")}
    rounds, seconds = command.pop("rounds", []), command.pop("for", 0)
    starts, until = command.pop("starts", 1), command.pop("until", -1)
    wait, throws = command.pop("wait", 0), command.pop("throws", False)
    for name in ("clock", "uptime"):
        if name in command:
            command[name] = lambda value=command[name]: value
    if "log" in command:
        command["log"] = logger(command["log"])
    try:
        program = License(**command)
    except ValueError as error:
        if what != "open":
            raise
        return str(error)
    if what == "open":
        return None
    if what == "release":
        return program.release(key)
    if what == "release-why":
        released = program.release(key)
        return {"released": released, "reason": program.release_reason, "detail": program.release_detail}
    if what == "portal":
        url = program.portal_url(key)
        return {"url": url, "reason": program.portal_reason, "detail": program.portal_detail}
    if what == "use":
        return [program.use(use["code"], use.get("amount", 1)) for use in uses]
    if what == "remaining":
        return [program.remaining(code) for code in codes]
    if what == "consume":
        program.check(key)
        return [program.consume(use["code"], use.get("amount", 1)) for use in uses]
    if what == "left":
        ok = program.check(key).ok
        return {"ok": ok, "left": [program.remaining(code) for code in codes]}
    if what == "trial":
        found = program.start_trial(**by)
        return {"key": found, "reason": program.trial_reason, "detail": program.trial_detail}
    if what == "cached":
        return cached(program, key, rounds)
    if what == "start":

        def read() -> "dict[str, Any]":
            left = {"left": [program.remaining(code) for code in codes]} if codes else {}
            return left if code is None else {**left, "has": program.has(code)}

        return start(program, key, seconds, starts, until, wait, throws, read)
    line = line_of(program.check(key))
    return line if code is None else {**line, "has": program.has(code)}


def show(value: Any) -> None:
    print(json.dumps(value), flush=True)


def main(command: str, argument: str) -> None:
    if command == "serve":
        for line in sys.stdin:
            show(run(json.loads(line)))
    elif command == "vectors":
        show(vectors(argument))
    elif command == "machine-id":
        show(machine_id(software=argument))
    else:
        with open(argument, encoding="utf-8") as file:
            show(run({**json.load(file), "do": command}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
