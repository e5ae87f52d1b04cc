import { DETAIL_LABELS } from '../base/detail-labels.ts';
import { LABELS } from '../base/labels.ts';
import { VERDICT_MESSAGES } from '../licenses/license-verdict.ts';
import type { ColumnId, ReportCell, ReportColumn, ReportDescription } from './report-description.ts';
import type { ReportAnswers, ReportKind, RiskReason } from './reports.ts';

/** A part of a whole in percent, with one decimal; null if the whole is 0. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10;

const monthsOf = <Row>({ months }: { months: Row[] }) => months;

/** The first columns of the reports by month and currency. A table names the month alone. */
const MONTH = {
  month: { label: 'Mes', type: 'month' },
  from: { label: 'Desde', type: 'day', only: 'file' },
  to: { label: 'Hasta', type: 'day', only: 'file' },
  currency: { label: LABELS.currency, type: 'text', only: 'file' },
} as const;

/** Of the checks in a month. */
const CHECKS = { type: 'count', only: 'screen', tables: ['months'] } as const;

const RISKS: Record<RiskReason, string> = {
  ended: 'Terminó sin renovar',
  unused: 'Sin instalaciones',
  silent: 'Equipos sin señal',
};

const retentionOf = ({ currency }: { currency: string }, { totals }: ReportAnswers['recurring']) =>
  totals.find((row) => row.currency === currency);

/**
 * The columns of each report. The server's file and the console's table and chart read them here, so a new column is one
 * line (decision 174). What a figure counts stands in reports.ts.
 */
