import { formatNumber, type Noun } from './format.ts';

/** The texts that all lists share: chips, selection, bulk actions, views. */

/** A noun with its gender, which decides articles and participles. */
export interface GenderedNoun extends Noun {
  feminine: boolean;
}

export const LICENSE_NOUN: GenderedNoun = { one: 'licencia', many: 'licencias', feminine: true };
export const CLIENT_NOUN: GenderedNoun = { one: 'cliente', many: 'clientes', feminine: false };
export const SOFTWARE_NOUN: GenderedNoun = { one: 'software', many: 'software', feminine: false };

/** '1 licencia', '12 licencias'. */
export const counted = (count: number, { one, many }: Noun) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** 'eliminada', 'eliminados': the ending of a participle. */
export const ending = (count: number, { feminine }: GenderedNoun) =>
  `${feminine ? 'a' : 'o'}${count === 1 ? '' : 's'}`;

/** The button beside 'Exportar' (IMPORT-03). */
export const importLabel = 'Importar';

export const filterTexts = {
  more: 'Filtros',
  active: 'Filtros activos',
  remove: (name: string) => `Quitar filtro ${name}`,
  apply: 'Aplicar filtros',
  order: 'Ordenar por',
  defaultOrder: 'Más recientes primero',
  descending: 'De mayor a menor',
  quick: 'Filtros rápidos',
  quickHint: 'Se aplican al elegirlos.',
  sections: { who: 'Cliente y software', expiry: 'Vigencia', use: 'Uso y correo', order: 'Orden' },
  any: 'Cualquiera',
  days: (days: number) => (days === 1 ? '1 día' : `${formatNumber(days)} días`),
  expiryRange: 'El último día no puede ser anterior al primero',
  dayCount: 'Escribe un número de días entre 1 y 36,525',
} as const;

/** The names of the filters, in the dialog 'Filtros' and on the chips. */
export const FILTER_NAMES = {
  status: 'Estado',
  type: 'Tipo',
  active: 'Vigencia',
  client: 'Cliente',
  software: 'Software',
  expiry_from: 'Expira desde',
  expiry_to: 'Expira hasta',
  expiring_within: 'Vence en',
  email_status: 'Correo',
  unused: 'Sin instalaciones',
  seats_full: 'Asientos completos',
  country: 'País',
  active_within: 'Con señal en',
  silent_for: 'Sin señal desde hace',
} as const;

/** What a number of days means, under its field. */
export const FILTER_HELP = {
  expiring_within: 'Días. Solo licencias que hoy se pueden usar.',
  active_within: 'Días. Algún equipo dio señal en ese tiempo.',
  silent_for: 'Días. Tiene equipos y ninguno dio señal.',
} as const;

export const selectionTexts = {
  page: (noun: GenderedNoun) => `Seleccionar ${noun.feminine ? 'las' : 'los'} de esta página`,
  row: (name: string) => `Seleccionar ${name}`,
  count: (count: number, noun: GenderedNoun) => `${formatNumber(count)} seleccionad${ending(count, noun)}`,
  all: (count: number, { feminine }: GenderedNoun) =>
    `Seleccionar ${feminine ? 'las' : 'los'} ${formatNumber(count)} que coinciden`,
  clear: 'Quitar selección',
  bar: 'Acciones en lote',
  export: (noun: GenderedNoun) => `Exportar seleccionad${ending(2, noun)}`,
  exportTooMany: 'Se exportan como máximo 100 registros elegidos uno a uno',
} as const;

export const bulkTexts = {
  newStatus: 'Nuevo estado',
  chooseStatus: 'Selecciona un estado',
  names: 'Registros elegidos',
  others: (count: number) => `y ${formatNumber(count)} más`,
  allMatching: (filters: string) =>
    filters === '' ? 'Son todos los registros de la lista.' : `Coinciden con: ${filters}.`,
  search: (text: string) => `búsqueda «${text}»`,
  progress: (done: number, total: number) => `${formatNumber(done)} de ${formatNumber(total)}`,
  working: 'En curso',
  result: 'Resultado',
  failed: (count: number, noun: GenderedNoun) => `No se pudo con ${counted(count, noun)}`,
  interrupted: 'El trabajo no terminó',
  callFailed: 'No se pudo completar la acción',
} as const;

export const viewTexts = {
  menu: 'Vistas',
  ready: 'Sugeridas',
  own: 'Mis vistas',
  shared: 'Compartidas',
  none: 'Guarda los filtros que usas seguido para volver a ellos.',
  name: 'Nombre de la vista',
  share: 'Compartir con el equipo',
  save: 'Guardar vista',
  saving: 'Guardando...',
  saved: 'Vista guardada',
  saveFailed: 'Error al guardar la vista',
  remove: (name: string) => `Eliminar vista ${name}`,
  removed: 'Vista eliminada',
  removeFailed: 'Error al eliminar la vista',
  loadFailed: 'Error al cargar las vistas',
  nothing: 'Elige filtros, una búsqueda o un orden y guárdalos aquí.',
} as const;

/** The ready views of the licences, by their query (LIST-03). */
export const READY_LICENSE_VIEWS = [
  { name: 'Vencen en 30 días', query: 'expiring_within=30' },
  { name: 'Pruebas por vencer', query: 'type=trial&expiring_within=7' },
  { name: 'Sin instalaciones', query: 'unused=true' },
  { name: 'Correo fallido', query: 'email_status=failed' },
  { name: 'Asientos completos', query: 'seats_full=true' },
] as const;

/** The ready views of the clients: whom to call first, who waits, and who is held up. */
export const READY_CLIENT_VIEWS = [
  { name: 'Con más licencias', query: 'status=active&ordering=-license_count' },
  { name: 'Pendientes', query: 'status=pending' },
  { name: 'Suspendidos', query: 'status=suspended' },
] as const;
