import { readCsvCell } from '../../../contract/base/csv-cell.ts';
import { NOTES_PATH } from '../../../contract/notes/note-words.ts';
import type { Note } from '../../../contract/notes/notes.ts';
import type { Db } from '../../db/tables.ts';
import { cellText, type SheetCell } from '../../lib/workbook/cell-value.ts';
import type { Scope } from '../../scope.ts';
import { idsOfClient } from '../events/events.queries.ts';
import { type ImportOptions, optionsOf } from '../imports/import-options.ts';
import { readerOf, type SheetRow } from '../imports/import-source.ts';
import { clearBounce } from '../mail/bounces.queries.ts';
import { mailsOfClient, mentions } from './personal-rows.queries.ts';
import { isTelling, type PersonalValues, withoutPersonal } from './personal-values.ts';

/**
 * Erases copies of a client's data outside of its records: mails, webhook messages, imports, stored answers and other
 * stored results.
 */

/** Empties the mails to a client; a waiting mail is cancelled. */
export async function eraseMails({ tx }: Scope, client: number, { emails }: PersonalValues): Promise<void> {
  const nothing = {
    to_name: '',
    to_address: '',
    subject: '',
    body_text: '',
    body_html: '',
    last_error: null,
    sealed: null,
  };
  const empty = { ...nothing, headers: '{}', secrets: '[]' };
  const ids = mailsOfClient(tx, client).select('id');
  await tx
    .updateTable('outbox')
    .set({ status: 'cancelled' })
    .where('id', 'in', ids)
    .where('status', '=', 'queued')
    .execute();
  await tx.updateTable('outbox').set(empty).where('id', 'in', ids).execute();
  for (const email of emails) await clearBounce(tx, email);
  await tx.deleteFrom('reminded_clients').where('client_id', '=', client).execute();
  await tx.deleteFrom('client_merge_links').where('client_id', '=', client).execute();
}

/**
 * Empties the webhook messages about a client; a waiting message is given up.
 * @param clients the client, and those that were merged into it
 * @param others events about other records that contained the client's name
 */
export async function eraseDeliveries(
  { tx, now }: Scope,
  clients: number[],
  others: number[],
  values: PersonalValues,
): Promise<void> {
  const own = tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('event_id', 'in', idsOfClient(...clients))
    .where('type', '<>', 'client.erased');
  await tx.updateTable('webhook_attempts').set({ answer: null }).where('delivery_id', 'in', own).execute();
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', finished_at: now.toISOString() })
    .where('id', 'in', own)
    .where('status', '=', 'waiting')
    .execute();
  await tx.updateTable('webhook_deliveries').set({ body: '{}' }).where('id', 'in', own).execute();
  if (others.length === 0) return;
  const rows = await tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'body'])
    .where('event_id', 'in', others)
    .execute();
  for (const { id, body } of rows) {
    await tx
      .updateTable('webhook_deliveries')
      .set({ body: cleanJson(body, values) })
      .where('id', '=', id)
      .execute();
  }
}

const cleanJson = (text: string, values: PersonalValues): string =>
  text === '' ? text : JSON.stringify(withoutPersonal(JSON.parse(text), values));

/** Erases the person's texts from stored answers, results of bulk calls, figures of reports and saved views. */
export async function eraseKept(
  { tx }: Scope,
  words: readonly string[],
  values: PersonalValues,
): Promise<void> {
  const answers = await tx
    .selectFrom('idempotency_keys')
    .select(['key', 'body'])
    .where(mentions('body', words))
    .execute();
  for (const { key, body } of answers) {
    await tx
      .updateTable('idempotency_keys')
      .set({ body: cleanJson(body, values) })
      .where('key', '=', key)
      .execute();
  }
  const jobs = await tx
    .selectFrom('bulk_jobs')
    .select(['id', 'failed'])
    .where(mentions('failed', words))
    .execute();
  for (const { id, failed } of jobs) {
    await tx
      .updateTable('bulk_jobs')
      .set({ failed: cleanJson(failed, values) })
      .where('id', '=', id)
      .execute();
  }
  // Deleted figures are computed again when needed.
  await tx.deleteFrom('report_figures').where(mentions('figures', words)).execute();
  await eraseViews(tx, values);
}

/**
 * Empties the texts of notes in stored answers. They are found by the client, because a changed note has said something
 * else before.
 */
export async function eraseNoteAnswers({ tx }: Scope, client: number): Promise<void> {
  const answers = await tx
    .selectFrom('idempotency_keys')
    .select(['key', 'body'])
    .where('key', 'like', `% ${NOTES_PATH}%`)
    .execute();
  for (const { key, body } of answers) {
    const answer = JSON.parse(body) as Note;
    if (answer.client.id !== client) continue;
    await tx
      .updateTable('idempotency_keys')
      .set({ body: JSON.stringify({ ...answer, text: '' }) })
      .where('key', '=', key)
      .execute();
  }
}

