import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { inSentence } from '../../contract/base/labels.ts';
import { SEAT_FIELDS } from '../../contract/licenses/seats.ts';
import type { MainKind } from '../record-kinds.ts';
import { type GenderedNoun, KIND_NOUNS, MACHINE_NOUN, RENEW_VERB, screens } from './es.ts';
import { buttons, NO_SIGNAL } from './es-buttons.ts';
import { layoutTexts } from './es-layout.ts';
import { recordPageTexts } from './es-record.ts';
import { capitalized, countOf, formatNumber } from './format.ts';

/** Texts of the palette and of the list of shortcuts (FIND-02). */
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
  hints: { move: 'moverse', open: 'abrir', verbs: 'acciones', close: 'cerrar' },
} as const;

/** Announced to screen readers when the list has changed. */
export const resultCount = (count: number) => countOf(count, { one: 'resultado', many: 'resultados' });

/** The kinds of results in display order, with the headings of their groups. */
export const RESULT_HEADINGS = {
  clients: screens.clients,
  licenses: screens.licenses,
  software: screens.software,
  license_types: screens.licenseTypes,
  installations: DETAIL_LABELS.machines,
} as const;

export type ResultKind = keyof typeof RESULT_HEADINGS;

const NOUNS: Record<ResultKind, GenderedNoun> = {
  ...KIND_NOUNS,
  software: { ...KIND_NOUNS.software, many: 'programas' },
  installations: MACHINE_NOUN,
};

/** 'Cliente': the kind of a record, for screen readers and in the list of recent records. */
export const kindOfOne = (kind: ResultKind) => capitalized(NOUNS[kind].one);

/** The headings of groups other than kinds of records. */
export const GROUP_LABELS = {
  recent: 'Recientes',
  create: buttons.create,
  renew: RENEW_VERB,
  money: screens.payments,
  go: 'Ir a',
  other: 'Consola',
} as const;

export type GroupKey = ResultKind | keyof typeof GROUP_LABELS;

export const groupHeading = (key: GroupKey): string =>
  key in GROUP_LABELS ? GROUP_LABELS[key as keyof typeof GROUP_LABELS] : RESULT_HEADINGS[key as ResultKind];

/** The option that opens the list with all matches: 'Ver los 12 clientes', 'Ver las más de 1,000 licencias'. */
export function allMatches(kind: ResultKind, count: number, isExact: boolean): string {
  const { feminine, many } = NOUNS[kind];
  return `Ver ${feminine ? 'las' : 'los'} ${isExact ? '' : 'más de '}${formatNumber(count)} ${many}`;
}

/** The verb of the palette that asks a client to pay. */
export const CHARGE_VERB = 'Cobrar';

/** The actions; `words` are further words by which people search for them. */
export const paletteActions = {
  renew: { label: 'Renovar licencia…', words: 'renovación vencimiento' },
  charge: { label: 'Cobrar…', words: 'cobro pedir pago enlace cliente clave' },
  pay: { label: 'Registrar pago…', words: 'transferencia recibido cobro abono cliente clave' },
  darkTheme: { label: 'Usar tema oscuro', words: 'apariencia modo noche' },
  lightTheme: { label: 'Usar tema claro', words: 'apariencia modo día' },
  shortcuts: { label: 'Atajos de teclado', words: 'ayuda teclas' },
  signOut: { label: inSentence(layoutTexts.signOut), words: 'salir' },
} as const;

/** The actions on a record that was found. */
export const paletteVerbs = {
  renew: RENEW_VERB,
  reinstate: buttons.reactivate,
  suspend: 'Suspender',
  charge: CHARGE_VERB,
  chargeTo: (client: string) => `${CHARGE_VERB} a ${client}`,
  licenseFor: (client: string) => `Nueva licencia para ${client}`,
  whatsapp: 'WhatsApp',
  whatsappTo: (client: string) => `WhatsApp a ${client}`,
  /** The accessible name of the group. */
  of: (record: string) => `Acciones de ${record}`,
  /** Announced for a line that has actions. */
  hint: 'Con Tab o la flecha derecha, sus acciones',
} as const;

/** The card of the record that a search names (DESK-10). */
export const paletteCard = {
  lastSignal: DETAIL_LABELS.last_signal,
  noSignal: NO_SIGNAL,
  due: DETAIL_LABELS.ends,
  firstDue: 'Vence primero',
  nothingDue: 'Nada por vencer',
  seats: SEAT_FIELDS.seat_mode.label,
  license: kindOfOne('licenses'),
  machines: 'Tiene',
  phone: recordPageTexts.phone,
  noLicense: 'No tiene licencias',
  allWork: (count: number) =>
    count === 1 ? 'Su licencia funciona' : `Sus ${formatNumber(count)} licencias funcionan`,
  someRefused: (refused: number, count: number) =>
    count === 1
      ? 'Su licencia no funciona'
      : `${formatNumber(refused)} de sus ${formatNumber(count)} licencias no ${refused === 1 ? 'funciona' : 'funcionan'}`,
  ofLicenses: ({
    license_count = 0,
    installation_count = 0,
  }: {
    license_count?: number;
    installation_count?: number;
  }) => `${countOf(license_count, KIND_NOUNS.licenses)} · ${countOf(installation_count, MACHINE_NOUN)}`,
} as const;

/** Further words by which people search for creating a record of each kind, in the order of the actions. */
export const CREATE_WORDS: Record<MainKind, string> = {
  licenses: 'crear agregar emitir',
  clients: 'crear agregar',
  software: 'crear agregar registrar programa',
  license_types: 'crear agregar',
};

/** 'Nueva licencia'. */
export const newOf = (kind: MainKind) => `${NOUNS[kind].feminine ? 'Nueva' : 'Nuevo'} ${NOUNS[kind].one}`;

export const goTo = (screen: string) => `Ir a ${screen}`;

export const installationsCount = (count: number) => countOf(count, MACHINE_NOUN);
export const activeLicenses = (count: number) =>
  countOf(count, { one: 'licencia activa', many: 'licencias activas' });

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
