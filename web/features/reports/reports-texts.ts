import { LABELS } from '../../../contract/base/labels.ts';
import type { ReportKind, RiskReason } from '../../../contract/figures/reports.ts';
import { KIND_NOUNS, NEW_LICENSE } from '../../text/es.ts';
import { BACKWARDS } from '../../text/es-lists.ts';
import { formatDate, formatDateTime, formatNumber, formatPercent, type Noun } from '../../text/format.ts';
import type { ReportTab } from './reports-search.ts';

/** The texts of Reportes (REPORT-01, REPORT-03). What a column is called stands in report-columns.ts. */
export const reportTexts = {
  tabs: 'Reportes',
  controls: 'Filtros de los reportes',
  period: 'Periodo',
  from: 'Desde',
  to: 'Hasta',
  backwards: BACKWARDS,
  tooLong: (months: number) => `El periodo puede tener como máximo ${months} meses`,
  software: LABELS.software,
  allSoftware: 'Todo el software',
  currency: LABELS.currency,
  allCurrencies: 'Todas las monedas',
  days: (from: string, to: string) => `Del ${formatDate(from)} al ${formatDate(to)}`,
  exportCsv: 'Exportar CSV',
  exportFailed: 'No se pudo exportar el reporte',
  exportName: (kind: ReportKind) => `reporte-${kind}.csv`,
  showTable: 'Ver tabla',
  hideTable: 'Ocultar tabla',
  asOf: (instant: string) => `Datos al ${formatDateTime(instant)}`,
  pending: 'Calculando las cifras de este periodo. La primera vez puede tardar un minuto.',
  failed: (section: string) => `Error al cargar ${section}`,
  wholePeriod: 'Todo el periodo',
  nextMonths: 'Los próximos 12 meses',
  readMonths: (chart: string) => `${chart}: recorre los meses con las flechas`,
  currencyOf: (currency: string) => `En ${currency}`,
  newLicense: NEW_LICENSE,
  newClient: 'Agregar Cliente',
} as const;

export const TAB_LABELS: Record<ReportTab, string> = {
  dinero: 'Dinero',
  licencias: LABELS.licenses,
  uso: 'Uso',
  clientes: LABELS.clients,
};

export const PERIOD_LABELS = {
  this_month: 'Este mes',
  last_month: 'Mes pasado',
  quarter: 'Trimestre',
  '3_months': '3 meses',
  '12_months': '12 meses',
  this_year: 'Este año',
  own: 'Personalizado',
};

/** The texts of each section: title, subtitle, and the text and hint of its empty state. */
export const SECTION_TEXTS: Record<
  ReportKind,
  { title: string; subtitle: string; empty: string; hint: string }
> = {
  revenue: {
    title: 'Ventas y cobros',
    subtitle: 'Lo vendido, sin impuestos, contra el periodo anterior; y lo cobrado, con impuestos',
    empty: 'Aún no hay ventas en este periodo',
    hint: 'Cuando emitas o renueves licencias con precio, aquí verás lo vendido y lo cobrado cada mes.',
  },
  renewals: {
    title: 'Renovaciones',
    subtitle: 'Lo que vence en 12 meses y lo que es probable que entre',
    empty: 'Nada vence en los próximos 12 meses',
    hint: 'Las licencias con vigencia aparecen aquí en el mes en que hay que renovarlas.',
  },
  licenses: {
    title: LABELS.licenses,
    subtitle: 'Activas al cierre de cada mes, emitidas y perdidas',
    empty: 'Aún no hay licencias en este periodo',
    hint: 'Emite una licencia y aquí verás cómo crece tu base, y quién se va.',
  },
  usage: {
    title: 'Uso',
    subtitle: 'Hoy: quién usa todo lo que paga, y quién paga y no usa',
    empty: 'Aún no hay lugares vendidos',
    hint: 'Cada licencia vigente tiene lugares; se ocupan cuando tu programa se activa en un equipo.',
  },
  versions: {
    title: 'Versiones',
    subtitle: 'Hoy: equipos por la versión de tu programa',
    empty: 'Aún no hay equipos instalados',
    hint: 'Tu programa puede decir su versión al activarse y en cada señal.',
  },
  trials: {
    title: 'Pruebas',
    subtitle: 'Iniciadas, convertidas en venta y perdidas',
    empty: 'Aún no hay pruebas en este periodo',
    hint: 'Emite una licencia de tipo Trial para que un cliente pruebe antes de comprar.',
  },
  clients: {
    title: LABELS.clients,
    subtitle: 'Por país, los que más compran y los que puedes perder',
    empty: 'Aún no hay clientes',
    hint: 'Agrega un cliente para saber de dónde son y quién compra más.',
  },
  recurring: {
    title: 'Venta recurrente',
    subtitle: 'Lo que vale al mes lo que tienen hoy tus clientes, sin impuestos, y por qué cambió',
    empty: 'Aún no hay venta recurrente en este periodo',
    hint: 'Cuando vendas licencias o actualizaciones con vigencia, aquí verás cuánto valen al mes, quién llega y quién se va.',
  },
  checks: {
    title: 'Actividad de los programas',
    subtitle: 'Lo que preguntaron los programas, y por qué no funcionaron',
    empty: 'Ningún programa preguntó en este periodo',
    hint: 'Cuando tu programa valide una licencia, se active o dé señal, aquí verás qué se le respondió.',
  },
};

