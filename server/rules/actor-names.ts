import type { Principal } from '../principal.ts';

/** The part of an email address before '@', which is enough to recognize the person; other names as they are. */
const nameAlone = (name: string) => name.replace(/^([^\s@]+)@\S+$/, '$1');

/**
 * How a caller sees who of the staff did something. Without audit:read, a name that is an email address is shortened
 * (EVENT-05).
 */
export const shownActorTo = ({ permissions }: Pick<Principal, 'permissions'>) => {
  const isWhole = permissions.has('audit:read');
  return <Actor extends { kind: string; name: string }>(actor: Actor): Actor =>
    isWhole || (actor.kind !== 'user' && actor.kind !== 'api_key')
      ? actor
      : { ...actor, name: nameAlone(actor.name) };
};
