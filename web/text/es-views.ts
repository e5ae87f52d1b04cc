import { buttons } from './es-buttons.ts';
/** Texts of the saved views, loaded with their menu (LIST-03). */
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