export const revenueReportTexts = {
  chart: (currency: string) => `Ventas y cobros por mes en ${currency}`,
  collectedHint: 'Con impuestos, menos lo devuelto',
  against: (from: string, to: string) => `contra ${formatDate(from)} a ${formatDate(to)}`,
  nothingBefore: 'Sin ventas en el periodo anterior',
  lastMonth: PERIOD_LABELS.last_month,
  average: (amount: string) => `${amount} en promedio`,
} as const;

export const renewalsReportTexts = {
  chart: (currency: string) => `Importe por renovar en cada mes en ${currency}`,
  ofEnded: (renewed: number, ended: number) =>
    ended === 1
      ? `${formatNumber(renewed)} de 1 que terminó en 12 meses`
      : `${formatNumber(renewed)} de ${formatNumber(ended)} que terminaron en 12 meses`,
  noRate: 'Ninguna terminó en 12 meses',
  byRate: (rate: number) => `Con la tasa de ${formatPercent(rate)}`,
} as const;

export const licensesReportTexts = {
  activeChart: 'Licencias activas al cierre de cada mes',
  movesChart: 'Licencias emitidas y perdidas por mes',
  activeNow: 'Activas hoy',
  activeThen: 'Activas al final',
  lostHint: 'Vencidas o canceladas',
} as const;

export const usageReportTexts = {
  chart: 'Lugares usados por software',
  seats: 'Lugares usados',
  ofSeats: (used: number, total: number) => `${formatNumber(used)} de ${formatNumber(total)}`,
  fullHint: 'Usan todo lo que pagan',
  unusedHint: 'Pagan y no usan',
  unusedWorth: (amounts: string) => `Pagan ${amounts} y no usan`,
  silentOf: (installations: number, days: number) =>
    `De ${formatNumber(installations)}, en ${formatNumber(days)} días`,
  silentLicenses: 'Ver licencias sin señal',
  onlyMost: 'Solo el software con más lugares',
} as const;

export const versionsReportTexts = {
  chart: 'Equipos por versión',
  none: 'No dice su versión',
  others: (count: number) => (count === 1 ? 'y 1 versión más' : `y ${formatNumber(count)} versiones más`),
  onlyMost: 'Solo las versiones con más equipos',
} as const;

export const trialsReportTexts = {
  chart: 'Pruebas por mes',
  rate: 'Conversión',
  rateHint: 'De las que terminaron',
} as const;

export const clientsReportTexts = {
  byCountry: 'Clientes por país',
  noCountry: 'Sin país',
  top: (currency: string) => `Los que más compraron en ${currency}`,
  noTop: 'Nadie compró en este periodo.',
  atRisk: 'En riesgo',
  atRiskCount: (count: number) => (count === 1 ? '1 cliente' : `${formatNumber(count)} clientes`),
  noRisk: 'Ningún cliente está en riesgo.',
  others: (count: number) => (count === 1 ? 'y 1 más' : `y ${formatNumber(count)} más`),
} as const;

export const checksReportTexts = {
  chart: 'Actividad por mes',
  all: 'Preguntas',
  reasons: 'Por qué no funcionaron',
} as const;

export const RISK_LABELS: Record<RiskReason, string> = {
  ended: 'Venció y no renovó',
  unused: 'No lo ha instalado',
  silent: 'Dejó de usarlo',
};

export const REPORT_LICENSES: Noun = KIND_NOUNS.licenses;
