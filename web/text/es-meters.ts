import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import type { MeterOverage, MeterPeriod, Meters, UsageRow } from '../../contract/licenses/meters.ts';
import { formatDate, formatNumber } from './format.ts';

/** Texts of meters: amounts that the vendor's program reports, and their usage (SELL-03). */

export const METER_PERIOD_LABELS: Record<MeterPeriod, string> = {
  never: 'En total',
  day: 'Por día',
  month: 'Por mes',
  year: 'Por año',
  term: 'Por periodo pagado',
};

export const METER_OVERAGE_LABELS: Record<MeterOverage, string> = {
  refuse: 'Al límite: se rechaza',
  allow: 'Al límite: sigue contando',
};

export const meterTexts = {
  help: 'Lo que el programa cuenta, por código: facturas, timbres, consultas. Límite en blanco: sin límite',
  helpNew:
    'Lo que el programa cuenta, por código. Límite en blanco: sin límite. Sin ningún contador: los del tipo',
  none: 'Sin contadores',
  add: 'Agregar contador',
  code: 'Código',
  limit: 'Límite',
  noLimit: 'Sin límite',
  period: 'Periodo',
  overage: 'Exceso',
  /** The number of the line, from 1, makes the names of its inputs unique. */
  ofLine: (label: string, number: number) => `${label} del contador ${number}`,
  remove: (code: string, number: number) => `Quitar ${code === '' ? `el contador ${number}` : code}`,
  wrongLimit: 'Escribe un número entero, o nada',
  fix: 'Corrige las líneas marcadas',
} as const;

/** '500 por mes, al límite: se rechaza'. */
export const meterInWords = ({ limit, period, overage }: Meters[string]): string => {
  const often = METER_PERIOD_LABELS[period].toLowerCase();
  if (limit === null) return `${meterTexts.noLimit.toLowerCase()}, ${often}`;
  return `${formatNumber(limit)} ${often}, ${METER_OVERAGE_LABELS[overage].toLowerCase()}`;
};

/** 'facturas: 500 por mes, …; correos: …'; empty if there are no meters. */
export const metersInWords = (meters: Meters): string =>
  Object.entries(meters)
    .map(([code, meter]) => `${code}: ${meterInWords(meter)}`)
    .join('; ');

/** Texts about meters in a licence's details and in the portal. */
export const usageTexts = {
  title: 'Consumo',
  portalTitle: 'Su consumo',
  failed: 'No se pudo cargar el consumo',
  fix: 'Corregir',
} as const;

/** '320 de 500', '320'. */
export const usedInWords = ({ used, limit }: UsageRow): string =>
  limit === null ? formatNumber(used) : `${formatNumber(used)} de ${formatNumber(limit)}`;

/** 'Por mes. Empieza de cero el 01/12/2026', and the amount beyond the limit. */
export function usageNote({ used, limit, period, resets_at }: UsageRow): string {
  const over = limit === null ? 0 : used - limit;
  const parts = [
    METER_PERIOD_LABELS[period],
    resets_at === null ? '' : `Empieza de cero el ${formatDate(resets_at)}`,
    over > 0 ? `${formatNumber(over)} sobre el límite` : '',
  ];
  return parts.filter((part) => part !== '').join('. ');
}

/** Texts of the dialog 'Corregir consumo'. */
export const adjustTexts = {
  title: 'Corregir consumo',
  which: 'Contador',
  used: 'Consumido en este periodo',
  reason: DETAIL_LABELS.reason,
  help: 'Queda en el historial con tu nombre.',
  submit: 'Corregir',
  busy: 'Corrigiendo...',
  done: 'Consumo corregido',
  failed: 'No se pudo corregir el consumo',
} as const;
