import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import { LABELS } from '../../../contract/base/labels.ts';
import {
  type PaymentLineKind,
  type PaymentState,
  requestConcept,
} from '../../../contract/payments/payment-words.ts';
import { actions, filters } from '../../text/es.ts';
import { buttons } from '../../text/es-buttons.ts';
import { newChargeTexts, registerTexts } from '../../text/es-charges.ts';
import { paymentTexts } from '../../text/es-payments.ts';
import { confirmTexts } from '../../text/es-transfers.ts';
import { countOf, formatDate } from '../../text/format.ts';

/** The texts of 'Cobros' and its dialogs. */

const REQUEST_NOUN = { one: 'cobro', many: 'cobros' } as const;
const PAYMENT_NOUN = { one: 'pago', many: 'pagos' } as const;

export const tabTexts = { label: 'Cobros y pagos', requests: paymentTexts.title, received: 'Pagos' } as const;

/** Texts of the list of payment requests. */
export const requestTexts = {
  title: paymentTexts.title,
  subtitle: 'Lo que pediste a tus clientes que pagaran',
  tableCaption: 'Lista de cobros',
  loadFailed: 'Error al cargar los cobros',
  noun: REQUEST_NOUN,
  empty: 'Todavía no hay cobros',
  emptyHint:
    'Elige un cliente y qué le cobras: recibe un enlace, y en cuanto paga, su licencia se renueva sola.',
  nothing: 'Ningún cobro coincide',
  nothingHint: 'Busca por cliente, clave, concepto o referencia, o quita algún filtro.',
  search: 'Cliente, clave, COBRO-12…',
  searchLabel: 'Buscar cobros',
  create: newChargeTexts.title,
  createFirst: 'Crear tu primer cobro',
  remind: 'Recordar',
  reminded: 'Recordatorio en camino',
  remindFailed: 'No se pudo enviar el recordatorio',
  copied: 'Enlace copiado',
  copyFailed: 'No se pudo copiar el enlace',
  details: 'Detalles del Cobro',
  record: {
    loading: 'Cargando el cobro...',
    notFound: 'Cobro no encontrado',
    failed: registerTexts.failed,
  },
  stateFilter: filters.status,
  filters: { client: LABELS.client, license: LABELS.license },
  columns: {
    client: LABELS.client,
    what: 'Qué se cobra',
    amount: DETAIL_LABELS.amount,
    state: LABELS.status,
    expires: DETAIL_LABELS.ends,
    created: DETAIL_LABELS.created_at,
  },
  nameOf: requestConcept,
  linesOf: (first: string, others: number) =>
    others === 0 ? first : `${first} y ${countOf(others, { one: 'licencia más', many: 'licencias más' })}`,
  reviews: (count: number) =>
    count === 1 ? '1 cobro necesita que decidas' : `${count} cobros necesitan que decidas`,
  reviewsText: 'Llegó dinero que no coincide con lo que se pidió.',
  seeReviews: 'Ver los que están en revisión',
} as const;

/** Texts of the list of received payments. */
export const receivedTexts = {
  title: paymentTexts.title,
  subtitle: 'Lo que pagaron tus clientes',
  tableCaption: 'Lista de pagos',
  loadFailed: 'Error al cargar los pagos',
  noun: PAYMENT_NOUN,
  empty: 'Todavía no hay pagos',
  emptyHint: 'Cuando un cliente pague en línea, o registres un pago a mano, lo verás aquí.',
  nothing: 'Ningún pago coincide',
  nothingHint: 'Quita algún filtro para ver más pagos.',
  stateFilter: filters.status,
  providerFilter: { name: 'Proveedor', label: 'Filtrar por proveedor', all: 'Todos los proveedores' },
  filters: { client: LABELS.client, from: 'Desde', to: 'Hasta' },
  days: 'Días',
  columns: {
    client: LABELS.client,
    amount: DETAIL_LABELS.amount,
    state: LABELS.status,
    how: 'Cómo',
    reference: DETAIL_LABELS.reference,
    date: DETAIL_LABELS.date,
    actions: actions.column,
  },
  requestOf: requestConcept,
  refundedPart: (amount: string) => `Devuelto: ${amount}`,
  exportFailure: 'Failed to export payments',
} as const;

/** What the filter of a list sums to: the counts follow their amount, the other two texts are before theirs. */
export const sumTexts = {
  requested: (count: number) => `en ${countOf(count, REQUEST_NOUN)}`,
  due: '; falta cobrar',
  received: (count: number) => `en ${countOf(count, PAYMENT_NOUN)}`,
  refunded: '; de eso se devolvió',
  tooMany: 'Son demasiados para sumarlos: filtra para ver cuánto suman.',
  allStates:
    'Cuenta también los que están en espera y los rechazados. Filtra por Aprobado para ver lo que entró.',
} as const;