/** Removes filters with the person's texts from saved views. */
async function eraseViews(tx: Db, values: PersonalValues): Promise<void> {
  for (const { id, query } of await tx.selectFrom('saved_views').select(['id', 'query']).execute()) {
    const filters = new URLSearchParams(query);
    const personal = [...filters].filter(([, value]) => isTelling(value, values));
    if (personal.length === 0) continue;
    for (const [name] of personal) filters.delete(name);
    await tx
      .updateTable('saved_views')
      .set({ query: String(filters) })
      .where('id', '=', id)
      .execute();
  }
}

/**
 * Erases what imports stored about the person: what they would give back to the client's records, or to others that say
 * something about the person, can no longer be undone; cells that were shown or corrected are emptied.
 */
export async function eraseImportFindings(
  { tx }: Scope,
  client: number,
  words: readonly string[],
  values: PersonalValues,
): Promise<void> {
  const own = tx.selectFrom('licenses').select('id').where('client_id', '=', client);
  await tx
    .updateTable('import_changes')
    .set({ before: '{"values":{}}', version: '' })
    .where('before', 'is not', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'clients'), eb('record_id', '=', client)]),
        eb.and([eb('kind', '=', 'licenses'), eb('record_id', 'in', own)]),
        mentions('before', words),
      ]),
    )
    .execute();
  const imports = await tx.selectFrom('imports').select(['id', 'options', 'findings', 'forecast']).execute();
  for (const { id, options, findings, forecast } of imports) {
    const clean = {
      options: cleanJson(options, values),
      findings: cleanJson(findings, values),
      forecast: forecast && cleanJson(forecast, values),
    };
    const isSame = clean.options === options && clean.findings === findings && clean.forecast === forecast;
    if (!isSame) await tx.updateTable('imports').set(clean).where('id', '=', id).execute();
  }
}

/** Empties the rows of uploaded files that are about the person; stored errors contain no values. */
export async function eraseImports({ tx }: Scope, values: PersonalValues): Promise<void> {
  const isAbout = (cells: readonly SheetCell[]) =>
    cells.some((cell) => isTelling(readCsvCell(cellText(cell)), values));
  const imports = await tx.selectFrom('imports').select(['id', 'sample', 'options']).execute();
  for (const { id, sample, options } of imports) {
    const { source } = optionsOf({ options });
    // Rows may be kept in another encoding than the one in which they are read.
    const read = await readerOf(source);
    const isRowAbout = (cells: readonly SheetCell[]) =>
      isAbout(cells) || isAbout(cells.map((cell) => (typeof cell === 'string' ? read(cell) : cell)));
    const rows = JSON.parse(sample) as string[][];
    const clean = rows.map((cells) => (isAbout(cells) ? cells.map(() => '') : cells));
    const chunks = await tx
      .selectFrom('import_chunks')
      .select(['import_id', 'position'])
      .where('import_id', '=', id)
      .execute();
    let isErased = rows.some(isAbout);
    // One chunk at a time, because a file may have a hundred thousand rows.
    for (const chunk of chunks) if (await eraseChunk(tx, chunk, isRowAbout)) isErased = true;
    if (!isErased) continue;
    await tx
      .updateTable('imports')
      .set({ sample: JSON.stringify(clean), options: JSON.stringify(withoutWords(options)) })
      .where('id', '=', id)
      .execute();
  }
}

/** The options of an import without the words of its file that show its encodings. */
function withoutWords(options: string): ImportOptions {
  const all = optionsOf({ options });
  if (!all.source) return all;
  const { choices, broken } = all.source;
  return {
    ...all,
    source: {
      ...all.source,
      choices: choices.map((choice) => ({ ...choice, sample: '' })),
      broken: Object.fromEntries(
        Object.entries(broken).map(([encoding, found]) => [encoding, { ...found, word: '' }]),
      ),
    },
  };
}

/** @returns whether the chunk had such a row */
async function eraseChunk(
  tx: Db,
  { import_id, position }: { import_id: number; position: number },
  isAbout: (cells: readonly SheetCell[]) => boolean,
): Promise<boolean> {
  const stored = await tx
    .selectFrom('import_chunks')
    .select('rows')
    .where('import_id', '=', import_id)
    .where('position', '=', position)
    .executeTakeFirst();
  if (!stored) return false;
  const rows = JSON.parse(stored.rows) as SheetRow[];
  const erased = rows.filter(([, ...cells]) => isAbout(cells)).map(([number]) => number);
  if (erased.length === 0) return false;
  const clean = rows.map(([number, ...cells]) =>
    erased.includes(number) ? [number, ...cells.map(() => '')] : [number, ...cells],
  );
  await tx
    .updateTable('import_chunks')
    .set({ rows: JSON.stringify(clean) })
    .where('import_id', '=', import_id)
    .where('position', '=', position)
    .execute();
  await tx
    .updateTable('import_errors')
    .set({ message: 'Los datos de esta fila se borraron' })
    .where('import_id', '=', import_id)
    .where('row', 'in', erased)
    .execute();
  return true;
}
