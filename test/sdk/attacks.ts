import { copyFileSync } from 'node:fs';
import { createLicense } from '../factories.ts';
import {
  type Claims,
  FILE_HEADER,
  keyedBy,
  keyHash,
  newPair,
  pointOf,
  signedBy,
  unsigned,
  wishedClaims,
  withClaims,
} from './forge.ts';
import { answer, type Behaviour } from './gateway.ts';
import {
  CALLS,
  type Call,
  type Config,
  callOf,
  DAY,
  MACHINE,
  nowInSeconds,
  proxyOf,
  readStore,
  type Scene,
} from './scene.ts';

/**
 * The attacks that every SDK must refuse (PROG-07). Those on the answer come from a fake server or a proxy on the user's
 * computer; those on what was kept from the user, without a network; those on a release from the proxy again. docs/sdks.md has the table, by scripts/sdk-table.ts.
 */

/** A fake server that answers every question with what this makes. */
const fake =
  (make: (claims: Claims) => string, changes: object = {}): Behaviour =>
  ({ path, body }, response) => {
    const call = callOf(path);
    if (call === undefined) return answer(response, 404, {});
    const claims = wishedClaims(body, call, changes);
    return answer(response, 200, { success: true, valid: true, token: make(claims) });
  };

/** A way to answer questions that is no answer of the vendor's server to this program. */
export type AnswerAttack = {
  name: string;
  behave: (scene: Scene) => Promise<Behaviour>;
  /** The keys of the program; the server's by default. */
  keys?: () => Config['keys'];
  /** Other options of the program with an empty store. */
  changes?: Partial<Config>;
};

const INVENTED = 'NADIE-PAGHH-ESTAC-LAVEX-77777';

/**
 * A relay on the user's computer that sends some calls on as others, with fields that it changes, and the rest as they
 * are. Without `require_seat` the server calls a machine without a seat valid.
 */
const relay = (
  scene: Scene,
  asCall: Partial<Record<Call, Call>>,
  change: Record<string, unknown> = {},
): Behaviour => {
  const sentAs = (path: string) => {
    const call = callOf(path);
    return call && asCall[call];
  };
  return proxyOf(scene.url, {
    path: (path) => CALLS[sentAs(path) ?? callOf(path) ?? 'validate'],
    question: (body, path) => {
      if (sentAs(path) === undefined) return body;
      const { require_seat: _seat, ...others } = body;
      return { ...others, ...change };
    },
  });
};

const ALL_AS_VALIDATE = {
  validate: 'validate',
  activate: 'validate',
  heartbeat: 'validate',
  release: 'validate',
} as const;

const attacker = newPair();

/** A token as the real server gives it to a program with these fields. */
async function realToken(scene: Scene, fields: Record<string, unknown>): Promise<string> {
  const asked = { license_key: scene.license.license_key, nonce: 'x'.repeat(22), ...fields };
  await scene.testApp.call('POST', '/licenses/api/installations/', { token: null, body: asked });
  const heartbeat = '/licenses/api/installation/heartbeat/';
  return (await scene.testApp.call('POST', heartbeat, { token: null, body: asked })).body.token;
}

/** A relay that sends every call on as a validation of this licence. */
export const relayOfLicence = (scene: Scene, license_key: string) =>
  relay(scene, ALL_AS_VALIDATE, { license_key });

