import type { ActorKind } from '../../../contract/system/events.ts';
import { readDay, readId, searchReader } from '../../search-fields.ts';

const ACTOR_KINDS: readonly ActorKind[] = ['user', 'api_key', 'machine', 'client', 'system'];

/** The filters of 'Auditoría', by their API names (EVENT-05, EVENT-08). */
export const readAuditSearch = searchReader((raw) => ({
  /**
   * Event types separated by commas. Only the form is checked here, because the list of types is loaded with the audit
   * screen.
   */
  type: /^[a-z_]+\.[a-z_]+(,[a-z_]+\.[a-z_]+)*$/.test(String(raw.type)) ? String(raw.type) : undefined,
  actor_kind: ACTOR_KINDS.find((kind) => kind === raw.actor_kind),
  user: readId(raw.user),
  client: readId(raw.client),
  license: readId(raw.license),
  software: readId(raw.software),
  from: readDay(raw.from),
  to: readDay(raw.to),
}));
export type AuditSearch = ReturnType<typeof readAuditSearch>;
