import { buttons } from './es-buttons.ts';
/** Texts that all forms share. Separate from es.ts, because only forms need them, and forms are loaded on demand. */

/** The bar of a form on a page. */
export const formPageTexts = {
  save: buttons.save,
  saving: buttons.saving,
  discard: 'Descartar cambios',
  unsaved: 'Hay cambios sin guardar',
  saved: 'Todo está guardado',
} as const;

/** The confirmation before leaving a form with unsaved changes. */
export const discardTexts = {
  title: 'Descartar cambios',
  text: 'Hay cambios sin guardar. Si sales ahora se perderán.',
  confirm: 'Descartar cambios',
  keep: 'Seguir editando',
} as const;

/** Shown in a form that was restored after the session ended. */
export const recoveredText =
  'Tu sesión terminó mientras escribías. Lo que escribiste sigue aquí: revísalo y guarda.';

/** Shown if another person saved the record first (412). */
export const conflictTexts = {
  title: 'Este registro cambió mientras lo editabas',
  question: (count: number) =>
    count === 1
      ? 'Tú y otra persona cambiaron el mismo campo. Decide qué valor se guarda.'
      : 'Tú y otra persona cambiaron los mismos campos. Decide qué valor se guarda en cada uno.',
  keepMine: 'Conservar el mío',
  useTheirs: 'Usar el actual',
  unanswered: 'Elige con qué valor quedarte',
  empty: 'Vacío',
  taken: (labels: readonly string[]) =>
    `Se incorporaron los cambios de otra persona en: ${labels.join(', ')}`,
  kept: 'Se conservaron los cambios que otra persona guardó mientras editabas',
} as const;

export const pickerTexts = {
  placeholder: 'Buscar cliente...',
  clear: 'Limpiar selección',
  loading: 'Buscando clientes...',
  empty: 'No se encontraron clientes',
  create: (name: string) => `Crear cliente «${name}»`,
  /** Used if the typed line has all data that a client needs. */
  createWhole: ({ name, email, phone }: { name: string; email: string; phone: string }) =>
    `Crear cliente: ${name} · ${email} · ${phone}`,
  creating: 'Creando cliente...',
} as const;
