import { createLicense } from '../factories.ts';
import {
  type Claims,
  keyedBy,
  newPair,
  pointOf,
  signedBy,
  unsigned,
  wishedClaims,
  withClaims,
} from './forge.ts';
import { answer, type Behaviour } from './gateway.ts';
import { type Config, callOf, MACHINE, proxyOf, type Scene } from './scene.ts';

/**
 * Attacks that every SDK must resist (PROG-07). This file has those of a fake server or a proxy on the user's
 * computer. Those of a relay are in relay-attacks.ts, and those on the stored token, by a user without a network, in
 * store-attacks.ts. tools/sdk-table.ts writes the table in docs/sdks.md.
 */

/** A fake server that answers every call with the result of `make`. */
const fake =
  (make: (claims: Claims) => string, changes: object = {}): Behaviour =>
  ({ path, body }, response) => {
    const call = callOf(path);
    if (call === undefined) return answer(response, 404, {});
    const claims = wishedClaims(body, call, changes);
    return answer(response, 200, { success: true, valid: true, token: make(claims) });
  };

/** Answers that do not come from the vendor's server, or not for this program's call. */
export type AnswerAttack = {
  name: string;
  behave: (scene: Scene) => Promise<Behaviour>;
  /** The keys in the program; default: the server's. */
  keys?: () => Config['keys'];
  /** Further options of the program, which has an empty store. */
  changes?: Partial<Config>;
};

export const attacker = newPair();

/** The token that the real server gives a program with these fields. */
export async function realToken(scene: Scene, fields: Record<string, unknown>): Promise<string> {
  const asked = { license_key: scene.license.license_key, nonce: 'x'.repeat(22), ...fields };
  await scene.testApp.call('POST', '/licenses/api/installations/', { token: null, body: asked });
  const heartbeat = '/licenses/api/installation/heartbeat/';
  return (await scene.testApp.call('POST', heartbeat, { token: null, body: asked })).body.token;
}

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
    name: 'key rotated: signed by a key that the program no longer has, or does not have yet',
    behave: async (scene) => proxyOf(scene.url),
    keys: () => [newPair().jwk, newPair().jwk],
  },
  {
    name: 'a good answer of more than 64 KiB',
    behave: async (scene) => proxyOf(scene.url, { answer: (text) => text + ' '.repeat(64 * 1024) }),
  },
];
