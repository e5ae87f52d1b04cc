import { clientCreate } from '../../../contract/clients/clients.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import { AppError, invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { createClients, type NewClient } from '../clients/save-client.ts';
import { doubtMail } from './doubt-mail.ts';
import { addFinding, parseValues, type RowValues, textOf } from './row-values.ts';

/**
 * Makes the clients that licences name and that do not exist, one for each mail address (INPUT-20). A client is made in
 * the transaction of its licence, and only if that is stored.
 */

/** A client without a phone, which no file of licences has. */
const withoutPhone = clientCreate.omit({ phone: true });

/** The row's columns for the fields of its client. */
const COLUMNS: Readonly<Record<string, string>> = { email: 'client', name: 'client_name' };

const keyOf = (row: RowValues) => mailKey(textOf(row, 'client') ?? '');

/**
 * The client of a row. Where the file has no name, the address is the name.
 * @throws invalid (400) with the wrong fields of the row
 */
function clientOf(row: RowValues, { now }: Scope): NewClient {
  const email = textOf(row, 'client');
  try {
    const values = parseValues(withoutPhone, { email, name: textOf(row, 'client_name') ?? email }, {});
    doubtMail(row, 'client');
    return { values: { ...values, phone: '' }, since: now };
  } catch (error) {
    if (!(error instanceof AppError) || !error.faults) throw error;
    const faults = Object.entries(error.faults).map(([field, found]) => [COLUMNS[field] ?? 'client', found]);
    throw invalid(Object.fromEntries(faults));
  }
}

/** A client that was made for a row, and the key of its address. */
export type MadeClient = { row: RowValues; key: string; id: number };

/**
 * Makes the clients of some rows with different addresses.
 * @throws invalid (400) if one cannot be made
 */
async function makeClients(scope: Scope, rows: readonly RowValues[]): Promise<MadeClient[]> {
  if (rows.length === 0) return [];
  const results = await createClients(
    scope,
    rows.map((row) => clientOf(row, scope)),
  );
  return results.map((id, at) => {
    if (id instanceof AppError) throw id;
    const row = rows[at]!;
    return { row, key: keyOf(row), id };
  });
}

/**
 * Makes the client of one row.
 * @throws invalid (400) with the wrong fields of the row
 */
export async function makeClient(scope: Scope, row: RowValues): Promise<MadeClient> {
  return (await makeClients(scope, [row]))[0]!;
}

/** Records in a row that its client was made. */
export function addNewClient(row: RowValues, id: number): void {
  const text = textOf(row, 'client') ?? '';
  row.newClient = id;
  addFinding(row, { sort: 'new_client', field: 'client', text, value: textOf(row, 'client_name') ?? text });
}

type Clients = Map<string, number>;

/** New rows, some of which name a client that does not exist. */
type Job<Made> = {
  rows: RowValues[];
  /** The clients that exist, by the key of their address; gets those that are made. */
  clients: Clients;
  /** The rows whose client is missing. */
  missing: RowValues[];
  /** Throws the errors of a row, apart from those of its client. */
  test: (row: RowValues, clients: Clients) => void;
  /** Creates the records of rows, and returns the outcome of each in order. */
  create: (rows: RowValues[], clients: Clients) => Promise<(Made | AppError)[]>;
};

/** Some new clients would be left without a record, so everything is taken back and tried without these rows. */
class LeftAlone extends Error {
  readonly refused: ReadonlyMap<RowValues, AppError>;
  constructor(refused: ReadonlyMap<RowValues, AppError>) {
    super('A new client would have no licence.');
    this.refused = refused;
  }
}

/**
 * Creates records together with the clients that they need.
 * @returns for each row, in order, what `create` returned, or why the row was refused
 */
export async function createWithClients<Made>(scope: Scope, job: Job<Made>): Promise<(Made | AppError)[]> {
  if (job.missing.length === 0) return job.create(job.rows, job.clients);
  const refused = refusedAtOnce(scope, job);
  for (;;) {
    const rows = job.rows.filter((row) => !refused.has(row));
    const missing = job.missing.filter((row) => !refused.has(row));
    try {
      const { made, outcomes } = await inSavepoint(scope.tx, () => tryTogether(scope, job, rows, missing));
      for (const { row, key, id } of made) {
        job.clients.set(key, id);
        addNewClient(row, id);
      }
      for (const row of missing) if (textOf(row, 'client_name') === undefined) addMissingName(row);
      const left = [...outcomes];
      return job.rows.map((row) => refused.get(row) ?? left.shift()!);
    } catch (error) {
      if (!(error instanceof LeftAlone)) throw error;
      for (const [row, refusal] of error.refused) refused.set(row, refusal);
    }
  }
}

const addMissingName = (row: RowValues) =>
  addFinding(row, { sort: 'missing', field: 'client_name', text: '', value: textOf(row, 'client') ?? null });

/** The rows that cannot be stored even with their client, each with its errors. */
function refusedAtOnce<Made>(scope: Scope, { missing, clients, test }: Job<Made>): Map<RowValues, AppError> {
  const refused = new Map<RowValues, AppError>();
  for (const row of missing) {
    try {
      test(row, new Map([...clients, [keyOf(row), 1]]));
      clientOf(row, scope);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.set(row, error);
    }
  }
  return refused;
}

/** @throws LeftAlone if every record of a new client was refused */
async function tryTogether<Made>(scope: Scope, job: Job<Made>, rows: RowValues[], missing: RowValues[]) {
  const firsts = [...Map.groupBy(missing, keyOf).values()].map(([first]) => first!);
  const made = await makeClients(scope, firsts);
  const clients = new Map([...job.clients, ...made.map(({ key, id }) => [key, id] as const)]);
  const outcomes = await job.create(rows, clients);
  const outcomeOf = new Map(rows.map((row, at) => [row, outcomes[at]!]));
  const isStored = (row: RowValues) => !(outcomeOf.get(row) instanceof AppError);
  const served = new Set(missing.filter(isStored).map(keyOf));
  const alone = missing.filter((row) => !served.has(keyOf(row)));
  if (alone.length > 0)
    throw new LeftAlone(new Map(alone.map((row) => [row, outcomeOf.get(row) as AppError])));
  // A client belongs to the first row that was stored with it.
  const rowOf = (key: string) => missing.find((row) => keyOf(row) === key && isStored(row))!;
  return { made: made.map((one) => ({ ...one, row: rowOf(one.key) })), outcomes };
}
