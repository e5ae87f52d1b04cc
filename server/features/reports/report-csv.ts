import type { z } from 'zod';
import type { REPORTS, ReportKind, RiskReason } from '../../../contract/figures/reports.ts';
import { VERDICT_MESSAGES } from '../../../contract/licenses/license-verdict.ts';
import type { CsvColumn } from '../../lib/csv.ts';

/** The rows of each report as CSV. Each report has one table; its last column is the moment of the figures. */

export type Answers = { [Kind in ReportKind]: z.infer<(typeof REPORTS)[Kind]> };

type Cells = Record<string, string | number | null>;

/** The name of the file, its headers, and its rows. */
type Table<Kind extends ReportKind> = {
  name: string;
  headers: readonly string[];
  rows: (report: Answers[Kind]) => Cells[];
};

const RISKS: Record<RiskReason, string> = {
  ended: 'Terminó sin renovar',
  unused: 'Sin instalaciones',
  silent: 'Equipos sin señal',
};

type Columns<Row, Report> = Record<string, (row: Row, report: Report) => Cells[string]>;

/** Makes a table from its columns: for each header the value in a row. */
const tableOf = <Report, Row>(
  name: string,
  rowsOf: (report: Report) => Row[],
  columns: Columns<Row, Report>,
) => ({
  name,
  headers: Object.keys(columns),
  rows: (report: Report): Cells[] =>
    rowsOf(report).map((row) =>
      Object.fromEntries(Object.entries(columns).map(([header, value]) => [header, value(row, report)])),
    ),
});

type MonthRow = { month: string; from: string; to: string; currency: string };

/**
 * A table with a row for each month and currency.
 * @param figures the columns after the month's columns
 */
const byMonth = <Report extends { months: MonthRow[] }>(
  name: string,
  figures: Columns<Report['months'][number], Report>,
) =>
  tableOf<Report, Report['months'][number]>(name, ({ months }) => months, {
    Mes: (row) => row.month,
    Desde: (row) => row.from,
    Hasta: (row) => row.to,
    Moneda: (row) => row.currency,
    ...figures,
  });

export const TABLES: { [Kind in ReportKind]: Table<Kind> } = {
  revenue: byMonth('ingresos', {
    Nuevas: (row) => row.new,
    Renovaciones: (row) => row.renewal,
    Mejoras: (row) => row.upgrade,
    Total: (row) => row.total,
    'Periodo anterior': (row) => row.previous,
    Ventas: (row) => row.count,
    Actualizaciones: (row) => row.maintenance,
  }),
  renewals: byMonth('renovaciones', {
    'Por renovar': (row) => row.due,
    Importe: (row) => row.amount,
    'Importe esperado': (row) => row.expected,
    'Tasa de renovación (%)': (_row, { renewal_rate }) => renewal_rate,
    'Actualizaciones por renovar': (row) => row.maintenance_due,
    'Importe de actualizaciones': (row) => row.maintenance_amount,
  }),
  licenses: byMonth('licencias', {
    Activas: (row) => row.active,
    Emitidas: (row) => row.issued,
    Ganadas: (row) => row.gained,
    Perdidas: (row) => row.lost,
  }),
  trials: byMonth('pruebas', {
    Iniciadas: (row) => row.begun,
    Convertidas: (row) => row.converted,
    Perdidas: (row) => row.lost,
  }),
  usage: tableOf(
    'uso',
    (report) => [{ ...report, software: { name: 'Todos', version: '' } }, ...report.by_software],
    {
      Software: (row) => row.software.name,
      Versión: (row) => row.software.version,
      'Equipos contratados': (row) => row.seats_total,
      'Equipos usados': (row) => row.seats_used,
      'Uso (%)': (row) => row.used_percent,
      Instalaciones: (row) => row.installations,
      'Sin señal': (row) => row.silent,
      'Licencias sin instalaciones': (row) => row.unused,
      'Licencias llenas': (row) => row.full,
    },
  ),
  versions: tableOf('versiones', ({ results }) => results, {
    Versión: ({ version }) => version ?? 'Sin informar',
    Instalaciones: ({ installations }) => installations,
  }),
  checks: tableOf('validaciones', ({ days }) => days, {
    Día: ({ day }) => day,
    Resultado: ({ reason }) => VERDICT_MESSAGES[reason ?? 'valid'],
    Motivo: ({ reason }) => reason,
    Consultas: ({ count }) => count,
  }),
  clients: {
    name: 'clientes',
    headers: [
      'Tabla',
      'País',
      'ID',
      'Cliente',
      'Clientes',
      'Importe',
      'Moneda',
      'Motivo',
      'Licencias',
      'Termina',
    ],
    rows: ({ by_country, top, at_risk }) => [
      ...by_country.map(({ country, clients }) => ({ Tabla: 'Por país', País: country, Clientes: clients })),
      ...top.map(({ client, amount, currency }) => ({
        Tabla: 'Mayor importe',
        ID: client.id,
        Cliente: client.name,
        Importe: amount,
        Moneda: currency,
      })),
      ...at_risk.map(({ client, amount, currency, reason, licenses, ends }) => ({
        Tabla: 'En riesgo',
        ID: client.id,
        Cliente: client.name,
        Importe: amount,
        Moneda: currency,
        Motivo: RISKS[reason],
        Licencias: licenses,
        Termina: ends,
      })),
    ],
  },
};

const AS_OF = 'Datos al';

/** The columns of a report's file. */
export function columnsOf(kind: ReportKind): CsvColumn<Cells>[] {
  return [...TABLES[kind].headers, AS_OF].map((header) => ({ header, value: (row) => row[header] ?? null }));
}

/** The rows of a report's file. */
export function rowsOf<Kind extends ReportKind>(kind: Kind, report: Answers[Kind]): Cells[] {
  return TABLES[kind].rows(report).map((row) => ({ ...row, [AS_OF]: report.as_of }));
}
