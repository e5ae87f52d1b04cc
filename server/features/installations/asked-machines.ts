import { sql } from 'kysely';

/** What an installed program shows: the key of its licence, and which machine it is. */
export type Credentials = { licenseKey: string; machineId: string };

/** The same for several programs, a list for each column: that is how one statement of PostgreSQL takes them. */
export type CredentialColumns = { licenseKeys: string[]; machineIds: string[] };

export const toColumns = (credentials: Credentials[]): CredentialColumns => ({
  licenseKeys: credentials.map(({ licenseKey }) => licenseKey),
  machineIds: credentials.map(({ machineId }) => machineId),
});

/** The lists as a table to join with, PostgreSQL alone; `position` counts from 1. */
export const askedMachines = ({ licenseKeys, machineIds }: CredentialColumns) =>
  sql<{ license_key: string; machine_id: string; position: number }>`
    unnest(${licenseKeys}::text[], ${machineIds}::text[]) with ordinality
  `.as<'asked'>(sql`asked (license_key, machine_id, position)`);

/** An answer for each that was asked for, undefined where nothing was found. */
export function inAskedOrder<Row extends { position: number }>(
  asked: readonly unknown[],
  rows: Row[],
): (Row | undefined)[] {
  const answers = asked.map((): Row | undefined => undefined);
  for (const row of rows) answers[row.position - 1] = row;
  return answers;
}
