import { copyFileSync } from 'node:fs';
import { createLicense } from '../factories.ts';
import { attacker, realToken } from './attacks.ts';
import {
  FILE_HEADER,
  keyedBy,
  keyHash,
  newPair,
  signedBy,
  unsigned,
  wishedClaims,
  withClaims,
} from './forge.ts';
import { CALLS, type Call, type Config, DAY, MACHINE, nowInSeconds, readStore, type Scene } from './scene.ts';

/** A change of the program's store by the user, without a network. */
export type StoreAttack = {
  name: string;
  /** @returns the options of the program, and the expected reason */
  prepare: (scene: Scene, good: Config) => Promise<Partial<Config> & { reason: string }>;
};

const lost = { reason: 'no_connection' };

/** A store whose token is replaced with the result of `make`. */
const storeWith = (scene: Scene, good: Config, make: (token: string, kid: string) => string) => {
  const store = readStore(good.store);
  return scene.write({ ...store, token: make(store.token, good.keys[0]!.kid) });
};
const wished = (scene: Scene, call: Call | 'file' = 'heartbeat') => {
  const { license_key } = scene.license;
  return wishedClaims({ software: scene.software.code, machine_id: MACHINE, license_key }, call);
};

const fileFor = async (scene: Scene, machine_id: string, license = scene.license) => {
  const body = { machine_id, ttl_days: 10 };
  const { text } = await scene.testApp.call('POST', `/licenses/api/licenses/${license.id}/file/`, { body });
  return text;
};
const asFile = (token: string) => `-----BEGIN LICENSE FILE-----\n${token}\n-----END LICENSE FILE-----\n`;

export const STORE_ATTACKS: StoreAttack[] = [
  {
    name: 'store: forged token',
    prepare: async (scene, good) => ({
      store: storeWith(scene, good, (_token, kid) => signedBy(attacker, wished(scene), kid)),
      ...lost,
    }),
  },
  {
    name: 'store: alg none',
    prepare: async (scene, good) => ({
      store: storeWith(scene, good, (_token, kid) => unsigned(wished(scene), kid)),
      ...lost,
    }),
  },
  {
    name: 'store: alg HS256 with the public key (PEM)',
    prepare: async (scene, good) => {
      const pem = await scene.currentPem();
      return { store: storeWith(scene, good, (_token, kid) => keyedBy(pem, wished(scene), kid)), ...lost };
    },
  },
  {
    name: 'store: the end of the token moved',
    prepare: async (scene, good) => ({
      store: storeWith(scene, good, (token) =>
        withClaims(token, { exp: nowInSeconds() + 999 * DAY, license_expires: null }),
      ),
      ...lost,
    }),
  },
  {
    name: 'store: copied to another machine',
    prepare: async (scene, good) => {
      const store = scene.newPath();
      copyFileSync(good.store, store);
      return { store, machine_id: 'caja-03', ...lost };
    },
  },
  {
    name: 'store: token of another product',
    prepare: async (scene, good) => {
      const { license_key } = await createLicense(scene.testApp);
      const token = await realToken(scene, { machine_id: MACHINE, license_key });
      return { store: storeWith(scene, good, () => token), ...lost };
    },
  },
  {
    name: 'store: token of a retired key',
    prepare: async (_scene, good) => ({
      store: good.store,
      keys: [newPair().jwk, newPair().jwk],
      ...lost,
    }),
  },
  {
    name: 'store: answer for a machine without a seat',
    prepare: async (scene, good) => {
      const { license_key } = await scene.newLicense();
      const body = { license_key, machine_id: MACHINE, nonce: 'x'.repeat(22) };
      const { token } = (await scene.testApp.call('POST', CALLS.validate, { token: null, body })).body;
      const store = scene.write({ ...readStore(good.store), license: keyHash(license_key), token });
      return { store, key: license_key, ...lost };
    },
  },
  {
    name: 'store: token of another key',
    prepare: async (scene, good) => {
      const { license_key } = await scene.newLicense();
      const token = await realToken(scene, { machine_id: MACHINE, license_key });
      return { store: storeWith(scene, good, () => token), ...lost };
    },
  },
  {
    name: 'store: the token of a licence file',
    prepare: async (scene, good) => {
      const text: string = await fileFor(scene, MACHINE);
      const token = text.replace(/-----.*-----/g, '').replace(/\s/g, '');
      return { store: storeWith(scene, good, () => token), ...lost };
    },
  },
  {
    name: 'expired: the days without connection are over',
    prepare: async (_scene, good) => ({
      store: good.store,
      clock: nowInSeconds() + 8 * DAY,
      reason: 'offline_expired',
    }),
  },
  {
    name: 'clock set back by two days',
    prepare: async (_scene, good) => ({
      store: good.store,
      clock: nowInSeconds() - 2 * DAY,
      reason: 'clock_back',
    }),
  },
  {
    name: 'clock set back by two days, and the mark lowered',
    prepare: async (scene, good) => ({
      store: scene.write({ ...readStore(good.store), mark: 0 }),
      clock: nowInSeconds() - 2 * DAY,
      reason: 'clock_back',
    }),
  },
  {
    name: 'clock set back by some hours after the end was seen',
    prepare: async (scene, good) => {
      await scene.check({ ...good, server: scene.nowhere, clock: nowInSeconds() + 7 * DAY + 3600 });
      return { store: good.store, clock: nowInSeconds() + 7 * DAY - 3600, reason: 'offline_expired' };
    },
  },
  {
    name: 'file: of another machine',
    prepare: async (scene) => ({ file: scene.write(await fileFor(scene, 'caja-04')), ...lost }),
  },
  {
    name: 'file: of another product',
    prepare: async (scene) => {
      const license = await createLicense(scene.testApp);
      return { file: scene.write(await fileFor(scene, MACHINE, license)), ...lost };
    },
  },
  {
    name: 'file: of another key',
    prepare: async (scene) => ({
      file: scene.write(await fileFor(scene, MACHINE, await scene.newLicense())),
      ...lost,
    }),
  },
  {
    name: 'file: made of a token that was kept',
    prepare: async (scene, good) => ({
      file: scene.write(asFile(readStore(good.store).token)),
      ...lost,
    }),
  },
  {
    name: 'file: forged',
    prepare: async (scene, good) => ({
      file: scene.write(asFile(signedBy(attacker, wished(scene, 'file'), good.keys[0]!.kid, FILE_HEADER))),
      ...lost,
    }),
  },
  {
    name: 'file: expired',
    prepare: async (scene) => ({
      file: scene.write(await fileFor(scene, MACHINE)),
      clock: nowInSeconds() + 11 * DAY,
      reason: 'offline_expired',
    }),
  },
  {
    name: 'file: its time has not come on this clock',
    prepare: async (scene) => ({
      file: scene.write(await fileFor(scene, MACHINE)),
      clock: nowInSeconds() - 2 * DAY,
      reason: 'future',
    }),
  },
  {
    name: 'file: older than a refusal that was kept',
    prepare: async (scene) => {
      const license = await scene.newLicense();
      const file = scene.write(await fileFor(scene, MACHINE, license));
      await scene.testApp.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, { body: {} });
      const refused = await scene.program({ key: license.license_key });
      await scene.check(refused);
      return { file, store: refused.store, key: refused.key, reason: 'suspended' };
    },
  },
];
