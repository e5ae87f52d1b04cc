import type { TodayAction, TodayKind } from '../../../contract/desk/today-kinds.ts';
import { RENEW_VERB, urgencyTexts } from '../../text/es.ts';
import { buttons } from '../../text/es-buttons.ts';
import { noticeTexts } from '../../text/es-transfers.ts';
import { formatDate } from '../../text/format.ts';

/** The texts of the inbox 'Para hoy' (DESK-01). */
export const inboxTexts = {
  list: 'Pendientes',
  /** Beside the title. */
  count: (count: number, isExact: boolean) =>
    count === 1 ? '1 pendiente' : `${count}${isExact ? '' : '+'} pendientes`,
  empty: 'Todo listo',
  emptyText: 'No hay nada que atender ahora.',
  failed: 'Error al cargar lo que hay para hoy',
  done: 'Hecho',
  later: 'Más tarde',
  tomorrow: (day: string) => `Mañana, ${formatDate(day)}`,
  monday: (day: string) => `El lunes, ${formatDate(day)}`,
  anotherDay: 'Otro día…',
  wasDone: 'Marcado como hecho',
  wasPut: (day: string) => `Vuelve el ${formatDate(day)}`,
  /** The accessible name of a button in a row: 'Hecho: Ana López'. */
  of: (verb: string, title: string) => `${verb}: ${title}`,
  markFailed: 'No se pudo cambiar el pendiente',
  undoFailed: 'No se pudo deshacer',
  all: (rest: number) => (rest === 1 ? 'Ver el otro' : `Ver los otros ${rest}`),
  /** Under a list of the longest length. */
  andMore: (shown: number) => `Son los ${shown} más urgentes. Los demás aparecen al atender estos.`,
  laterDialog: {
    title: 'Más tarde',
    label: 'Vuelve el día',
    submit: 'Dejar para ese día',
    busy: buttons.saving,
    failed: 'No se pudo cambiar el pendiente',
    afterToday: 'Elige un día después de hoy',
  },
  answerDialog: {
    title: 'Responder a la solicitud',
    /** For a program that no free seat would help. */
    explainTitle: 'Explícale al cliente',
    open: 'Abrir el cliente',
    openLicense: 'Abrir la licencia',
  },
  reactivated: 'Webhook activado',
  reactivateFailed: 'Error al activar el webhook',
} as const;

/** What a second button says, of the kind that has one: no transfer came in (MONEY-11). */
export const NOT_ARRIVED = noticeTexts.notArrived;

/** What the button of a row says. */
export const ACT_LABELS: Readonly<Record<TodayAction, string>> = {
  confirm_transfer: noticeTexts.confirm,
  review_payment: 'Revisar',
  answer_request: 'Responder',
  release_machine: buttons.release,
  explain_refusal: 'Explicar',
  open_note: 'Ver nota',
  renew_license: RENEW_VERB,
  resend_mail: buttons.resend,
  enable_webhook: buttons.reactivate,
  check_backup: 'Revisar copias',
};

/** The kind of a row, in words. */
export const TODAY_KIND_LABELS: Readonly<Record<TodayKind, string>> = {
  transfer_notified: 'Aviso de transferencia',
  payment_review: 'Pago por revisar',
  client_request: 'Pedido de un cliente',
  refused_program: 'Programa rechazado',
  note_due: 'Nota para hoy',
  expiring: 'Por vencer',
  trial_ending: 'Prueba por terminar',
  expired_unrenewed: 'Vencida sin renovar',
  mail_failed: urgencyTexts.mailFailed,
  webhook_disabled: 'Webhook inactivo',
  backup_late: 'Copia atrasada',
};