export const REPORT_COLUMNS: { [Kind in ReportKind]: ReportDescription<Kind> } = {
  revenue: {
    name: 'ventas y cobros',
    rows: monthsOf,
    columns: {
      ...MONTH,
      new: { label: 'Nuevas', type: 'money', look: 'solid' },
      renewal: { label: 'Renovaciones', type: 'money', look: 'striped' },
      upgrade: { label: 'Cambios de tipo', header: 'Mejoras', type: 'money', look: 'dotted' },
      total: { label: 'Vendido', header: 'Total', type: 'money', look: 'text' },
      previous: { label: 'Periodo anterior', type: 'money', look: 'mark' },
      count: { label: 'Ventas', type: 'count' },
      maintenance: { label: 'Actualizaciones', type: 'money', look: 'outlined' },
      collected: { label: DETAIL_LABELS.collected, type: 'money', look: 'lined', column: 1 },
    },
    first: ['month', 'total', 'collected', 'new', 'renewal', 'upgrade', 'maintenance'],
  },
  renewals: {
    name: 'renovaciones',
    rows: monthsOf,
    columns: {
      ...MONTH,
      due: { label: 'Por vencer', header: 'Por renovar', type: 'count', look: 'text' },
      amount: { label: 'Importe por renovar', header: 'Importe', type: 'money', look: 'outlined' },
      expected: { label: 'Ingreso probable', header: 'Importe esperado', type: 'money', look: 'solid' },
      rest: {
        label: 'Podría no renovarse',
        type: 'money',
        only: 'chart',
        look: 'outlined',
        value: ({ amount, expected }) => amount - (expected ?? 0),
      },
      renewal_rate: {
        label: 'Tasa de renovación',
        header: 'Tasa de renovación (%)',
        type: 'percent',
        only: 'file',
        value: (_row, { renewal_rate }) => renewal_rate,
      },
      maintenance_due: {
        label: 'Actualizaciones por vencer',
        header: 'Actualizaciones por renovar',
        type: 'count',
      },
      maintenance_amount: { label: 'Importe de actualizaciones', type: 'money' },
    },
  },
  licenses: {
    name: 'licencias',
    rows: monthsOf,
    columns: {
      ...MONTH,
      active: { label: 'Activas', type: 'count', ofPeriod: 'last', look: 'line', chart: 'active' },
      issued: { label: 'Emitidas', type: 'count', look: 'solid', chart: 'moves' },
      gained: { label: 'Altas', header: 'Ganadas', type: 'count', look: 'text', chart: 'moves' },
      lost: { label: 'Perdidas', type: 'count', look: 'striped', below: true, chart: 'moves' },
    },
  },
  trials: {
    name: 'pruebas',
    rows: monthsOf,
    columns: {
      ...MONTH,
      begun: { label: 'Iniciadas', type: 'count', look: 'solid' },
      converted: { label: 'Convertidas', type: 'count', look: 'striped', column: 1 },
      lost: { label: 'Perdidas', type: 'count', look: 'dotted', column: 1 },
    },
  },
  recurring: {
    name: 'venta recurrente',
    rows: monthsOf,
    columns: {
      ...MONTH,
      start: { label: 'Al inicio', type: 'money', ofPeriod: 'first', step: 'total' },
      new: { label: 'Nueva', type: 'money', step: 'gain' },
      expansion: { label: 'Ampliada', type: 'money', step: 'gain' },
      reactivated: { label: 'Recuperada', type: 'money', step: 'gain' },
      contraction: { label: 'Reducida', type: 'money', step: 'loss' },
      churned: { label: 'Perdida', type: 'money', step: 'loss' },
      end: { label: 'Al final', type: 'money', ofPeriod: 'last', step: 'total' },
      clients: { label: LABELS.clients, type: 'count', ofPeriod: 'last' },
      arpa: { label: 'Por cliente', type: 'money', ofPeriod: 'last' },
      grr: {
        label: 'Retención bruta',
        header: 'Retención bruta del periodo (%)',
        type: 'percent',
        only: 'file',
        value: (row, report) => retentionOf(row, report)?.grr ?? null,
      },
      nrr: {
        label: 'Retención neta',
        header: 'Retención neta del periodo (%)',
        type: 'percent',
        only: 'file',
        value: (row, report) => retentionOf(row, report)?.nrr ?? null,
      },
    },
  },
  usage: {
    name: 'uso',
    rows: (report) => [{ ...report, software: { id: 0, name: 'Todos', version: '' } }, ...report.by_software],
    columns: {
      software: { label: LABELS.software, type: 'text', value: ({ software }) => software.name },
      version: { label: 'Versión', type: 'text', only: 'file', value: ({ software }) => software.version },
      seats_total: { label: 'Lugares', header: 'Equipos contratados', type: 'count' },
      seats_used: { label: 'Usados', header: 'Equipos usados', type: 'count' },
      used_percent: { label: 'Uso', header: 'Uso (%)', type: 'percent' },
      installations: { label: DETAIL_LABELS.machines, header: LABELS.installations, type: 'count' },
      silent: { label: 'Equipos sin señal', header: 'Sin señal', type: 'count' },
      unused: { label: 'Sin equipos', header: 'Licencias sin instalaciones', type: 'count' },
      full: { label: 'Licencias llenas', type: 'count' },
    },
    first: ['software', 'seats_total', 'seats_used', 'used_percent', 'full', 'unused'],
  },
  versions: {
    name: 'versiones',
    rows: ({ results }) => results,
    columns: {
      version: { label: 'Versión', type: 'text', value: ({ version }) => version ?? 'Sin informar' },
      installations: { label: DETAIL_LABELS.machines, header: LABELS.installations, type: 'count' },
      share: {
        label: 'Parte',
        type: 'percent',
        only: 'screen',
        value: (row, { installations }) => percentOf(row.installations, installations) ?? 0,
      },
    },
  },
  checks: {
    name: 'validaciones',
    rows: ({ days }) => days,
    columns: {
      day: { label: 'Día', type: 'day', only: 'file' },
      result: {
        label: 'Resultado',
        type: 'text',
        only: 'file',
        value: ({ reason }) => VERDICT_MESSAGES[reason ?? 'valid'],
      },
      month: { label: 'Mes', type: 'month', only: 'screen', tables: ['months'] },
      accepted: { ...CHECKS, label: 'Funcionaron', look: 'solid' },
      refused: { ...CHECKS, label: 'No funcionaron', look: 'striped' },
      reason: { label: DETAIL_LABELS.reason, type: 'text', tables: ['reasons'] },
      count: { label: 'Veces', header: 'Consultas', type: 'count', tables: ['reasons'] },
      share: { label: 'Parte', type: 'percent', only: 'screen', tables: ['reasons'] },
    },
  },
  clients: {
    name: 'clientes',
    rows: ({ by_country, top, at_risk }) => [
      ...by_country.map((row) => ({ table: 'Por país', ...row })),
      ...top.map((row) => ({ table: 'Mayor importe', ...row })),
      ...at_risk.map((row) => ({ table: 'En riesgo', ...row })),
    ],
    columns: {
      table: { label: 'Tabla', type: 'text', only: 'file' },
      country: { label: LABELS.country, type: 'text', tables: ['by_country'] },
      id: { label: 'ID', type: 'count', only: 'file', value: ({ client }) => client?.id ?? null },
      client: {
        label: LABELS.client,
        type: 'text',
        tables: ['top', 'at_risk'],
        value: ({ client }) => client?.name ?? null,
      },
      clients: { label: LABELS.clients, type: 'count', tables: ['by_country'] },
      amount: { label: DETAIL_LABELS.amount, type: 'money', tables: ['top', 'at_risk'] },
      currency: { label: LABELS.currency, type: 'text', only: 'file' },
      reason: {
        label: DETAIL_LABELS.reason,
        type: 'text',
        tables: ['at_risk'],
        value: ({ reason }) => (reason === undefined ? null : RISKS[reason]),
      },
      licenses: { label: LABELS.licenses, type: 'count', tables: ['at_risk'] },
      ends: { label: DETAIL_LABELS.ends, header: 'Termina', type: 'day', tables: ['at_risk'] },
    },
    first: ['country', 'client', 'reason', 'ends', 'licenses'],
  },
};

/** The columns of a report in the order of its file. One without a value of its own has that of its field. */
export const columnsOf = <Kind extends ReportKind>(kind: Kind): ReportColumn<Kind>[] => {
  const columns = Object.entries(REPORT_COLUMNS[kind].columns) as [ColumnId<Kind>, ReportColumn<Kind>][];
  return columns.map(([id, { value = (row: object) => fieldOf(row, id), ...column }]) => ({
    ...column,
    id,
    value,
  }));
};

/** The type of a description lets only a field that a cell can show go without a value. */
const fieldOf = (row: object, id: string) => (row as Record<string, ReportCell | undefined>)[id] ?? null;
