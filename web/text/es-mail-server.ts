import {
  MAIL_SETTINGS_LABELS as LABELS,
  MAIL_PORTS,
  type MailSecurity,
} from '../../contract/mail/mail-settings.ts';
import { buttons } from './es-buttons.ts';
import { countOf, formatNumber } from './format.ts';

/** Texts of 'Servidor de correo', in Configuración › Correos (DESK-07). */

export const SECURITY_LABELS: Record<MailSecurity, string> = {
  starttls: 'STARTTLS',
  tls: 'TLS desde el inicio',
  none: 'Sin cifrado',
};

export const PORT_LABELS = Object.fromEntries(MAIL_PORTS.map((port) => [port, String(port)]));

const MAIL_NOUN = { one: 'correo', many: 'correos' } as const;
const oneOrMany = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const mailServerTexts = {
  title: 'Servidor de correo',
  loading: 'Cargando el servidor de correo...',
  notFound: 'No se encontró el servidor de correo',
  failed: 'Error al cargar el servidor de correo',
  /** Its place, in texts of other screens. */
  configure: 'Configurar',
  change: 'Cambiar',
  configured: 'Configurado',
  ofUrl: 'Lo define SMTP_URL',
  ofUrlText: 'Los correos salen por el servidor de SMTP_URL, que define quien administra este programa.',
  ofUrlUnused: (server: string) => `El que guardaste aquí, ${server}, no se usa mientras tanto.`,
  none: 'Sin servidor de correo',
  noneText: 'Los correos se guardan en la bandeja de salida y nadie los recibe.',
  server: LABELS.host,
  sender: LABELS.from,
  user: LABELS.username,
  noUser: 'Sin usuario',
  serverWords: (host: string, port: number, security: MailSecurity) =>
    `${host}, puerto ${port}, ${SECURITY_LABELS[security]}`,

  hostHelp: 'Lo indica tu proveedor de correo, como smtp.example.com.',
  portHelp: 'Casi siempre 587; con TLS desde el inicio, 465.',
  securityHelp: 'Sin cifrado solo se admite un servidor de este mismo equipo, y sin usuario.',
  userHelp: 'Casi siempre la dirección completa del buzón.',
  passwordHelp: 'Si tu proveedor pide contraseñas de aplicación, usa una.',
  passwordKept: 'Guardada. Escríbela otra vez si cambias el servidor, el puerto, la seguridad o el usuario.',
  fromHelp: (now: string) =>
    now === ''
      ? 'Como Ventas <ventas@example.com>. Vacío: el de MAIL_FROM.'
      : `Como Ventas <ventas@example.com>. Vacío: ${now}.`,
  submit: buttons.save,
  submitting: buttons.saving,
  saved: 'Servidor de correo guardado',
  saveFailed: 'Error al guardar el servidor de correo',

  remove: 'Quitar',
  removeTitle: 'Quitar el servidor de correo',
  removeText: (server: string) =>
    `Se olvida ${server} con su contraseña. Los correos dejan de salir y se guardan en la bandeja de salida.`,
  removing: 'Quitando...',
  removed: 'Servidor de correo quitado',
  removeFailed: 'Error al quitar el servidor de correo',

  test: 'Enviar una prueba',
  testTitle: 'Probar el servidor de correo',
  testTo: 'Enviar la prueba a',
  testSubmit: 'Enviar la prueba',
  testing: buttons.sending,
  tested: (to: string) => `El servidor aceptó la prueba para ${to}`,
  testFailed: 'La prueba no salió',
  answered: 'El servidor respondió:',
  testHint: 'Revisa que haya llegado, también entre los correos no deseados.',

  waiting: (count: number) =>
    `${countOf(count, MAIL_NOUN)} ${oneOrMany(count, 'espera en la bandeja', 'esperan en la bandeja')} de salida`,
  waitingText: 'Se guardaron cuando no había servidor de correo, y nadie los ha recibido.',
  waitingLater: (count: number) =>
    `${countOf(count, MAIL_NOUN)} ${oneOrMany(count, 'espera: podrás enviarlo', 'esperan: podrás enviarlos')} cuando haya un servidor.`,
  send: (count: number) =>
    count === 1 ? 'Enviar el que espera' : `Enviar los ${formatNumber(count)} que esperan`,
  sendTitle: (count: number) => `Enviar ${countOf(count, MAIL_NOUN)}`,
  sendText:
    'Salen los de los últimos 30 días, con las claves y las direcciones de hoy. No salen los de licencias canceladas o vencidas, los de claves reemplazadas ni los enlaces de un solo uso.',
  sending: buttons.sending,
  sent: (count: number) =>
    count === 1 ? 'Se envía el correo que esperaba' : `Se envían ${countOf(count, MAIL_NOUN)}`,
  sendFailed: 'Error al enviar los correos que esperan',
} as const;
