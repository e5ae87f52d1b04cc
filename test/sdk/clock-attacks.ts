import { FILE_HEADER, type ForgedPair, newPair, signedBy, wishedClaims } from './forge.ts';
import { type Config, DAY, MACHINE, nowInSeconds, readStore, type Scene } from './scene.ts';
import type { StoreAttack } from './store-attacks.ts';

/** Attacks on the time that an offline program uses (docs/offline.md, The clock). */

const HOUR = 60 * 60;

/** An offline program that runs some hours after its last call, with a given value of the uptime counter. */
export function lateProgram(scene: Scene, good: Config) {
  const { clock } = readStore(good.store);
  const at = (hours: number, uptime: number): Config => ({
    ...good,
    ...{ server: scene.nowhere, clock: clock + hours * HOUR, uptime },
  });
  return { at, check: (hours: number, uptime: number) => scene.check(at(hours, uptime)) };
}

/** A license file for the machine of the tests. Issue time and end are in days from now. */
export function fileOf(
  scene: Scene,
  pair: ForgedPair,
  issued: number,
  end: number,
  changes: object = {},
): string {
  const now = nowInSeconds();
  const asked = {
    ...{ software: scene.software.code, machine_id: MACHINE },
    license_key: scene.license.license_key,
  };
  const [iat, exp] = [now + Math.round(issued * DAY), now + Math.round(end * DAY)];
  const claims = wishedClaims(asked, 'file', { iat, nbf: iat, exp, ...changes });
  const token = signedBy(pair, claims, pair.jwk.kid, FILE_HEADER);
  return scene.write(`-----BEGIN LICENSE FILE-----\n${token}\n-----END LICENSE FILE-----\n`);
}

/** A computer without network that uses license files. Days are counted from now. */
export async function fileProgram(scene: Scene) {
  const pair = newPair();
  const config = await scene.program({ server: scene.nowhere, keys: [pair.jwk] });
  const [now, first] = [nowInSeconds(), fileOf(scene, pair, 0, 30)];
  let uptime = 1_000_000;
  const at = (day: number, file = first): Config => {
    // The uptime decreases each time, so that no time between two starts is measured.
    uptime -= 1;
    return { ...config, file, clock: now + Math.round(day * DAY), uptime };
  };
  const check = (day: number, file?: string) => scene.check(at(day, file));
  return { at, check, file: (issued: number, end: number) => fileOf(scene, pair, issued, end) };
}

export const CLOCK_ATTACKS: StoreAttack[] = [
  {
    name: 'clock set back again and again, by less than a day each time',
    prepare: async (scene, good) => {
      const { at, check } = lateProgram(scene, good);
      for (const [step, hours] of [23, 0, 5].entries()) await check(hours, 100 - step);
      return { ...at(3, 90), reason: 'clock_back' };
    },
  },
  {
    name: 'clock that stands still while the program runs',
    prepare: async (scene, good) => {
      const { at, check } = lateProgram(scene, good);
      await check(1, 1000);
      return { ...at(1, 1000 + 25 * HOUR), reason: 'clock_back' };
    },
  },
  {
    name: 'clock that stands still, and the program started again and again',
    prepare: async (scene, good) => {
      const { at, check } = lateProgram(scene, good);
      for (let start = 0; start < 150; start += 1) await check(1, 1000 - start);
      return { ...at(1, 10), reason: 'clock_back' };
    },
  },
  {
    name: 'file: an older one, after the clock was set ahead and back',
    prepare: async (scene) => {
      const { at, check, file } = await fileProgram(scene);
      for (const day of [0, 365]) await check(day);
      return { ...at(0, file(-1, 30)), reason: 'clock_back' };
    },
  },
  {
    name: 'file: a later one, for days that were lived through before the clock was set ahead and back',
    prepare: async (scene) => {
      const { at, check, file } = await fileProgram(scene);
      for (let day = 0; day < 29.5; day += 0.9) await check(day);
      await check(400);
      return { ...at(2, file(1, 31)), reason: 'clock_back' };
    },
  },
];
