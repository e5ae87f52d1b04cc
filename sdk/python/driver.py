"""The commands of the tests (../README.md, The driver): driver.py vectors|check|release|machine-id|serve ..."""

import json
import sys

from license import License, Program, judge


X, Y = "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk", "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k"


def vectors(path):
    with open(path, encoding="utf-8") as file:
        content = json.load(file)

    def judged(case):
        key = case.get("license_key", content["license_key"])
        program = Program(content["keys"], content["audience"], content["machine_id"], key)
        asked = (case.get("call"), case.get("nonce"))
        return judge(case["kind"], case["input"], program, *asked, case["clock"], case["mark"])

    return [{"name": case["name"], **judged(case)} for case in content["cases"]]


def machine_id(software, store="machine", given=None):
    keys = [{"kid": "-", "x": X, "y": Y}]
    return License("https://localhost", software, keys, store, machine_id=given).machine_id()


def run(command):
    what, key, code = command.pop("do"), command.pop("key", None), command.pop("has", None)
    if what == "vectors":
        return vectors(command["file"])
    if what == "machine-id":
        return machine_id(command["software"], command.get("store", "machine"), command.get("machine_id"))
    if "clock" in command:
        command["clock"] = lambda clock=command["clock"]: clock
    if "uptime" in command:
        command["uptime"] = lambda uptime=command["uptime"]: uptime
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
    result = program.check(key)
    line = {
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
    }
    return line if code is None else {**line, "has": program.has(code)}


def show(value):
    print(json.dumps(value), flush=True)


command, argument = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
if command == "serve":
    for line in sys.stdin:
        show(run(json.loads(line)))
elif command == "vectors":
    show(vectors(argument))
elif command == "machine-id":
    show(machine_id(argument))
else:
    with open(argument, encoding="utf-8") as file:
        show(run({**json.load(file), "do": command}))
