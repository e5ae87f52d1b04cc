import { z } from 'zod';

/**
 * The notifications in the bell: what needs attention now (LIFE-10). A notification disappears when its cause ends.
 */

const NOTIFICATION_KINDS = [
  'expiring',
  'mail_failed',
  'seats_full',
  'webhook_disabled',
  'client_requested',
  'payment_review',
  'transfer_notified',
  'backup_late',
  'machine_id_shared',
  'note_due',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** The most notifications in an answer. */
export const NOTIFICATIONS_MAX = 50;

/** An id that arrives under so many names on a local day is no machine's own, and is shown for so many days. */
export const SHARED_NAMES = 3;
export const SHARED_SHOWN_DAYS = 7;

export const NOTIFICATION_TEXTS = {
  expiring: (client: string, software: string, day: string) =>
    `La licencia de ${client} para ${software} vence el ${day}`,
  mailFailed: (address: string) => `No se pudo entregar un correo a ${address}`,
  webhookDisabled: (url: string) => `Se desactivó el webhook ${url}`,
  clientRequested: (client: string, asked: string, software: string | null) =>
    software === null ? `${client} pide ${asked}` : `${client} pide ${asked} para ${software}`,
  transferNotified: (client: string, concept: string) =>
    `${client} avisó que ya transfirió: ${concept}. Busca el dinero y confírmalo.`,
  paymentReview: (client: string, why: string) => `Revisa el cobro de ${client}. ${why}`,
  backupLate: (last: string | null) =>
    last === null
      ? 'Todavía no hay ninguna copia de seguridad que se haya probado'
      : `No hay una copia de seguridad probada desde el ${last}`,
  machineIdShared: (id: string, names: readonly string[], others: number) =>
    `El identificador «${id}» llegó el mismo día de varios equipos: ${names.join(', ')}${others > 0 ? ` y ${others} más` : ''}`,
  noteDue: (client: string, excerpt: string) => `${client}: ${excerpt}`,
  seatsFull: (client: string, software: string, seats: number) =>
    seats === 1
      ? `La licencia de ${client} para ${software} usa su único lugar`
      : `La licencia de ${client} para ${software} usa sus ${seats} lugares`,
} as const;

const notification = z
  .object({
    /** The same as long as the cause lasts. If the cause occurs again, the notification has a new id. */
    id: z.string(),
    kind: z.enum(NOTIFICATION_KINDS),
    /** The instant since which the cause exists. */
    at: z.string(),
    message: z.string(),
    license: z.object({ id: z.number().int(), license_key: z.string() }).nullable(),
    client: z.object({ id: z.number().int(), name: z.string() }).nullable(),
    read: z.boolean(),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof notification>;

/** Newest first; `unread` is the number of notifications that the user has not read. */
export const notificationPage = z
  .object({ unread: z.number().int(), results: z.array(notification).max(NOTIFICATIONS_MAX) })
  .meta({ id: 'NotificationPage' });
export type NotificationPage = z.infer<typeof notificationPage>;

/** Marks all as read if `ids` is absent. An id of a notification that no longer exists is ignored. */
export const notificationsRead = z.object({ ids: z.array(z.string().max(100)).max(500).optional() });

export const notificationsReadResult = z.object({ success: z.literal(true), unread: z.number().int() });
