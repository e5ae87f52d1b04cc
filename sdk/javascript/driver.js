// The commands of the tests (../README.md, The driver): node driver.js vectors|check|release|machine-id|serve …
import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { judge, License, messageFor } from './license.js';

const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

async function vectors(path) {
  const { audience: software, machine_id: machineId, license_key: own, keys, cases } = await readJson(path);
  const program = { keys, software, machineId };
  const judged = async ({
    name,
    kind,
    input,
    license_key: licenseKey = own,
    released_on: releasedOn,
    ...asked
  }) => ({
    name,
    ...(await judge(kind, input, { ...program, licenseKey, releasedOn, ...asked })),
  });
  return Promise.all(cases.map(judged));
}

/** What a constructor says of wrong options; null where they are right. */
function errorOf(open) {
  try {
    open();
    return null;
  } catch (error) {
    return error.message;
  }
}

/** How long some work took, in whole milliseconds, with its result. */
async function timed(work) {
  const begin = performance.now();
  const result = await work;
  return { ms: Math.round(performance.now() - begin), result };
}

async function cached(license, key, rounds) {
  const answers = [];
  for (const { seconds, callers, wait = 0 } of rounds) {
    await sleep(wait * 1000);
    const asked = Array.from({ length: callers }, () => timed(license.checkCached(key, seconds)));
    answers.push(await Promise.all(asked));
  }
  return answers;
}

async function started(
  license,
  key,
  { for: seconds, starts = 1, until, wait = 0, throws = false, has, codes },
) {
  const heard = [];
  let finish;
  const enough = new Promise((resolve) => {
    finish = resolve;
  });
  const begin = performance.now();
  for (let start = 1; start <= starts; start += 1) {
    if (start > 1 && wait > 0) await sleep(wait * 1000);
    license.start(key, (result) => {
      heard.push({
        ...{ start, ms: Math.round(performance.now() - begin), result },
        ...(has !== undefined && { has: license.has(has) }),
        ...(codes !== undefined && { left: codes.map((code) => license.remaining(code)) }),
      });
      if (heard.filter((line) => line.start === starts).length === until) finish();
      if (throws) throw new Error('The callback of the program failed.');
    });
  }
  // Keeps no process alive whose input has ended.
  await Promise.race([enough, sleep(seconds * 1000, null, { ref: false })]);
  license.stop();
  return heard;
}

async function released(license, key) {
  const isReleased = await license.release(key);
  return { released: isReleased, reason: license.releaseReason, detail: license.releaseDetail };
}

async function portal(license, key) {
  const url = await license.portalUrl(key);
  return { url, reason: license.portalReason, detail: license.portalDetail };
}

async function used(license, uses) {
  const kept = [];
  for (const { code, amount } of uses) kept.push(await license.use(code, amount));
  return kept;
}

async function left(license, key, codes) {
  const { ok } = await license.check(key);
  return { ok, left: codes.map((code) => license.remaining(code)) };
}

async function consumed(license, key, uses) {
  await license.check(key);
  const counted = [];
  for (const { code, amount } of uses) counted.push(await license.consume(code, amount));
  return counted;
}

async function trial(license, by) {
  const key = await license.startTrial(by);
  return { key, reason: license.trialReason, detail: license.trialDetail };
}

async function checked(license, key, has) {
  const result = await license.check(key);
  return has === undefined ? result : { ...result, has: license.has(has) };
}

const dateOf = (text) => text && new Date(text);
const messageOf = ({ result, lang }) => {
  const { graceUntil, offlineUntil } = result;
  return messageFor({ ...result, graceUntil: dateOf(graceUntil), offlineUntil: dateOf(offlineUntil) }, lang);
};

const optionsOf = ({ machine_id: machineId, app_version: appVersion, released_on: releasedOn, ...more }) => {
  const { clock, uptime, log, machine_name: machineName, ...rest } = more;
  return {
    ...{ ...rest, machineId, machineName, appVersion, releasedOn },
    ...(clock !== undefined && { clock: () => clock }),
    ...(uptime !== undefined && { uptime: () => uptime }),
    ...(log !== undefined && { log: (code, message) => appendFileSync(log, `${code} ${message}\n`) }),
  };
};

async function run({ do: command, key, has, uses, codes, email, name, ...asked }) {
  const { rounds, for: seconds, starts, until, wait, throws, ...config } = asked;
  const open = () => new License(optionsOf(config));
  if (command === 'open') return errorOf(open);
  const license = open();
  if (command === 'release') return license.release(key);
  if (command === 'release-why') return released(license, key);
  if (command === 'portal') return portal(license, key);
  if (command === 'use') return used(license, uses);
  if (command === 'left') return left(license, key, codes);
  if (command === 'remaining') return codes.map((code) => license.remaining(code));
  if (command === 'consume') return consumed(license, key, uses);
  if (command === 'trial') return trial(license, { email, name });
  if (command === 'cached') return cached(license, key, rounds);
  if (command === 'start')
    return started(license, key, { for: seconds, starts, until, wait, throws, has, codes });
  return checked(license, key, has);
}

const KEYS = [
  {
    kid: '-',
    x: 'yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk',
    y: 'CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k',
  },
];
const machineIdOf = ({ software, store = 'machine', machine_id: machineId, instance }) =>
  new License({ server: 'https://localhost', software, keys: KEYS, store, machineId, instance }).machineId();

async function answer(command) {
  if (command.do === 'vectors') return vectors(command.file);
  if (command.do === 'machine-id') return machineIdOf(command);
  return command.do === 'message' ? messageOf(command) : run(command);
}

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const [command, argument] = process.argv.slice(2);
if (command === 'serve') {
  for await (const line of createInterface({ input: process.stdin })) print(await answer(JSON.parse(line)));
} else if (command === 'vectors') print(await vectors(argument));
else if (command === 'machine-id') print(await machineIdOf({ software: argument }));
else print(await run({ ...(await readJson(argument)), do: command }));
