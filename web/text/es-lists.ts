import { LABELS } from '../../contract/base/labels.ts';
import type { GenderedNoun } from './es.ts';
import { DAY_NOUN, urgencyTexts } from './es.ts';
import { countOf, formatDate, formatNumber, type Noun } from './format.ts';

/** Texts that all lists share: chips, selection, bulk actions, views. */

/** '1 licencia', '12 licencias'. */
export const counted = (count: number, { one, many }: Noun) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** 'eliminada', 'eliminados': the ending of a participle by gender and number. */
export const ending = (count: number, { feminine }: GenderedNoun) =>
  `${feminine ? 'a' : 'o'}${count === 1 ? '' : 's'}`;

/** 'Nombre (1.0.0)': the version as stored, without a 'v'. */
export const softwareOption = (name: string, version: string) => `${name} (${version})`;
/** The label of the button beside 'Exportar' (IMPORT-03). */
export const importLabel = 'Importar';

export const filterTexts = {
  more: 'Filtros',
  active: 'Filtros activos',
  remove: (name: string) => `Quitar filtro ${name}`,
  days: (days: number) => countOf(days, DAY_NOUN),
  /** '2026-01-01..2026-01-31' as text. */
  dayRange: (days: string | undefined) => days?.split('..').map(formatDate).join(' a '),
} as const;

/** The error of a period whose last day is before its first. */
export const BACKWARDS = 'El último día no puede ser anterior al primero';

/** The names of the filters, in the dialog 'Filtros' and on the chips. */
export const FILTER_NAMES = {
  status: LABELS.status,
  type: LABELS.type,
  active: 'Vigencia',
  client: LABELS.client,
  software: LABELS.software,
  expiry_from: 'Vence desde',
  expiry_to: 'Vence hasta',
  expiring_within: 'Vence en',
  email_status: 'Correo',
  unused: 'Sin equipos',
  seats_full: 'Lugares completos',
  complimentary: LABELS.complimentary,
  country: LABELS.country,
  tag: LABELS.tags,
  currency: LABELS.currency,
  app_version: 'Versión del programa',
  issued: 'Emitida',
  sold: 'Vendida',
  lost: 'Perdida',
  trial_begun: 'Prueba iniciada',
  trial_converted: 'Prueba convertida',
  trial_lost: 'Prueba perdida',
  active_within: 'Con señal en',
  silent_for: 'Sin señal desde hace',
  import: 'Importación',
} as const;

/** The text of an import on its filter chip. */
export const importNumber = (id: number | undefined) => (id === undefined ? undefined : `n.º ${id}`);

export const selectionTexts = {
  page: (noun: GenderedNoun) => `Seleccionar ${noun.feminine ? 'las' : 'los'} de esta página`,
  row: (name: string) => `Seleccionar ${name}`,
  count: (count: number, noun: GenderedNoun) => `${formatNumber(count)} seleccionad${ending(count, noun)}`,
  all: (count: number, { feminine }: GenderedNoun) =>
    `Seleccionar ${feminine ? 'las' : 'los'} ${formatNumber(count)} que coinciden`,
  clear: 'Quitar selección',
  bar: 'Acciones en lote',
  /** The label of the menu with further actions. */
  more: 'Más',
  export: (noun: GenderedNoun) => `Exportar seleccionad${ending(2, noun)}`,
  exportTooMany: 'Se exportan como máximo 100 registros elegidos uno a uno',
} as const;

export const viewsTitle = 'Vistas';

/** The search as one of the filters of a bulk action. */
export const searchedFor = (text: string) => `búsqueda «${text}»`;

/**
 * The predefined views of the licences, by their query (LIST-03). Lists of licences that end soon are sorted by their
 * end, earliest first.
 */
export const READY_LICENSE_VIEWS = [
  { name: 'Vencen en 30 días', query: 'expiring_within=30&ordering=expiry_date' },
  { name: 'Pruebas por vencer', query: 'type=trial&expiring_within=7&ordering=expiry_date' },
  { name: 'Sin instalaciones', query: 'unused=true' },
  { name: urgencyTexts.mailFailed, query: 'email_status=failed' },
  { name: 'Asientos completos', query: 'seats_full=true' },
] as const;
