import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { bouncedAt } from '../mail/bounces.queries.ts';
import { queueContactMail, queueMail } from '../mail/queue-mail.ts';
import { clientVariables, licenseVariables, whenItEnds } from '../mail-templates/license-variables.ts';
import { type ReminderPayment, reminderPayment } from '../payments/client-payment.ts';
import { dueMark, type ReminderRun } from './due-mark.ts';
import { claimDay, insertReminders, lockReminded, remindedContacts, unsent } from './reminders.queries.ts';

/**
 * Queues one mail about all licences of a client that reached a mark, with an event for each licence (LIFE-08), and the
 * same for each contact that gets reminders (DESK-04). Client and contacts opt out, and refuse mail, each by itself.
 * Marks, mail and events are stored in one transaction, so no reminder is sent twice or forgotten.
 * @param ids the licences that may be due; their present values are read again after locking them
 */
export async function remindClient(
  scope: Scope,
  clientId: number,
  ids: number[],
  run: ReminderRun & { demo: boolean },
): Promise<void> {
  const { tx, now } = scope;
  // Licences are locked before the client's row, as in all changes of a licence, to prevent deadlocks.
  const locked = await lockReminded(tx, clientId, ids);
  const due = await unsent(
    tx,
    locked.flatMap((license) => {
      const mark = dueMark(license, { ...run, now });
      return mark === null ? [] : [{ license_id: license.id, term_id: license.term_id, mark }];
    }),
  );
  if (due.length === 0) return;
  const client = await findAddressee(scope, clientId);
  if (!client) return;
  const isToClient = client.reminders && (await bouncedAt(tx, client.email)) === null;
  const contacts = await remindedContacts(tx, clientId);
  if (!isToClient && contacts.length === 0) return;
  const token = await claimDay(tx, clientId, run.today);
  if (token === undefined) return;
  await insertReminders(tx, due, now);
  const licenses: LicenseRow[] = [];
  for (const { license_id } of due) {
    licenses.push(mustExist(await licenseRecord.find(scope, license_id), `license ${license_id}`));
  }
  const payment = await reminderPayment(scope, licenses, run);
  if (isToClient) await queueMail(scope, reminder(scope, client, licenses, { token, payment }));
  for (const { name, email, token: own } of contacts) {
    const mail = reminder(scope, client, licenses, { token: own, payment });
    await queueContactMail(scope, { ...mail, to: { name, address: email } });
  }
  for (const license of licenses)
    await record(scope, { type: 'license.reminded', ...licenseRecord.about(license) });
}

type Addressee = { id: number; name: string; company: string; email: string };

const findAddressee = ({ tx }: Scope, id: number) =>
  tx
    .selectFrom('clients')
    .where('id', '=', id)
    .select(['id', 'name', 'company', 'email', 'reminders'])
    .executeTakeFirst();

/** The mail to a client, with the unsubscribe link of the token. */
function reminder(
  { now, timeZone, clientUrl }: Scope,
  client: Addressee,
  licenses: LicenseRow[],
  { token, payment }: { token: string; payment: ReminderPayment | null },
) {
  const { name, email } = client;
  return {
    kind: 'license_reminder' as const,
    to: { name, address: email },
    client: client.id,
    unsubscribeUrl: unsubscribeUrl(clientUrl, token),
    payRequest: payment?.request,
    variables: {
      client: clientVariables(client),
      licenses: licenses.map((license) => licenseVariables(license, now, timeZone)),
      count: licenses.length,
      when: whenTheyEnd(licenses, now, timeZone),
      payment_url: payment?.url ?? null,
    },
  };
}

const unsubscribeUrl = (publicUrl: string, token: string) => `${publicUrl}/licenses/api/unsubscribe/${token}`;

/** When licences end, as a text: 'vence en 7 días', 'vencieron ayer', 'vencen pronto'. */
function whenTheyEnd(licenses: LicenseRow[], now: Date, timeZone: string): string {
  const words = new Set(licenses.map(({ expiry_date }) => whenItEnds(expiry_date, now, timeZone)));
  const [first = ''] = words;
  if (licenses.length === 1) return first;
  if (words.size === 1) return first.replace(/^vence /, 'vencen ').replace(/^venció /, 'vencieron ');
  return [...words].every((text) => text.startsWith('venció')) ? 'ya vencieron' : 'vencen pronto';
}
