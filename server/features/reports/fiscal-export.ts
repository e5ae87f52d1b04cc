import { CLIENT_DEFAULTS, UNSPECIFIED } from '../../../contract/base/limits.ts';
import { fromMinorUnits } from '../../../contract/base/money.ts';
import { localDay } from '../../../contract/base/time.ts';
import { compactTaxId, type TaxCountry, taxCountry } from '../../../contract/clients/tax-ids.ts';
import { documentType } from '../../../contract/figures/fiscal-problems.ts';
import type { PaymentMethod } from '../../../contract/payments/payment-words.ts';
import type { CsvColumn } from '../../lib/csv.ts';
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

/** One line for each term. Values are as in the API, or codes of the tax office (MONEY-03). */
export const fiscalColumns = (timeZone: string): CsvColumn<FiscalSale>[] => [
  { header: 'Fecha', value: (sale) => localDay(sale.created_at, timeZone) },
  { header: 'ID de Venta', value: (sale) => sale.id },
  { header: 'Clase de Venta', value: (sale) => sale.kind },
  { header: 'Clave de Licencia', value: (sale) => sale.license_key },
  { header: 'Software', value: (sale) => sale.software_name },
  { header: 'Versión', value: (sale) => sale.software_version },
  { header: 'Tipo de Licencia', value: (sale) => sale.license_type_name },
  { header: 'Inicio del Servicio', value: (sale) => sale.starts && localDay(sale.starts, timeZone) },
  {
    header: 'Fin del Servicio',
    value: (sale) => sale.covers_until ?? (sale.ends && localDay(sale.ends, timeZone)),
  },
  { header: 'ID de Cliente', value: (sale) => sale.client_id },
  { header: 'Cliente', value: (sale) => sale.client_name },
  { header: 'Razón Social', value: (sale) => written(sale.company) || sale.client_name },
  { header: 'RFC/CUIT', value: (sale) => compactTaxId(sale.tax_id) },
  { header: 'Tipo de Documento', value: documentType },
  { header: 'País', value: (sale) => sale.country },
  { header: 'Código de País', value: (sale) => countryCodeOf(sale.country) },
  {
    header: 'Código Postal',
    value: (sale) => (sale.postal_code === CLIENT_DEFAULTS.postal_code ? '' : sale.postal_code),
  },
  { header: 'Dirección', value: (sale) => written(sale.address) },
  { header: 'Ciudad', value: (sale) => written(sale.city) },
  { header: 'Estado/Provincia', value: (sale) => written(sale.state) },
  { header: 'Email', value: (sale) => sale.email },
  { header: 'Régimen Fiscal', value: (sale) => sale.tax_regime },
  { header: 'Uso de CFDI', value: (sale) => sale.cfdi_use },
  { header: 'Condición frente al IVA', value: (sale) => sale.tax_condition },
  { header: 'Precio Neto', value: (sale) => fromMinorUnits(sale.price_cents, sale.currency) },
  { header: 'Moneda', value: (sale) => sale.currency },
  {
    header: 'Impuesto',
    value: (sale) => (sale.tax_rate_hundredths === null ? null : sale.tax_rate_hundredths / 100),
  },
  { header: 'Forma de Pago', value: paymentForm },
  { header: 'Referencia de Pago', value: (sale) => sale.paid_reference || sale.paid_provider_id },
];
