import type { z } from 'zod';
import type { REPORTS, ReportKind, RiskReason } from '../../../contract/figures/reports.ts';
import type { CsvColumn } from '../../lib/csv.ts';

/** The rows of each report as CSV. Each has one table; the last column is the moment of the figures. */

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

const MONTH = ['Mes', 'Desde', 'Hasta', 'Moneda'] as const;
const monthCells = (row: { month: string; from: string; to: string; currency: string }): Cells => ({
  Mes: row.month,
  Desde: row.from,
  Hasta: row.to,
  Moneda: row.currency,
});

export const TABLES: { [Kind in ReportKind]: Table<Kind> } = {
  revenue: {
    name: 'ingresos',
    headers: [...MONTH, 'Nuevas', 'Renovaciones', 'Mejoras', 'Total', 'Periodo anterior', 'Ventas'],
    rows: ({ months }) =>
      months.map((row) => ({
        ...monthCells(row),
        Nuevas: row.new,
        Renovaciones: row.renewal,
        Mejoras: row.upgrade,
        Total: row.total,
        'Periodo anterior': row.previous,
        Ventas: row.count,
      })),
  },
  renewals: {
    name: 'renovaciones',
    headers: [...MONTH, 'Por renovar', 'Importe', 'Importe esperado', 'Tasa de renovación (%)'],
    rows: ({ months, renewal_rate }) =>
      months.map((row) => ({
        ...monthCells(row),
        'Por renovar': row.due,
        Importe: row.amount,
        'Importe esperado': row.expected,
        'Tasa de renovación (%)': renewal_rate,
      })),
  },
  licenses: {
    name: 'licencias',
    headers: [...MONTH, 'Activas', 'Emitidas', 'Ganadas', 'Perdidas'],
    rows: ({ months }) =>
      months.map((row) => ({
        ...monthCells(row),
        Activas: row.active,
        Emitidas: row.issued,
        Ganadas: row.gained,
        Perdidas: row.lost,
      })),
  },
  trials: {
    name: 'pruebas',
    headers: [...MONTH, 'Iniciadas', 'Convertidas', 'Perdidas'],
    rows: ({ months }) =>
      months.map((row) => ({
        ...monthCells(row),
        Iniciadas: row.begun,
        Convertidas: row.converted,
        Perdidas: row.lost,
      })),
  },
  usage: {
    name: 'uso',
    headers: [
      'Software',
      'Versión',
      'Equipos contratados',
      'Equipos usados',
      'Uso (%)',
      'Instalaciones',
      'Sin señal',
      'Licencias sin instalaciones',
      'Licencias llenas',
    ],
    rows: (report) =>
      [{ software: { name: 'Todos', version: '' }, ...pickSeats(report) }, ...report.by_software].map(
        (row) => ({
          Software: row.software.name,
          Versión: row.software.version,
          'Equipos contratados': row.seats_total,
          'Equipos usados': row.seats_used,
          'Uso (%)': row.used_percent,
          Instalaciones: row.installations,
          'Sin señal': row.silent,
          'Licencias sin instalaciones': row.unused,
          'Licencias llenas': row.full,
        }),
      ),
  },
  versions: {
    name: 'versiones',
    headers: ['Versión', 'Instalaciones'],
    rows: ({ results }) =>
      results.map(({ version, installations }) => ({
        Versión: version ?? 'Sin informar',
        Instalaciones: installations,
      })),
  },
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

const pickSeats = ({
  seats_total,
  seats_used,
  used_percent,
  installations,
  silent,
  unused,
  full,
}: Answers['usage']) => ({
  seats_total,
  seats_used,
  used_percent,
  installations,
  silent,
  unused,
  full,
});

const AS_OF = 'Datos al';

/** The columns of a report's file. */
export function columnsOf(kind: ReportKind): CsvColumn<Cells>[] {
  return [...TABLES[kind].headers, AS_OF].map((header) => ({ header, value: (row) => row[header] ?? null }));
}

/** The rows of a report's file. */
export function rowsOf<Kind extends ReportKind>(kind: Kind, report: Answers[Kind]): Cells[] {
  return TABLES[kind].rows(report).map((row) => ({ ...row, [AS_OF]: report.as_of }));
}
