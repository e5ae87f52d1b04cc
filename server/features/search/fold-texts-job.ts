import { readContacts } from '../../db/contacts.ts';
import { comparedText, defineFoldJob } from '../../jobs/fold-job.ts';
import { clientText } from '../clients/clients.queries.ts';
import { licenseTypeText } from '../license-types/license-types.queries.ts';
import { licenseText } from '../licenses/licenses.queries.ts';
import { paymentText } from '../payments/payment-rows.ts';
import { machineText } from '../programs/installations.queries.ts';
import { softwareText } from '../software/software.queries.ts';

/** Rewrites the searched texts of rows that an earlier version wrote (INPUT-08, docs/decisions/131-search-folding.md). */
export const foldTextsJob = defineFoldJob({
  name: 'search_texts',
  label: 'Textos de búsqueda',
  columns: [
    comparedText({
      table: 'clients',
      column: 'search_text',
      read: ['name', 'email', 'company', 'phone', 'contact_person', 'tax_id', 'external_id', 'contacts'],
      value: ({ external_id, ...texts }) => {
        const { contacts, ...others } = notNull(texts);
        return clientText({ ...others, external_id, contacts: readContacts(contacts) });
      },
    }),
    comparedText({
      table: 'software',
      column: 'search_text',
      read: ['name', 'version', 'description'],
      value: (row) => softwareText(notNull(row)),
    }),
    comparedText({
      table: 'license_types',
      column: 'search_text',
      read: ['name', 'description', 'promotion_name'],
      value: (row) => licenseTypeText(notNull(row)),
    }),
    comparedText({
      table: 'licenses',
      column: 'search_text',
      read: ['license_key', 'external_id'],
      value: ({ license_key, external_id }) => licenseText({ ...notNull({ license_key }), external_id }),
    }),
    comparedText({
      table: 'installations',
      column: 'search_text',
      read: ['machine_id', 'machine_name', 'mac_address'],
      value: (row) => machineText(notNull(row)),
    }),
  ],
});

/** Writes the searched texts of payments that were stored before they had one (MONEY-13). */
export const foldPaymentTextsJob = defineFoldJob({
  name: 'payment_texts',
  label: 'Referencias de pagos',
  columns: [
    comparedText({
      table: 'payments',
      column: 'search_text',
      read: ['reference'],
      value: (row) => paymentText(notNull(row)),
    }),
  ],
});

/** A row whose columns the schema declares as not null. */
const notNull = <Name extends string>(row: Record<Name, string | null>) => row as Record<Name, string>;
