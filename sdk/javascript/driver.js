// The commands of the tests (../README.md, The driver): node driver.js vectors|check|release|machine-id|serve …
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { judge, License } from './license.js';

const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

async function vectors(path) {
  const { audience: software, machine_id: machineId, license_key: own, keys, cases } = await readJson(path);
  const judged = async ({ name, kind, input, license_key: licenseKey = own, call, nonce, clock, mark }) => ({
    name,
    ...(await judge(kind, input, { keys, software, machineId, licenseKey, call, nonce, clock, mark })),
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

async function run({ do: command, key, has, file, ...config }) {
  if (command === 'vectors') return vectors(file);
  const { machine_id: machineId, app_version: appVersion, clock, uptime, ...rest } = config;
  const open = () =>
    new License({
      ...rest,
      ...{ file, machineId, appVersion },
      ...(clock !== undefined && { clock: () => clock }),
      ...(uptime !== undefined && { uptime: () => uptime }),
    });
  if (command === 'open') return errorOf(open);
  const license = open();
  if (command === 'release') return license.release(key);
  const result = await license.check(key);
  return has === undefined ? result : { ...result, has: license.has(has) };
}

const KEYS = [
  {
    kid: '-',
    x: 'yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk',
    y: 'CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k',
  },
];
const machineIdOf = ({ software, store = 'machine', machine_id: machineId }) =>
  new License({ server: 'https://localhost', software, keys: KEYS, store, machineId }).machineId();

async function answer(command) {
  return command.do === 'machine-id' ? machineIdOf(command) : run(command);
}

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const [command, argument] = process.argv.slice(2);
if (command === 'serve') {
  for await (const line of createInterface({ input: process.stdin })) print(await answer(JSON.parse(line)));
} else if (command === 'vectors') print(await vectors(argument));
else if (command === 'machine-id') print(await machineIdOf({ software: argument }));
else print(await run({ ...(await readJson(argument)), do: command }));
