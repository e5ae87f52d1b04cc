import type { EmailStatus } from '../../contract/licenses/licenses.ts';
import type { MailStatus } from '../../contract/mail/mails.ts';

/** What is said of mail where there is no mail server: it is stored in the outbox folder, and nobody receives it. */
export const outboxTexts = {
  stored: 'Guardado en la bandeja de salida (sin servidor de correo)',
  storedMany: 'Guardados en la bandeja de salida (sin servidor de correo)',
  notReceived: 'Tu cliente no lo ha recibido.',
  /** Before an action: what becomes of its mail. */
  willStore: 'El correo se guarda en la bandeja de salida (sin servidor de correo).',
  willStoreMany: 'Los correos se guardan en la bandeja de salida (sin servidor de correo).',
  title: 'Sin servidor de correo',
  text: 'Los correos se guardan en la bandeja de salida y nadie los recibe. Para enviarlos, quien administra el servidor define SMTP_URL.',
  /** In place of 'Enviado'. */
  badge: 'En bandeja de salida',
  date: 'Guardado',
} as const;

/** The words of a mail's states, true to where mail goes. */
export const mailStates = <Status extends EmailStatus | MailStatus>(
  labels: Readonly<Record<Status, string>>,
  isStored: boolean,
): Readonly<Record<Status, string>> => (isStored ? { ...labels, sent: outboxTexts.badge } : labels);
