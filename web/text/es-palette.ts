import { countOf, formatNumber } from './format.ts';

/** The texts of the palette and of the list of shortcuts (FIND-02). */
export const paletteTexts = {
  title: 'Buscador',
  placeholder: 'Buscar registros o acciones',
  results: 'Resultados',
  close: 'Cerrar buscador',
  loading: 'Buscando...',
  empty: (text: string) => `Sin resultados para «${text}»`,
  emptyHint: 'Prueba con un nombre, un correo, una clave o un equipo.',
  tooShort: 'Escribe al menos 2 caracteres',
  failed: 'No se pudo buscar',
  hints: { move: 'moverse', open: 'abrir', close: 'cerrar' },
} as const;

/** What screen readers hear when the list has changed. */
export const resultCount = (count: number) => countOf(count, { one: 'resultado', many: 'resultados' });

/**
 * The kinds of results, in their order: the heading of a group, one record for screen readers and in the list of recent
 * ones, and what the link to all of them says.
 */
export const KIND_TEXTS = {
  clients: { heading: 'Clientes', one: 'Cliente', all: ['los', 'clientes'] },
  licenses: { heading: 'Licencias', one: 'Licencia', all: ['las', 'licencias'] },
  software: { heading: 'Software', one: 'Software', all: ['los', 'programas'] },
  license_types: {
    heading: 'Tipos de Licencia',
    one: 'Tipo de licencia',
    all: ['los', 'tipos de licencia'],
  },
  installations: { heading: 'Instalaciones', one: 'Instalación', all: ['las', 'instalaciones'] },
} as const;

export type ResultKind = keyof typeof KIND_TEXTS;

/** The headings of the groups that are no kind of record. */
export const GROUP_LABELS = {
  recent: 'Recientes',
  create: 'Crear',
  renew: 'Renovar',
  go: 'Ir a',
  other: 'Consola',
} as const;

export type GroupKey = ResultKind | keyof typeof GROUP_LABELS;

export const groupHeading = (key: GroupKey): string =>
  key in GROUP_LABELS
    ? GROUP_LABELS[key as keyof typeof GROUP_LABELS]
    : KIND_TEXTS[key as ResultKind].heading;

/** Opens the list with every match: 'Ver los 12 clientes', 'Ver las más de 1,000 licencias'. */
export function allMatches(kind: ResultKind, count: number, isExact: boolean): string {
  const [article, noun] = KIND_TEXTS[kind].all;
  return `Ver ${article} ${isExact ? '' : 'más de '}${formatNumber(count)} ${noun}`;
}

/** The actions; `words` are other words by which people look for them. */
export const paletteActions = {
  newLicense: { label: 'Nueva licencia', words: 'crear agregar emitir' },
  newClient: { label: 'Nuevo cliente', words: 'crear agregar' },
  newSoftware: { label: 'Nuevo software', words: 'crear agregar registrar programa' },
  newLicenseType: { label: 'Nuevo tipo de licencia', words: 'crear agregar' },
  renew: { label: 'Renovar licencia…', words: 'renovación vencimiento' },
  darkTheme: { label: 'Usar tema oscuro', words: 'apariencia modo noche' },
  lightTheme: { label: 'Usar tema claro', words: 'apariencia modo día' },
  shortcuts: { label: 'Atajos de teclado', words: 'ayuda teclas' },
  signOut: { label: 'Cerrar sesión', words: 'salir' },
} as const;

export const goTo = (screen: string) => `Ir a ${screen}`;

export const validityDays = (days: number) => countOf(days, { one: 'día', many: 'días' });
export const installationsCount = (count: number) =>
  countOf(count, { one: 'instalación', many: 'instalaciones' });
export const activeLicenses = (count: number) =>
  countOf(count, { one: 'licencia activa', many: 'licencias activas' });
export const expiresOn = (day: string, isExpired: boolean) => `${isExpired ? 'Venció' : 'Vence'} el ${day}`;
export const neverExpires = 'Sin expiración';

/** The list of the keyboard shortcuts. */
export const shortcutTexts = {
  single: 'Atajos de una sola tecla',
  singleHelp: 'Se guarda en este navegador. Los atajos con Ctrl o ⌘ y Escape funcionan siempre.',
  inTurn: 'y luego',
  groups: {
    general: 'En toda la consola',
    go: 'Ir a otra pantalla',
    lists: 'En las listas',
    forms: 'En formularios y ventanas',
  },
  search: 'Abrir el buscador',
  help: 'Ver los atajos de teclado',
  focusSearch: 'Buscar en la lista',
  create: 'Crear un registro de esta pantalla',
  nextRow: 'Fila siguiente',
  previousRow: 'Fila anterior',
  openRow: 'Abrir los detalles de la fila',
  selectRow: 'Seleccionar la fila',
  save: 'Guardar el formulario abierto',
  close: 'Cerrar la ventana',
} as const;
