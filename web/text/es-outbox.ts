import type { EmailStatus } from '../../contract/licenses/licenses.fields.ts';
import type { MailStatus } from '../../contract/mail/mails.ts';

/** Texts about mail if there is no mail server: it is stored in the outbox folder, and nobody receives it. */
export const outboxTexts = {
  stored: 'Guardado en la bandeja de salida (sin servidor de correo)',
  storedMany: 'Guardados en la bandeja de salida (sin servidor de correo)',
  notReceived: 'Tu cliente no lo ha recibido.',
  /** Before an action: what will happen to its mail. */
  willStore: 'El correo se guarda en la bandeja de salida (sin servidor de correo).',
  willStoreMany: 'Los correos se guardan en la bandeja de salida (sin servidor de correo).',
  title: 'Sin servidor de correo',
  text: 'Los correos se guardan en la bandeja de salida y nadie los recibe.',
  /** For those who may, a link; for others, whom to ask. */
  configure: 'Configurar el servidor de correo',
  ask: 'Quien administra la consola lo configura en Configuración › Correos.',
  /** Replaces 'Enviado'. */
  badge: 'En bandeja de salida',
  date: 'Guardado',
} as const;

/** The labels of delivery statuses, adapted to whether mails are sent or only stored. */
export const mailStates = <Status extends EmailStatus | MailStatus>(
  labels: Readonly<Record<Status, string>>,
  isStored: boolean,
): Readonly<Record<Status, string>> => (isStored ? { ...labels, sent: outboxTexts.badge } : labels);
