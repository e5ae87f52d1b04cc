import { type SubjectKind, subjectKindOf } from '../../../contract/system/events.ts';
import type { PublishEvent } from '../../context.ts';
import type { EventRow } from '../../db/tables.ts';
import { findClient } from '../clients/clients.queries.ts';
import { findImport, toProgress } from '../imports/imports.queries.ts';
import { findLicenseType } from '../license-types/license-types.queries.ts';
import { findLicenseRow } from '../licenses/licenses.queries.ts';
import { listMails } from '../mail/mails.queries.ts';
import { findAnswer, findPayments } from '../payments/payments.queries.ts';
import { findApiKey } from '../people/api-keys/api-keys.queries.ts';
import { findUserById } from '../people/sign-in/auth.queries.ts';
import { completeUser } from '../people/users/users.queries.ts';
import { findInstallation } from '../programs/installations.queries.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { findSoftware } from '../software/software.queries.ts';
import { findWebhook } from './webhooks.queries.ts';

/** The scope of the event. */
type Scope = Parameters<PublishEvent>[0];
type Read = (scope: Scope, id: number) => Promise<object | undefined>;

/**
 * How to read the record of each kind of event, in the form of the API. Sessions, templates, signing keys and jobs
 * have none, because the event contains everything. A missing kind is a compile error.
 */
const READ: Record<Exclude<SubjectKind, 'settings'>, Read | null> = {
  client: ({ tx, now }, id) => findClient(tx, id, now),
  software: ({ tx, now }, id) => findSoftware(tx, id, now),
  license_type: ({ tx }, id) => findLicenseType(tx, id),
  license: ({ tx, now, timeZone }, id) => findLicenseRow(tx, id, now, timeZone),
  installation: ({ tx, now }, id) => findInstallation(tx, id, now),
  mail: async ({ tx }, id) => {
    const [mail] = await listMails(tx, [id]);
    if (!mail?.contact) return mail;
    const { to_shown: _shown, ...others } = mail;
    return { ...others, to: '•••', to_name: '' };
  },
  user: async ({ tx, now }, id) => {
    const user = await findUserById(tx, id);
    return user && completeUser(tx, user, now);
  },
  api_key: ({ tx }, id) => findApiKey(tx, id),
  // The address is hidden, because whoever has it can see what is to be paid (PAY-02).
  payment_request: async ({ tx, now, timeZone }, id) => {
    const found = await findAnswer(tx, id, { now, timeZone });
    return found && { ...found, url: '•••' };
  },
  payment: async ({ tx }, id) => (await findPayments(tx, [id]))[0],
  webhook: ({ tx, now }, id) => findWebhook(tx, id, now),
  import: async ({ tx }, id) => {
    const row = await findImport(tx, id);
    return row && toProgress(tx, row);
  },
  // Webhooks carry no note (DESK-02).
  note: null,
  session: null,
  mail_template: null,
  signing_key: null,
  job: null,
};

/** Fields that no webhook message contains: notes and tax data (HOOK-01), tags and contacts (DESK-02, DESK-04). */
const HIDDEN: ReadonlySet<string> = new Set([
  ...['notes', 'tax_id', 'tax_regime', 'cfdi_use', 'tax_condition', 'tags', 'contacts', 'contact'],
]);

/** An object without the fields in {@link HIDDEN}. */
export const withoutHidden = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !HIDDEN.has(field))) as Partial<Values>;

/** The record of an event, in its state within the event's transaction; null for a kind without a record. */
export async function recordOf(scope: Scope, { type, subject_id: id }: EventRow): Promise<object | null> {
  const kind = subjectKindOf(type);
  if (kind === 'settings') return withoutHidden(await readSettings(scope.tx));
  const found = id === null ? undefined : await READ[kind]?.(scope, id);
  return found === undefined ? null : withoutHidden(found);
}
