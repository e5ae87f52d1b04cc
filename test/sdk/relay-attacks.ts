import type { AnswerAttack } from './attacks.ts';
import type { Behaviour } from './gateway.ts';
import { CALLS, type Call, callOf, proxyOf, type Scene } from './scene.ts';

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
