import type { z } from 'zod';
import type { CellType, FileColumn } from '../../../contract/base/file-columns.ts';
import type { REPORTS, ReportKind, RiskReason } from '../../../contract/figures/reports.ts';
import { VERDICT_MESSAGES } from '../../../contract/licenses/license-verdict.ts';

/** The rows of each report as a file. Each report has one table; its last column is the moment of the figures. */

export type Answers = { [Kind in ReportKind]: z.infer<(typeof REPORTS)[Kind]> };

type Cells = Record<string, string | number | null>;

/** The name of the file, its headers with what their cells hold, and its rows. */
type Table<Kind extends ReportKind> = {
  name: string;
  headers: Readonly<Record<string, CellType>>;
  rows: (report: Answers[Kind]) => Cells[];
};

const RISKS: Record<RiskReason, string> = {
  ended: 'Terminó sin renovar',
  unused: 'Sin instalaciones',
  silent: 'Equipos sin señal',
};

type Value<Row, Report> = (row: Row, report: Report) => Cells[string];
/** Text, or what the cells hold and their value. */
type Columns<Row, Report> = Record<string, Value<Row, Report> | [type: CellType, value: Value<Row, Report>]>;

/** Makes a table from its columns: for each header the value in a row. */
const tableOf = <Report, Row>(
  name: string,
  rowsOf: (report: Report) => Row[],
  columns: Columns<Row, Report>,
) => ({
  name,
  headers: Object.fromEntries(
    Object.entries(columns).map(([header, column]) => [header, Array.isArray(column) ? column[0] : 'text']),
  ),
  rows: (report: Report): Cells[] =>
    rowsOf(report).map((row) =>
      Object.fromEntries(
        Object.entries(columns).map(([header, column]) => {
          const value = Array.isArray(column) ? column[1] : column;
          return [header, value(row, report)];
        }),
      ),
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
    Desde: ['day', (row) => row.from],
    Hasta: ['day', (row) => row.to],
    Moneda: (row) => row.currency,
    ...figures,
  });

const retentionOf = ({ currency }: { currency: string }, { totals }: Answers['recurring']) =>
  totals.find((row) => row.currency === currency);

export const TABLES: { [Kind in ReportKind]: Table<Kind> } = {
  revenue: byMonth('ventas-y-cobros', {
    Nuevas: ['money', (row) => row.new],
    Renovaciones: ['money', (row) => row.renewal],
    Mejoras: ['money', (row) => row.upgrade],
    Total: ['money', (row) => row.total],
    'Periodo anterior': ['money', (row) => row.previous],
    Ventas: ['count', (row) => row.count],
    Actualizaciones: ['money', (row) => row.maintenance],
    Cobrado: ['money', (row) => row.collected],
  }),
  renewals: byMonth('renovaciones', {
    'Por renovar': ['count', (row) => row.due],
    Importe: ['money', (row) => row.amount],
    'Importe esperado': ['money', (row) => row.expected],
    'Tasa de renovación (%)': ['percent', (_row, { renewal_rate }) => renewal_rate],
    'Actualizaciones por renovar': ['count', (row) => row.maintenance_due],
    'Importe de actualizaciones': ['money', (row) => row.maintenance_amount],
  }),
  licenses: byMonth('licencias', {
    Activas: ['count', (row) => row.active],
    Emitidas: ['count', (row) => row.issued],
    Ganadas: ['count', (row) => row.gained],
    Perdidas: ['count', (row) => row.lost],
  }),
  trials: byMonth('pruebas', {
    Iniciadas: ['count', (row) => row.begun],
    Convertidas: ['count', (row) => row.converted],
    Perdidas: ['count', (row) => row.lost],
  }),
  recurring: byMonth('venta-recurrente', {
    'Al inicio': ['money', (row) => row.start],
    Nueva: ['money', (row) => row.new],
    Ampliada: ['money', (row) => row.expansion],
    Recuperada: ['money', (row) => row.reactivated],
    Reducida: ['money', (row) => row.contraction],
    Perdida: ['money', (row) => row.churned],
    'Al final': ['money', (row) => row.end],
    Clientes: ['count', (row) => row.clients],
    'Por cliente': ['money', (row) => row.arpa],
    'Retención bruta del periodo (%)': ['percent', (row, report) => retentionOf(row, report)?.grr ?? null],
    'Retención neta del periodo (%)': ['percent', (row, report) => retentionOf(row, report)?.nrr ?? null],
  }),
  usage: tableOf(
    'uso',
    (report) => [{ ...report, software: { name: 'Todos', version: '' } }, ...report.by_software],
    {
      Software: (row) => row.software.name,
      Versión: (row) => row.software.version,
      'Equipos contratados': ['count', (row) => row.seats_total],
      'Equipos usados': ['count', (row) => row.seats_used],
      'Uso (%)': ['percent', (row) => row.used_percent],
      Instalaciones: ['count', (row) => row.installations],
      'Sin señal': ['count', (row) => row.silent],
      'Licencias sin instalaciones': ['count', (row) => row.unused],
      'Licencias llenas': ['count', (row) => row.full],
    },
  ),
  versions: tableOf('versiones', ({ results }) => results, {
    Versión: ({ version }) => version ?? 'Sin informar',
    Instalaciones: ['count', ({ installations }) => installations],
  }),
  checks: tableOf('validaciones', ({ days }) => days, {
    Día: ['day', ({ day }) => day],
    Resultado: ({ reason }) => VERDICT_MESSAGES[reason ?? 'valid'],
    Motivo: ({ reason }) => reason,
    Consultas: ['count', ({ count }) => count],
  }),
  clients: {
    name: 'clientes',
    headers: {
      Tabla: 'text',
      País: 'text',
      ID: 'count',
      Cliente: 'text',
      Clientes: 'count',
      Importe: 'money',
      Moneda: 'text',
      Motivo: 'text',
      Licencias: 'count',
      Termina: 'day',
    },
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
export function columnsOf(kind: ReportKind): FileColumn<Cells>[] {
  const headers = Object.entries<CellType>({ ...TABLES[kind].headers, [AS_OF]: 'moment' });
  return headers.map(([header, type]) => ({
    header,
    type,
    value: (row) => row[header] ?? null,
    currency: (row) => String(row.Moneda ?? ''),
  }));
}

/** The rows of a report's file. */
export function rowsOf<Kind extends ReportKind>(kind: Kind, report: Answers[Kind]): Cells[] {
  return TABLES[kind].rows(report).map((row) => ({ ...row, [AS_OF]: report.as_of }));
}
