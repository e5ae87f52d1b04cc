import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { fromMinorUnits } from '../../../contract/base/money.ts';
import { CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import { shownUrl } from '../../../contract/system/webhooks.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { BATCH } from '../../lists/batches.ts';
import { clientDetailsOf } from '../clients/client.record.ts';
import { findClient } from '../clients/clients.queries.ts';
import { eventList } from '../events/event-list.ts';
import { idsOfClient } from '../events/events.queries.ts';
import { findMail } from '../mail/mails.queries.ts';
import { answersOf, findPayments } from '../payment-requests/payment-request.queries.ts';
import { listChecksOfLicense } from '../programs/checks/checks.queries.ts';
import { mailsOfClient } from './personal-rows.queries.ts';

/**
 * All stored data about a client, as JSON in parts. Mails and events may be many, so they are read in batches.
 * @throws notFound (404)
 */
export async function clientDataOf(
  { db, now, config }: Pick<AppContext, 'db' | 'now' | 'config'>,
  id: number,
): Promise<AsyncGenerator<string>> {
  const at = now();
  const { timeZone } = config;
  const client = await findClient(db, id, at);
  if (!client) throw notFound(CLIENT_MESSAGES.notFound);
  const details = await clientDetailsOf({ tx: db, now: at, timeZone }, client);
  const reminded = db.selectFrom('reminded_clients').select('reminded_on').where('client_id', '=', id);
  const head = {
    exported_at: at.toISOString(),
    client: details,
    terms: await termsOf(db, id),
    certificates: await db
      .selectFrom('license_certificates')
      .select(['license_id as license', 'code', 'created_at'])
      .where('client_id', '=', id)
      .execute(),
    ...(await paymentsOf(db, id, { now: at, timeZone })),
    reminded_on: (await reminded.executeTakeFirst())?.reminded_on ?? null,
    webhook_messages: await messagesOf(db, id),
  };
  return json(head, {
    mails: inOwnTurns(db, id),
    checks: checksInTurns(db, id, at),
    events: eventList.export(db, { client: id }, { now: at, timeZone }),
  });
}

/** One JSON object: the fields of `head`, and lists that are read in batches. */
async function* json(head: object, lists: Record<string, AsyncIterable<unknown[]>>): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, batches] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:[`;
    let separator = '';
    for await (const rows of batches) {
      yield separator + rows.map((row) => JSON.stringify(row)).join(',');
      separator = ',';
    }
    yield ']';
  }
  yield '}';
}

async function* inOwnTurns(db: Db, client: number): AsyncGenerator<unknown[]> {
  for (const { id } of await mailsOfClient(db, client).select('id').orderBy('id').execute()) {
    yield [mustExist(await findMail(db, id), `mail ${id}`)];
    await yieldToRequests();
  }
}

/** The recent calls of the client's programs (SELL-07). */
async function* checksInTurns(db: Db, client: number, now: Date): AsyncGenerator<unknown[]> {
  const licenses = db.selectFrom('licenses').select('id').where('client_id', '=', client).orderBy('id');
  for (const { id } of await licenses.execute()) {
    const checks = await listChecksOfLicense(db, id, now);
    if (checks.length > 0) yield checks;
    await yieldToRequests();
  }
}

async function termsOf(db: Db, client: number) {
  const rows = await db
    .selectFrom('license_terms')
    .innerJoin('licenses', 'licenses.id', 'license_terms.license_id')
    .select(['license_terms.license_id as license', 'license_terms.kind', 'license_terms.starts'])
    .select(['license_terms.ends', 'license_terms.covers_until'])
    .select(['license_terms.price_cents', 'license_terms.currency'])
    .select('license_terms.created_at')
    .where('licenses.client_id', '=', client)
    .orderBy('license_terms.id')
    .execute();
  return rows.map(({ price_cents, ...term }) => ({
    ...term,
    price: fromMinorUnits(price_cents, term.currency),
  }));
}

/** The client's payment requests and payments, without the addresses of payment pages. */
async function paymentsOf(db: Db, client: number, moment: { now: Date; timeZone: string }) {
  const own = db.selectFrom('payment_requests').selectAll().where('client_id', '=', client).orderBy('id');
  const paid = db.selectFrom('payments').select('id').where('client_id', '=', client);
  const payments = await findPayments(
    db,
    (await paid.execute()).map(({ id }) => id),
  );
  return {
    payment_requests: await answersOf(db, await own.execute(), moment),
    payments: payments.sort((one, other) => one.id - other.id),
  };
}

async function messagesOf(db: Db, client: number) {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhooks.url', 'webhook_deliveries.type', 'webhook_deliveries.status'])
    .select('webhook_deliveries.created_at')
    .where('webhook_deliveries.event_id', 'in', idsOfClient(client))
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(BATCH)
    .execute();
  return rows.map((row) => ({ ...row, url: shownUrl(row.url) }));
}
