import type { LOCALES } from '../../contract/base/money.ts';
import { DAY_NOUN, screens } from './es.ts';
import { CURRENCY_NAMES } from './es-money.ts';
import { countOf, formatNumber } from './format.ts';

/** The texts of Configuración. */
export const settingsTexts = {
  title: screens.settings,
  subtitle: 'Los datos de tu empresa y cómo trabaja el sistema',
  sections: 'Secciones',
  loading: 'Cargando la configuración...',
  notFound: 'No hay configuración',
  failed: 'Error al cargar la configuración',
  saved: 'Configuración guardada',
  saveFailed: 'Error al guardar la configuración',
} as const;

export const companyTexts = {
  identity: 'Tu empresa',
  look: 'Logo y color',
  receipt: 'En los recibos',
  legalHelp: 'Vacío: el nombre de la empresa. Un recibo no es un comprobante fiscal.',
  mail: 'Remitente de los correos',
  formats: 'Moneda y formato',
  supportHelp: 'Aparece en los correos para que tus clientes pidan ayuda. Déjalo vacío para no mostrarlo.',
  senderHelp: 'Quién firma los correos. Vacío: el nombre de la empresa.',
  replyHelp: 'A dónde llegan las respuestas. Vacío: a la dirección que envía.',
  currencyHelp: 'La moneda de los precios nuevos. Los que ya existen no cambian.',
  pickColor: 'Elegir color',
  preview: 'Así se ve un correo',
  previewGreeting: 'Hola, María Fernanda:',
  previewBody: 'Su licencia está lista.',
  previewButton: 'Ver mi licencia',
  previewHelp: (email: string) => `¿Necesita ayuda? Escriba a ${email}`,
} as const;

/**
 * Whether the colour's contrast is sufficient, shown while it is being chosen. Cut to one digit, so that 4.49 is not
 * shown as the limit 4.5.
 */
export function contrastText(contrast: number, isReadable: boolean): string {
  const shown = formatNumber(Math.floor(contrast * 10) / 10);
  return isReadable
    ? `Se lee bien sobre blanco (contraste de ${shown} a 1).`
    : `Sobre blanco no se lee: su contraste es de ${shown} a 1 y se pide 4.5 a 1.`;
}

export const logoTexts = {
  label: 'Logo',
  alt: 'Logo de la empresa',
  none: 'Sin logo: los correos muestran el nombre.',
  hint: 'PNG o JPEG de hasta 200 kB. También puedes arrastrarlo hasta aquí.',
  choose: 'Subir logo',
  change: 'Cambiar logo',
  uploading: 'Subiendo...',
  remove: 'Quitar logo',
  removing: 'Quitando...',
  removeTitle: '¿Quitar el logo?',
  removeText: 'Los correos que ya salieron pueden dejar de mostrarlo.',
  saved: 'Logo guardado',
  removed: 'Logo quitado',
} as const;

/** Each currency with its code: 'Peso mexicano (MXN)'. */
export const CURRENCY_LABELS = Object.fromEntries(
  Object.entries(CURRENCY_NAMES).map(([code, name]) => [code, `${name} (${code})`]),
);

export const LOCALE_LABELS: Record<(typeof LOCALES)[number], string> = {
  'es-MX': 'México: 1,234.56',
  'es-AR': 'Argentina: 1.234,56',
};

export const remindersTexts = {
  keepEvents: 'Conservar siempre el historial',
  reminders: 'Avisos de vencimiento',
  retention: 'Cuánto se conserva',
  enabledHelp: 'Un correo por cliente y día, a las 09:00, con todas sus licencias que llegaron a un aviso.',
  days: 'Días',
  when: 'Cuándo',
  before: 'antes de vencer',
  after: 'después de vencer',
  add: 'Agregar',
  none: 'Sin avisos',
  wrongDay: (most: number) => `Escribe un número entero de días, de 0 a ${most}`,
  known: 'Ese aviso ya está en la lista',
  tooMany: (most: number) => `No puede haber más de ${most} avisos`,
  remove: (day: string) => `Quitar ${day}`,
  mailHelp: 'Después se borra el texto; la lista sigue diciendo qué se envió, a quién y cuándo.',
  eventsHelp: 'Lo más antiguo se borra para siempre y no se puede recuperar.',
  keepHelp: 'El historial de cada licencia y la auditoría no se borran nunca.',
} as const;

export const onOrOff = (isOn: boolean) => (isOn ? 'Sí' : 'No');

/** '30 días antes', '1 día antes', 'el día que vence', '1 día después'. */
export function daysInWords(day: number): string {
  if (day === 0) return 'el día que vence';
  const days = countOf(Math.abs(day), DAY_NOUN);
  return day > 0 ? `${days} antes` : `${days} después`;
}
