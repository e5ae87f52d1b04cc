import type { Locale } from '../../../contract/base/money.ts';
import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import { LICENSE_CATEGORY_LABELS, LICENSE_STATUS_LABELS } from '../../../contract/licenses/license-words.ts';

/** A sample file to fill in: the recognised headers, and two example rows (IMPORT-03). */

type Row = Readonly<Record<string, string>>;

/** Dates and amounts are added by `exampleRows`, in the format of the country. */
const ROWS: Record<ImportKind, readonly [Row, Row]> = {
  clients: [
    {
      name: 'Ana López Martínez',
      email: 'ana.lopez@ejemplo.com',
      phone: '52 55 1234 5678',
      company: 'Papelería La Esquina',
      client_type: 'Pequeña Empresa',
      city: 'Guadalajara',
      state: 'Jalisco',
      country: 'México',
      postal_code: '44100',
      tax_id: 'XAXX010101000',
      notes: 'Llamar por las mañanas',
    },
    {
      name: 'Luis Pérez Gómez',
      email: 'luis.perez@ejemplo.com',
      phone: '54 11 2345 6789',
      company: 'Consultorio Pérez',
      client_type: 'Individual',
      city: 'Rosario',
      state: 'Santa Fe',
      country: 'Argentina',
      postal_code: '2000',
      tax_id: '',
      notes: '',
    },
  ],
  software: [
    { name: 'Punto de Venta', version: '1.0.0', description: 'Caja e inventario', is_active: 'Sí' },
    { name: 'Nómina Fácil', version: '2.3.1', description: '', is_active: 'No' },
  ],
  licenses: [
    {
      license_key: '',
      client: 'ana.lopez@ejemplo.com',
      software: 'Punto de Venta',
      software_version: '1.0.0',
      license_type: LICENSE_CATEGORY_LABELS.premium,
      status: LICENSE_STATUS_LABELS.active,
      price: '1500.50',
      currency: 'MXN',
      max_installations: '5',
      issued_date: '15/01/2026',
      expiry_date: '15/01/2027',
      notes: '',
    },
    {
      license_key: 'MI-CLAVE-0001',
      client: 'luis.perez@ejemplo.com',
      software: 'Nómina Fácil',
      software_version: '2.3.1',
      license_type: LICENSE_CATEGORY_LABELS.basic,
      status: LICENSE_STATUS_LABELS.active,
      price: '900',
      currency: 'MXN',
      max_installations: '1',
      issued_date: '01/02/2026',
      expiry_date: '-',
      notes: 'No vence',
    },
  ],
};

/** A cell of a CSV file, in quotes if it contains the separator, a quote or a line end. */
const cell = (text: string, separator: string) =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * The text of a kind's sample file. It has the separator and the decimal sign of the country, because Excel expects
 * those.
 */
export function sampleFile(kind: ImportKind, locale: Locale): string {
  const isComma = locale === 'es-AR';
  const separator = isComma ? ';' : ',';
  const [first] = ROWS[kind];
  const fields = IMPORT_FIELDS[kind].filter(({ name }) => name in first);
  const lines = [
    fields.map(({ label }) => label),
    ...ROWS[kind].map((row) =>
      fields.map(({ name, form }) => {
        const text = row[name] ?? '';
        return form === 'amount' && isComma ? text.replace('.', ',') : text;
      }),
    ),
  ];
  // The byte order mark makes Excel read the file as UTF-8.
  return `\uFEFF${lines.map((line) => `${line.map((text) => cell(text, separator)).join(separator)}\r\n`).join('')}`;
}
