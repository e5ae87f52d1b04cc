import { MAIL_MESSAGES } from '../../../contract/mail/mails.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db, OutboxRow } from '../../db/tables.ts';
import { withPayCode } from '../../rules/pay-address.ts';
import type { Scope } from '../../scope.ts';
import { isSameKey, markedLicenses, withKeys, withMarksOf } from '../mail-templates/mailed-keys.ts';
import { keyWordOf } from './mail-secrets.ts';
import type { OutboxForm } from './outbox-form.ts';

/** Fills the keys that licences have today into a stored mail, which has marks in their place (decision 113). */

/** Why a mail cannot get its keys again, as a message for people. */
type Refusal = { refusal: string };

/**
 * The outbox form of a copy of a mail, with the present keys of its licences.
 * @returns null for a mail without marks of keys; a refusal if a licence was deleted, or if it has another key and
 * another client now: the earlier client must not get the new key
 */
export async function withPresentKeys(
  { tx, secrets: box }: Pick<Scope, 'tx' | 'secrets'>,
  row: OutboxRow,
): Promise<OutboxForm | Refusal | null> {
  const word = keyWordOf(row.secrets);
  if (word === null) return null;
  const stored = { subject: row.subject, text: row.body_text, html: row.body_html };
  const marked = markedLicenses(stored, word);
  const keys = new Map<number, string>();
  for (const { id, license_key, client_id } of await keysOf(tx, [...marked.keys()])) {
    const isForeign = row.client_id !== null && row.client_id !== client_id;
    if (isForeign && !isSameKey(marked.get(id), license_key)) return { refusal: MAIL_MESSAGES.otherClient };
    keys.set(id, license_key);
  }
  if (keys.size < marked.size) return { refusal: MAIL_MESSAGES.licenseGone };
  const content = withMarksOf(stored, { word, keys });
  return {
    subject: content.subject,
    body_text: content.text,
    body_html: content.html,
    secrets: JSON.parse(row.secrets),
    sealed: withKeys(withPayCode(box, content, row.secrets), { word, keys }),
  };
}

const keysOf = (tx: Db, ids: number[]) =>
  tx
    .selectFrom('licenses')
    .select(['id', 'license_key', 'client_id'])
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .execute();