/** Texts of the actions on a payment request. */
export const requestActions = {
  cancel: 'Cancelar cobro',
  cancelTitle: 'Cancelar el cobro',
  cancelText: (client: string) => `El enlace de ${client} deja de servir. No se le avisa.`,
  cancelKeeps: (amount: string) =>
    `De este cobro ya se pagaron ${amount}. Esos pagos se quedan registrados: si hay que devolver el dinero, hazlo aparte.`,
  cancelConfirm: 'Cancelar cobro',
  cancelling: buttons.cancelling,
  cancelled: 'Cobro cancelado',
  cancelFailed: 'No se pudo cancelar el cobro',
  send: 'Enviar de nuevo',
  sending: buttons.sending,
  sent: 'Correo del cobro enviado',
  sendFailed: 'No se pudo enviar el correo',
  pay: registerTexts.action,
  payTitle: 'Registrar un pago',
  payLead: 'Para dinero que ya te llegó por otro lado, todo o una parte.',
  ofTotal: (total: string) => `Lo que falta de ${total}`,
  cameIn: paymentTexts.cameIn,
  withheld: DETAIL_LABELS.withheld,
  withheldHelp: 'El impuesto que el cliente retuvo: salda el cobro y no es dinero que entra.',
  leaves: (amount: string) => `Quedan ${amount} por pagar: el cobro sigue abierto y su enlace pide el resto.`,
  over: (amount: string) => `Son ${amount} de más.`,
  /** What saving does, besides: what was sold before is only paid. */
  settles: (kinds: readonly PaymentLineKind[]) =>
    kinds.every((kind) => kind === 'sold')
      ? 'Con esto queda pagado.'
      : kinds.every((kind) => kind === 'sold' || kind === 'seats')
        ? 'Con esto queda pagado: los lugares se agregan al guardar.'
        : 'Con esto queda pagado: la renovación se hace al guardar.',
  paidPart: (amount: string) => `Pago registrado: faltan ${amount}`,
  method: paymentTexts.method,
  chooseMethod: 'Elige cómo se pagó',
  reference: DETAIL_LABELS.reference,
  referenceHelp: 'El número de la transferencia o del recibo, para encontrarlo después.',
  paidOn: paymentTexts.paidOn,
  paySubmit: registerTexts.action,
  paying: confirmTexts.busy,
  paid: paymentTexts.noted,
  paidReview: confirmTexts.review,
  payFailed: confirmTexts.failed,
  resolve: 'Resolver',
  resolveTitle: 'Resolver la revisión',
  decision: 'Qué hacer',
  chooseDecision: 'Elige qué hacer',
  apply: 'Aplicar',
  applyText: 'renovar ahora las licencias, con el precio del cobro',
  close: actions.close,
  closeText: 'no hacer nada más; el dinero se devuelve aparte',
  reason: DETAIL_LABELS.reason,
  reasonHelp: 'Queda en el historial.',
  resolveSubmit: 'Guardar decisión',
  resolving: buttons.saving,
  resolved: 'Revisión resuelta',
  resolveFailed: 'No se pudo resolver la revisión',
} as const;

export const refundTexts = {
  action: 'Reembolsar',
  of: (amount: string) => `Reembolsar ${amount}`,
  title: 'Reembolsar el pago',
  lead: (provider: string) =>
    `${provider} devuelve el dinero al cliente. Esto no se deshace. Te pediremos tu contraseña.`,
  amount: DETAIL_LABELS.amount,
  amountHelp: (left: string) => `Quedan ${left} por devolver.`,
  submit: 'Reembolsar',
  busy: 'Reembolsando...',
  done: 'Reembolso enviado',
  failed: 'No se pudo reembolsar',
  keeps: 'La licencia sigue renovada: al reembolsar no se le quita nada.',
} as const;

export const undoTexts = {
  title: 'Se devolvió todo el dinero',
  text: 'La licencia sigue renovada. Si ya no corresponde, deshaz la renovación.',
  undo: 'Deshacer renovación',
  undoOf: (key: string) => `Deshacer renovación de ${key}`,
  undoing: 'Deshaciendo...',
  done: 'Renovación deshecha',
  failed: 'No se pudo deshacer la renovación',
} as const;

/** Texts of the details of a payment request. */
export const detailTexts = {
  lines: 'Qué se cobra',
  payments: 'Pagos',
  noPayments: 'Todavía no llegó ningún pago.',
  client: LABELS.client,
  amount: 'Total',
  expires: 'Vale hasta',
  paid: 'Pagado',
  received: 'Recibido',
  withheld: DETAIL_LABELS.withheld,
  due: 'Falta por pagar',
  noEnd: 'No vence: ya llegó una parte',
  withheldOf: (amount: string) => `${DETAIL_LABELS.withheld}: ${amount}`,
  created: DETAIL_LABELS.created_at,
  by: (name: string) => `Por ${name}`,
  note: 'Nota para el cliente',
  deletedLicense: 'Licencia eliminada',
  period: (starts: string | null, ends: string | null) =>
    starts === null || ends === null ? null : `Del ${formatDate(starts)} al ${formatDate(ends)}`,
  history: DETAIL_LABELS.history,
  pendingTitle: 'Hay un pago en camino',
  pendingText:
    'El cliente eligió pagar en efectivo o por transferencia. En cuanto llegue el dinero, se registra solo.',
  referenceOf: (reference: string) => `Referencia: ${reference}`,
} as const;

export const PAYMENT_STATE_HELP: Partial<Record<PaymentState, string>> = {
  charged_back: 'El cliente desconoció el cargo ante su banco.',
};
