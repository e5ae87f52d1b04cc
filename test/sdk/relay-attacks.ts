import type { AnswerAttack } from './attacks.ts';
import { answer, type Behaviour } from './gateway.ts';
import { CALLS, type Call, callOf, DAY, MACHINE, proxyOf, type Scene } from './scene.ts';

/** A relay in front of the real server: each of its answers is correctly signed, but for another call (PROG-07). */

const INVENTED = 'NADIE-PAGHH-ESTAC-LAVEX-77777';

/**
 * A relay on the user's computer that forwards some calls as other calls, with changed fields, and the rest unchanged.
 * Without `require_seat` the server answers 'valid' to a machine without a seat.
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

/** A relay that forwards every call as a validation of this licence. */
export const relayOfLicence = (scene: Scene, license_key: string) =>
  relay(scene, ALL_AS_VALIDATE, { license_key });

export const RELAY_ATTACKS: AnswerAttack[] = [
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
];

/** An answer to a use that should not count as one (CODE-01). */
export type UseAttack = {
  name: string;
  /** A relay in front of the server; `code` and `license_key` are those of the program. */
  behave: (scene: Scene, license_key: string) => Promise<Behaviour>;
  /** Of the meter that never begins anew where it is not said; 'diario' begins anew each day. */
  code?: string;
};

const USAGE = '/licenses/api/usage/';
type Used = { code: string; amount: number; request_id: string; at?: string };
const recordsIn = (body: Record<string, unknown>) => body.records as Used[];

/** A relay that sends each use on with changes, after `before`, and everything else as it is. */
const useRelay = (
  scene: Scene,
  change: (record: Used) => Used,
  before: (body: Record<string, unknown>) => Record<string, unknown> | null = () => null,
): Behaviour => {
  const forward = proxyOf(scene.url, {
    question: (body, path) => (path === USAGE ? { ...body, records: recordsIn(body).map(change) } : body),
  });
  return async (question, response) => {
    const first = question.path === USAGE ? before(question.body) : null;
    if (first !== null) {
      const headers = { 'content-type': 'application/json' };
      await fetch(scene.url + USAGE, { method: 'POST', headers, body: JSON.stringify(first) });
    }
    return forward(question, response);
  };
};

const same = (record: Used) => record;

/** A relay that answers each use with 'accepted' and the token that `token` finds. */
const acceptingRelay = (
  scene: Scene,
  token: (body: Record<string, unknown>) => Promise<string | undefined>,
): Behaviour => {
  const forward = proxyOf(scene.url);
  return async (question, response) => {
    if (question.path !== USAGE) return forward(question, response);
    const results = recordsIn(question.body).map((record) => ({ ...record, accepted: true, reason: null }));
    answer(response, 200, { success: true, results, token: await token(question.body) });
  };
};

export const USE_ATTACKS: UseAttack[] = [
  {
    name: 'relay: a use answered by itself, accepted',
    behave: async (scene) => acceptingRelay(scene, async () => undefined),
  },
  {
    name: "relay: a use answered with the server's answer to an earlier one",
    behave: async (scene, license_key) => {
      const { software } = scene;
      const record = { code: 'timbres', amount: 1, request_id: 'f'.repeat(32) };
      const asked = { license_key, machine_id: MACHINE, software: software.code, nonce: 'A'.repeat(22) };
      const { body } = await scene.testApp.call('POST', USAGE, {
        ...{ token: null, body: { ...asked, records: [record] } },
      });
      return acceptingRelay(scene, async () => body.token);
    },
  },
  {
    name: 'relay: a use answered by a heartbeat with its nonce',
    behave: async (scene) =>
      acceptingRelay(scene, async ({ records: _, ...asked }) => {
        const { body } = await scene.testApp.call('POST', CALLS.heartbeat, { token: null, body: asked });
        return body.token;
      }),
  },
  {
    name: 'relay: a use sent on with the key of another licence',
    behave: async (scene) => {
      const other = await scene.newLicense({
        meters: { facturas: { limit: 9000, period: 'never', overage: 'allow' } },
      });
      const { software } = scene;
      const body = { license_key: other.license_key, machine_id: MACHINE, software: software.code };
      await scene.testApp.call('POST', CALLS.activate, { token: null, body });
      return proxyOf(scene.url, {
        question: (asked, path) => (path === USAGE ? { ...asked, license_key: other.license_key } : asked),
      });
    },
  },
  {
    name: 'relay: a use sent on as one of another meter',
    behave: async (scene) => useRelay(scene, (record) => ({ ...record, code: 'timbres' })),
  },
  {
    name: 'relay: a use sent on with a smaller amount',
    behave: async (scene) => useRelay(scene, (record) => ({ ...record, amount: 1 })),
  },
  {
    name: 'relay: a smaller use sent first under the same request_id',
    behave: async (scene) =>
      useRelay(scene, same, (body) => ({
        ...body,
        records: recordsIn(body).map((record) => ({ ...record, amount: 1 })),
      })),
  },
  {
    name: 'relay: a use sent on as one of an earlier day',
    behave: async (scene) => useRelay(scene, (record) => ({ ...record, at: yesterday() })),
    code: 'diario',
  },
  {
    name: 'relay: a use of an earlier day sent first under the same request_id',
    behave: async (scene) =>
      useRelay(scene, same, (body) => ({
        ...body,
        records: recordsIn(body).map((record) => ({ ...record, at: yesterday() })),
      })),
    code: 'diario',
  },
];

const yesterday = () => new Date(Date.now() - DAY * 1000).toISOString();

/** Answers to a release although no seat was released. */
export type ReleaseAttack = { name: string; behave: (scene: Scene) => Promise<Behaviour> };

/** The key of a licence on which the machine has no seat. */
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
