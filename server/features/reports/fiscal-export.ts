import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import type { FileColumn } from '../../../contract/base/file-columns.ts';
import { CLIENT_DEFAULTS, UNSPECIFIED } from '../../../contract/base/limits.ts';
import { fromMinorUnits } from '../../../contract/base/money.ts';
import { localDay } from '../../../contract/base/time.ts';
import { CLIENT_LABELS } from '../../../contract/clients/clients.fields.ts';
import { compactTaxId, type TaxCountry, taxCountry } from '../../../contract/clients/tax-ids.ts';
import { documentType } from '../../../contract/figures/fiscal-problems.ts';
import type { TermKind } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_LABELS } from '../../../contract/licenses/licenses.fields.ts';
import { LINE_KIND_LABELS, type PaymentMethod } from '../../../contract/payments/payment-words.ts';
import { SOFTWARE_LABELS } from '../../../contract/software/software.fields.ts';
import type { FiscalSale } from './fiscal.queries.ts';

/** The three-letter codes of ISO 3166, which CFDI and other invoices use. */
const COUNTRY_CODES: Record<TaxCountry, string> = {
  MX: 'MEX',
  AR: 'ARG',
  CL: 'CHL',
  CO: 'COL',
  PE: 'PER',
  BR: 'BRA',
};

/** A text that a person entered; the defaults of blank fields must not appear in invoices. */
const written = (text: string) => (text === UNSPECIFIED ? '' : text);

const countryCodeOf = (country: string) => {
  const known = taxCountry(country);
  return known === null ? '' : COUNTRY_CODES[known];
};

/** The way of payment as a code of the SAT (c_FormaPago); blank without a payment (PAY-07). */
const SAT_FORMS: Readonly<Record<PaymentMethod, string>> = {
  cash: '01',
  transfer: '03',
  card: '04',
  debit_card: '28',
  wallet: '05',
  other: '99',
};

const paymentForm = ({ paid_provider, paid_method }: FiscalSale): string =>
  paid_provider === null ? '' : paid_method === null ? '99' : SAT_FORMS[paid_method];

const SALE_WORDS: Readonly<Record<TermKind, string>> = { issue: 'Emisión', ...LINE_KIND_LABELS };

/** One line for each term. Values are as in the API, or codes of the tax office (MONEY-03). */
export const fiscalColumns = (timeZone: string): FileColumn<FiscalSale>[] => [
  { header: DETAIL_LABELS.date, type: 'day', value: (sale) => localDay(sale.created_at, timeZone) },
  { header: 'ID de Venta', type: 'count', value: (sale) => sale.id },
  { header: 'Clase de Venta', type: 'text', value: (sale) => sale.kind, words: SALE_WORDS },
  { header: LICENSE_LABELS.license_key, type: 'text', value: (sale) => sale.license_key },
  { header: LICENSE_LABELS.software, type: 'text', value: (sale) => sale.software_name },
  { header: SOFTWARE_LABELS.version, type: 'text', value: (sale) => sale.software_version },
  { header: LICENSE_LABELS.license_type_config, type: 'text', value: (sale) => sale.license_type_name },
  {
    header: 'Inicio del Servicio',
    type: 'day',
    value: (sale) => sale.starts && localDay(sale.starts, timeZone),
  },
  {
    header: 'Fin del Servicio',
    type: 'day',
    value: (sale) => sale.covers_until ?? (sale.ends && localDay(sale.ends, timeZone)),
  },
  { header: 'ID de Cliente', type: 'count', value: (sale) => sale.client_id },
  { header: LICENSE_LABELS.client, type: 'text', value: (sale) => sale.client_name },
  { header: 'Razón Social', type: 'text', value: (sale) => written(sale.company) || sale.client_name },
  { header: CLIENT_LABELS.tax_id, type: 'text', value: (sale) => compactTaxId(sale.tax_id) },
  { header: 'Tipo de Documento', type: 'text', value: documentType },
  { header: CLIENT_LABELS.country, type: 'text', value: (sale) => sale.country },
  { header: 'Código de País', type: 'text', value: (sale) => countryCodeOf(sale.country) },
  {
    header: CLIENT_LABELS.postal_code,
    type: 'text',
    value: (sale) => (sale.postal_code === CLIENT_DEFAULTS.postal_code ? '' : sale.postal_code),
  },
  { header: CLIENT_LABELS.address, type: 'text', value: (sale) => written(sale.address) },
  { header: CLIENT_LABELS.city, type: 'text', value: (sale) => written(sale.city) },
  { header: CLIENT_LABELS.state, type: 'text', value: (sale) => written(sale.state) },
  { header: CLIENT_LABELS.email, type: 'text', value: (sale) => sale.email },
  { header: 'Régimen Fiscal', type: 'text', value: (sale) => sale.tax_regime },
  { header: CLIENT_LABELS.cfdi_use, type: 'text', value: (sale) => sale.cfdi_use },
  { header: CLIENT_LABELS.tax_condition, type: 'text', value: (sale) => sale.tax_condition },
  {
    header: 'Precio Neto',
    type: 'money',
    currency: (sale) => sale.currency,
    value: (sale) => fromMinorUnits(sale.price_cents, sale.currency),
  },
  { header: LICENSE_LABELS.currency, type: 'text', value: (sale) => sale.currency },
  {
    header: 'Impuesto',
    type: 'percent',
    value: (sale) => (sale.tax_rate_hundredths === null ? null : sale.tax_rate_hundredths / 100),
  },
  { header: 'Forma de Pago', type: 'text', value: paymentForm },
  {
    header: 'Referencia de Pago',
    type: 'text',
    value: (sale) => sale.paid_reference || sale.paid_provider_id,
  },
];
