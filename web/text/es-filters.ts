import { buttons } from './es-buttons.ts';
import { BACKWARDS } from './es-lists.ts';
/** The texts of what opens over a list: the dialog 'Filtros' (LIST-02), and the menu of views. */
export const filterDialogTexts = {
  done: 'Listo',
  order: 'Ordenar por',
  defaultOrder: 'Más recientes primero',
  descending: 'De mayor a menor',
  quick: 'Filtros rápidos',
  sections: { who: 'Cliente y software', expiry: 'Vigencia', use: 'Uso y correo', order: 'Orden' },
  any: 'Cualquiera',
  expiryRange: BACKWARDS,
  dayCount: 'Escribe un número de días entre 1 y 36,525',
} as const;

/** The explanation of a number of days, under its field. */
export const FILTER_HELP = {
  expiring_within: 'Días. Solo licencias que hoy se pueden usar.',
  active_within: 'Días. Algún equipo dio señal en ese tiempo.',
  silent_for: 'Días. Tiene equipos y ninguno dio señal.',
} as const;

/** Texts of the saved views (LIST-03). */
export const viewTexts = {
  ready: 'Sugeridas',
  own: 'Mis vistas',
  shared: 'Compartidas',
  name: 'Nombre de la vista',
  share: 'Compartir con el equipo',
  save: 'Guardar vista',
  saving: buttons.saving,
  saved: 'Vista guardada',
  saveFailed: 'Error al guardar la vista',
  remove: (name: string) => `Eliminar vista ${name}`,
  removed: 'Vista eliminada',
  removeFailed: 'Error al eliminar la vista',
  loadFailed: 'Error al cargar las vistas',
  nothing: 'Elige filtros, una búsqueda o un orden y guárdalos aquí.',
} as const;
