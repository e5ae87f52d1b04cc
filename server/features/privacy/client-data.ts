import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { sql } from 'kysely';
import { fromMinorUnits } from '../../../contract/base/money.ts';
import { shownUrl } from '../../../contract/system/webhooks.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { BATCH, inBatches } from '../../lists/batches.ts';
import { idsAsText } from '../../lists/statements.ts';
import { gone } from '../../records/save-record.ts';
import { withMerged } from '../../rules/merged-clients.ts';
import { clientRecord, withClientFacts } from '../clients/client.record.ts';
import { findClient } from '../clients/clients.queries.ts';
import { eventList } from '../events/event-list.ts';
import { idsOfClient } from '../events/events.queries.ts';
import { licenseList } from '../licenses/license-list.ts';
import { findMail } from '../mail/mails.queries.ts';
import { noteList } from '../notes/note-list.ts';
import { paymentList, paymentRequestList } from '../payments/payment-lists.ts';
import { listChecksOfLicense } from '../programs/checks/checks.queries.ts';
import { installationList } from '../programs/installation-list.ts';
import { mailsOfClient } from './personal-rows.queries.ts';

/**
 * All stored data about a client, as JSON in parts. It may be much, so every list is read in batches.
 * @throws notFound (404)
 */
export async function clientDataOf(
  { db, now, config }: Pick<AppContext, 'db' | 'now' | 'config'>,
  id: number,
): Promise<AsyncGenerator<string>> {
  const at = now();
  const moment = { now: at, timeZone: config.timeZone };
  const client = await findClient(db, id, at);
  if (!client) throw await gone(db, clientRecord, id);
  const reminded = db.selectFrom('reminded_clients').select('reminded_on').where('client_id', '=', id);
  const own = { client: id };
  const clients = await withMerged(db, id);
  const details = object(await withClientFacts(db, client), {
    licenses: listOf(licensesOf(db, id, moment)),
    installations: rowsOf(installationList.export(db, own, moment)),
  });
  const head = {
    exported_at: at.toISOString(),
    reminded_on: (await reminded.executeTakeFirst())?.reminded_on ?? null,
    webhook_messages: await messagesOf(db, clients),
    merged_clients: await mergesInto(db, id),
  };
  return object(head, {
    client: details,
    terms: rowsOf(termsOf(db, id, moment)),
    certificates: rowsOf(certificatesOf(db, id)),
    notes: rowsOf(noteList.export(db, own, moment)),
    payment_requests: rowsOf(paymentRequestList.export(db, own, moment)),
    payments: rowsOf(paymentList.export(db, own, moment)),
    mails: rowsOf(inOwnTurns(db, id)),
    checks: rowsOf(checksInTurns(db, id, moment)),
    machine_names: rowsOf(namesInTurns(db, id, moment)),
    events: rowsOf(eventList.export(db, { client: clients }, moment)),
  });
}

/** A JSON object: fields, and parts that are written while they are read. */
async function* object(fields: object, parts: Record<string, AsyncIterable<string>>): AsyncGenerator<string> {
  yield JSON.stringify(fields).slice(0, -1);
  for (const [name, part] of Object.entries(parts)) {
    yield `,${JSON.stringify(name)}:`;
    yield* part;
  }
  yield '}';
}

/** A JSON list of items, each of which is written while it is read. */
async function* listOf(items: AsyncIterable<AsyncIterable<string>>): AsyncGenerator<string> {
  let separator = '[';
  for await (const item of items) {
    yield separator;
    yield* item;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** A JSON list of rows that are read in batches. */
async function* rowsOf(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    yield separator + rows.map((row) => JSON.stringify(row)).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

type Moment = { now: Date; timeZone: string };

/** The client's licences, each with all its installations. */
async function* licensesOf(db: Db, client: number, moment: Moment): AsyncGenerator<AsyncIterable<string>> {
  for await (const licenses of licenseList.export(db, { client }, moment)) {
    for (const license of licenses) {
      yield object(license, {
        installations: rowsOf(installationList.export(db, { license: license.id }, moment)),
      });
    }
  }
}

async function* inOwnTurns(db: Db, client: number): AsyncGenerator<unknown[]> {
  const ids = await idsAsText(
    db,
    sql<{ id: number }>`${mailsOfClient(db, client).select('id').orderBy('id')}`,
  );
  for (const id of ids) {
    yield [mustExist(await findMail(db, id), `mail ${id}`)];
    await yieldToRequests();
  }
}

/** The recent calls of the client's programs (SELL-07). */
async function* checksInTurns(db: Db, client: number, moment: Moment): AsyncGenerator<unknown[]> {
  for await (const ids of licenseList.ids(db, { client }, moment)) {
    for (const id of ids) {
      yield await listChecksOfLicense(db, id, moment.now);
      await yieldToRequests();
    }
  }
}

/** The names that the client's machines reported in the last days (INPUT-09). */
async function* namesInTurns(db: Db, client: number, moment: Moment): AsyncGenerator<unknown[]> {
  for await (const ids of licenseList.ids(db, { client }, moment)) {
    for (const id of ids) {
      yield await db
        .selectFrom('machine_names')
        .select(['license_id as license', 'day', 'name', 'machine_id', 'at'])
        .where('license_id', '=', id)
        .orderBy('day')
        .orderBy('name')
        .execute();
      await yieldToRequests();
    }
  }
}

/** The sales of the client's licences, licence by licence. */
async function* termsOf(db: Db, client: number, moment: Moment) {
  for await (const ids of licenseList.ids(db, { client }, moment)) {
    for (const license of ids) {
      const batches = inBatches((after, limit) =>
        db
          .selectFrom('license_terms')
          .select(['id', 'kind', 'starts', 'ends', 'covers_until', 'price_cents', 'currency', 'created_at'])
          .where('license_id', '=', license)
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit)
          .execute(),
      );
      for await (const rows of batches) {
        yield rows.map(({ id: _id, price_cents, ...term }) => ({
          license,
          ...term,
          price: fromMinorUnits(price_cents, term.currency),
        }));
      }
      await yieldToRequests();
    }
  }
}

/** The codes of certificates that were made for the client. */
async function* certificatesOf(db: Db, client: number) {
  const batches = inBatches((after, limit) =>
    db
      .selectFrom('license_certificates')
      .select(['license_id as id', 'code', 'created_at'])
      .where('client_id', '=', client)
      .where('license_id', '>', after)
      .orderBy('license_id')
      .limit(limit)
      .execute(),
  );
  for await (const rows of batches) yield rows.map(({ id: license, ...row }) => ({ license, ...row }));
}

/** The clients that were merged into this one; the events say who they were (MERGE-01). */
const mergesInto = (db: Db, client: number) =>
  db
    .selectFrom('client_merges')
    .select(['from_id as id', 'merged_at'])
    .where('into_id', '=', client)
    .where('merged_at', 'is not', null)
    .orderBy('from_id')
    .execute();

async function messagesOf(db: Db, clients: number[]) {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhooks.url', 'webhook_deliveries.type', 'webhook_deliveries.status'])
    .select('webhook_deliveries.created_at')
    .where('webhook_deliveries.event_id', 'in', idsOfClient(...clients))
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(BATCH)
    .execute();
  return rows.map((row) => ({ ...row, url: shownUrl(row.url) }));
}
