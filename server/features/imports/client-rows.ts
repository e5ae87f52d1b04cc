import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { NAME_REQUIRED } from '../../../contract/base/required.ts';
import { isCalendarDay } from '../../../contract/base/text.ts';
import { localDay } from '../../../contract/base/time.ts';
import { clientCreate, clientUpdate } from '../../../contract/clients/clients.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { fault } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { clientRecord } from '../clients/client.record.ts';
import { findClientsByEmail } from '../clients/clients.queries.ts';
import { createClients, type NewClient, replaceClient } from '../clients/save-client.ts';
import { addMissingCountry, withPhones } from './client-phones.ts';
import { withZeros } from './client-zeros.ts';
import { doubtMail } from './doubt-mail.ts';
import { createReadable, type RowKind, saveIfDifferent } from './row-kind.ts';
import { addFinding, parseValues, pastInstant, ROW_MESSAGES, type RowValues, textOf } from './row-values.ts';

/** What is stored of a client whose row is read. */
type StoredClient = { country: string; phone: string; phone_secondary: string };

/**
 * The values of a row in the form that the API's own call for a client takes.
 * @param stored the client of the row; undefined for a new one
 */
function valuesOf(
  row: RowValues,
  { timeZone }: Scope,
  { fixPhones, stored }: { fixPhones: boolean; stored?: StoredClient | undefined },
): { values: Record<string, unknown>; errors: FieldFaults } {
  const { last_name: lastName, created_at: _since, ...values } = row.values;
  const errors = { ...row.errors };
  for (const field of row.cleared) if (field !== 'last_name' && field !== 'created_at') values[field] = '';
  for (const field of ['contacts', 'tags']) if (row.cleared.has(field)) values[field] = [];
  if (lastName !== undefined) {
    if (textOf(row, 'name') === undefined) errors.name ??= [fault('required', NAME_REQUIRED)];
    values.name = `${textOf(row, 'name') ?? ''} ${String(lastName)}`.trim();
  }
  const contact = textOf(row, 'last_contact');
  if (contact !== undefined && !isCalendarDay(contact)) values.last_contact = localDay(contact, timeZone);
  const whole = withZeros(row, values, textOf(row, 'country') ?? stored?.country ?? '');
  return {
    values: withPhones(row, whole, { fix: fixPhones, country: stored?.country, stored }),
    errors,
  };
}

const emailOf = (row: RowValues) => {
  const email = textOf(row, 'email');
  return email === undefined ? null : mailKey(email);
};

export const clientRows: RowKind = {
  keyField: 'email',
  unknown: ROW_MESSAGES.noClient,
  keyOf: emailOf,
  lookUp: async (scope, rows, { fixPhones }) => {
    const ids = await findClientsByEmail(
      scope.tx,
      rows.flatMap((row) => emailOf(row) ?? []),
    );
    const idOf = (row: RowValues) => ids.get(emailOf(row) ?? '');
    const stored = await storedClients(scope, [...ids.values()]);
    // A check asks for them twice, and reading phones takes time.
    const read = new Map<RowValues, ReturnType<typeof valuesOf>>();
    const valuesOfNew = (row: RowValues) => {
      const values = read.get(row) ?? valuesOf(row, scope, { fixPhones });
      read.set(row, values);
      return values;
    };
    return {
      find: idOf,
      clientOf: (row) => {
        const { values } = valuesOfNew(row);
        const texts = ['name', 'email', 'phone', 'tax_id'].map((field) => [
          field,
          String(values[field] ?? ''),
        ]);
        return Object.fromEntries(texts);
      },
      createAll: (fresh) =>
        createReadable(
          fresh,
          (row) => newClient(row, scope, valuesOfNew(row)),
          (clients) => createClients(scope, clients),
        ),
      update: (id, row) => {
        const { values, errors } = valuesOf(row, scope, { fixPhones, stored: stored.get(id) });
        // The address identifies the client, so it is not changed, not even its case.
        const { email: _key, ...changes } = parseValues(clientUpdate, values, errors);
        return saveIfDifferent(scope, clientRecord, id, () => replaceClient(scope, id, changes));
      },
    };
  },
};

/** A client without a phone; the forms ask for one, other programs have clients without (INPUT-20). */
const withoutPhone = clientCreate.omit({ phone: true });

/** The stored countries and phones of clients, by id. */
async function storedClients({ tx }: Scope, ids: number[]): Promise<ReadonlyMap<number, StoredClient>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('clients')
    .select(['id', 'country', 'phone', 'phone_secondary'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...stored }) => [id, stored]));
}

function newClient(row: RowValues, scope: Scope, { values, errors }: ReturnType<typeof valuesOf>): NewClient {
  doubtMail(row, 'email');
  const since = pastInstant(row, 'created_at', scope, errors) ?? scope.now;
  addMissingCountry(row, values);
  if (textOf(row, 'phone') !== undefined || errors.phone) {
    return { values: parseValues(clientCreate, values, errors), since };
  }
  const { phone: _none, ...others } = values;
  const parsed = parseValues(withoutPhone, others, errors);
  addFinding(row, { sort: 'missing', field: 'phone', text: '', value: null });
  return { values: { ...parsed, phone: '' }, since };
}