export const ANSWER_ATTACKS: AnswerAttack[] = [
  {
    name: "forged: signed by another key under the server's kid",
    behave: async (scene) => {
      const [{ kid } = attacker.jwk] = await scene.keys();
      return fake((claims) => signedBy(attacker, claims, kid));
    },
  },
  {
    name: 'unknown kid: signed by another key under its own kid',
    behave: async () => fake((claims) => signedBy(attacker, claims)),
  },
  {
    name: 'another key that stands in the header (jwk)',
    behave: async (scene) => {
      const [{ kid } = attacker.jwk] = await scene.keys();
      const jwk = { kty: 'EC', crv: 'P-256', ...attacker.jwk, kid };
      return fake((claims) => signedBy(attacker, claims, kid, { jwk }));
    },
  },
  {
    name: 'alg none, without a signature',
    behave: async (scene) => {
      const [{ kid } = attacker.jwk] = await scene.keys();
      return fake((claims) => unsigned(claims, kid));
    },
  },
  {
    name: 'alg HS256 with the public key (PEM) as its secret',
    behave: async (scene) => {
      const [{ kid } = attacker.jwk] = await scene.keys();
      const pem = await scene.currentPem();
      return fake((claims) => keyedBy(pem, claims, kid));
    },
  },
  {
    name: 'alg HS256 with the bytes of the public key as its secret',
    behave: async (scene) => {
      const [key = attacker.jwk] = await scene.keys();
      return fake((claims) => keyedBy(pointOf(key), claims, key.kid));
    },
  },
  {
    name: 'a signature of zeros',
    behave: async (scene) => {
      const [{ kid } = attacker.jwk] = await scene.keys();
      const zeros = Buffer.alloc(64).toString('base64url');
      return fake((claims) => unsigned(claims, kid, zeros, 'ES256'));
    },
  },
  {
    name: 'replayed: a good answer to an earlier question',
    behave: async (scene) => {
      const token = await realToken(scene, { machine_id: MACHINE, software: scene.software.code });
      return fake(() => token);
    },
  },
  {
    name: 'tampered: a good answer whose nonce was changed',
    behave: async (scene) => {
      const token = await realToken(scene, { machine_id: MACHINE, software: scene.software.code });
      return fake(({ nonce }) => withClaims(token, { nonce }));
    },
  },
  {
    name: "tampered: the server's refusal made valid",
    behave: async (scene) => {
      const { license_key } = await scene.newLicense({ status: 'suspended' });
      return proxyOf(scene.url, {
        question: (body) => ({ ...body, license_key }),
        answer: (text) => {
          const body = JSON.parse(text);
          return JSON.stringify({ ...body, token: withClaims(body.token, { valid: true, reason: null }) });
        },
      });
    },
  },
  {
    name: 'another machine: the answer that the server gives to it',
    behave: async (scene) => {
      await realToken(scene, { machine_id: 'caja-02' });
      return proxyOf(scene.url, { question: (body) => ({ ...body, machine_id: 'caja-02' }) });
    },
  },
  {
    name: 'another product: the answer for a licence of it',
    behave: async (scene) => {
      const { license_key } = await createLicense(scene.testApp);
      return proxyOf(scene.url, {
        question: ({ software: _software, ...body }) => ({ ...body, license_key }),
      });
    },
  },
  {
    name: 'no seat: a proxy takes require_seat out and hides the heartbeat',
    behave: async (scene) => {
      const { license_key } = await scene.newLicense();
      const proxy = proxyOf(scene.url, {
        question: ({ require_seat: _seat, ...body }) => ({ ...body, license_key }),
      });
      return (question, response) =>
        question.path.includes('validate') ? proxy(question, response) : answer(response, 200, {});
    },
  },
  {
    name: "relay: an invented key, every call sent on as a validation of another's licence",
    behave: async (scene) => {
      const { license_key } = await scene.newLicense();
      return relayOfLicence(scene, license_key);
    },
    changes: { key: INVENTED },
  },
  {
    name: "relay: an invented key, every call sent on as it is with the key of another's licence",
    behave: async (scene) => {
      const { license_key } = await scene.newLicense();
      return proxyOf(scene.url, { question: (body) => ({ ...body, license_key }) });
    },
    changes: { key: INVENTED },
  },
  {
    name: "relay: the server's not_found of another key",
    behave: async (scene) => proxyOf(scene.url, { question: (body) => ({ ...body, license_key: INVENTED }) }),
  },
  {
    name: "relay: the server's refusal of another licence, which is cancelled",
    behave: async (scene) => {
      const { license_key } = await scene.newLicense({ status: 'cancelled' });
      return proxyOf(scene.url, { question: (body) => ({ ...body, license_key }) });
    },
  },
  {
    name: 'relay: the activation answered by a validation',
    behave: async (scene) => relay(scene, { activate: 'validate' }),
    changes: { machine_id: 'caja-09' },
  },
  {
    name: 'relay: the heartbeat answered by a validation, for a machine without a seat',
    behave: async (scene) => relay(scene, ALL_AS_VALIDATE),
    changes: { machine_id: 'caja-09' },
  },
  {
    name: 'relay: the heartbeat answered by a validation, for a machine with a seat',
    behave: async (scene) => relay(scene, { heartbeat: 'validate' }),
  },
  {
    name: 'relay: the heartbeat answered by an activation',
    behave: async (scene) => relay(scene, { heartbeat: 'activate' }),
  },
  {
    name: 'key rotated: signed by a key that the program no longer has, or does not have yet',
    behave: async (scene) => proxyOf(scene.url),
    keys: () => [newPair().jwk, newPair().jwk],
  },
  {
    name: 'a good answer of more than 64 KiB',
    behave: async (scene) => proxyOf(scene.url, { answer: (text) => text + ' '.repeat(64 * 1024) }),
  },
];

/** Something that the user puts in place of what the program kept, without a network. */
export type StoreAttack = {
  name: string;
  /** @returns the options of the program, and the reason that it must give */
  prepare: (scene: Scene, good: Config) => Promise<Partial<Config> & { reason: string }>;
};

const lost = { reason: 'no_connection' };

/** A store with this in place of the token. */
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

/** A way to answer a release that gives no seat back. */
export type ReleaseAttack = { name: string; behave: (scene: Scene) => Promise<Behaviour> };

/** A licence on which the machine has no seat. */
const otherKey = async (scene: Scene) => (await scene.newLicense()).license_key;

export const RELEASE_ATTACKS: ReleaseAttack[] = [
  {
    name: 'relay: the release answered by a validation of another key',
    behave: async (scene) => {
      const license_key = await otherKey(scene);
      return relay(scene, { release: 'validate' }, { license_key, require_seat: true });
    },
  },
  {
    name: 'relay: the release answered by a heartbeat of another key',
    behave: async (scene) => relay(scene, { release: 'heartbeat' }, { license_key: await otherKey(scene) }),
  },
  {
    name: 'relay: the release sent on with another key',
    behave: async (scene) => relay(scene, { release: 'release' }, { license_key: await otherKey(scene) }),
  },
];
