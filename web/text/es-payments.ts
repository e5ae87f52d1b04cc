import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { inSentence, LABELS } from '../../contract/base/labels.ts';
import type { ReviewReason } from '../../contract/payments/payment-words.ts';
import { actions, screens } from './es.ts';
import type { BulkActionTexts } from './es-bulk.ts';
import { buttons } from './es-buttons.ts';
import { countOf, formatDate, formatPercent } from './format.ts';

/** Texts about payments that several screens use: payment requests ('cobros') and payments ('pagos'). */

/** What a person can do about each reason of a review. */
export const REVIEW_ADVICE: Record<ReviewReason, string> = {
  amount:
    'Compara lo que llegó con lo que se pidió. Aplícalo si así lo acordaron; si no, ciérralo y devuelve el dinero.',
  currency: 'Aplícalo si así lo acordaron; si no, ciérralo y devuelve el dinero.',
  account: 'No es la cuenta guardada en Configuración. Comprueba dónde está el dinero antes de aplicarlo.',
  test: 'No renueva nada y solo se puede cerrar.',
  duplicate: 'La licencia ya se renovó con el primer pago. Devuelve el segundo y cierra la revisión.',
  late: 'Aplícalo si el precio sigue siendo bueno; si no, ciérralo y devuelve el dinero.',
  license:
    'No se renovó ninguna licencia de este cobro. Corrige la que no se puede y aplica el pago, o ciérralo y devuelve el dinero.',
};

export const paymentTexts = {
  title: screens.payments,
  see: 'Ver cobros',
  open: 'Cobro abierto',
  review: 'Cobro en revisión',
  partial: 'Pagado en parte',
  left: (amount: string) => `Faltan ${amount}`,
  until: (day: string) => `Vale hasta el ${formatDate(day)}`,
  pending: 'Hay un pago en camino',
  notified: 'Avisó que ya transfirió',
  test: 'Prueba',
  see_one: 'Ver el cobro',
  paidOn: 'Día del pago',
  method: 'Cómo se pagó',
  cameIn: 'Importe recibido',
  noted: 'Pago registrado',
  copyLink: 'Copiar enlace',
  copied: buttons.copied,
  link: 'Enlace de pago',
  subtotal: 'Subtotal',
  tax: (rate: number) => `Impuesto (${formatPercent(rate)})`,
  total: 'Total',
  cancelsOpenMany:
    'Si alguna tiene un cobro abierto, el cobro se cancela y su enlace deja de servir. La que tenga un cobro pagado en parte se queda como está.',
  holdsPart: (left: string) =>
    `Esta licencia tiene un cobro pagado en parte: faltan ${left}. Registra lo que falta, o cancela antes ese cobro con un motivo.`,
  cancelsOpen: (amount: string) =>
    `Esta licencia tiene un cobro abierto de ${amount}. Al continuar se cancela, y su enlace deja de servir.`,
} as const;

/** Texts of 'Cobrar' in the bulk bar, which has a special dialog. */
export const bulkChargeTexts: BulkActionTexts = {
  label: 'Cobrar',
  title: (what) => `Cobrar ${what}`,
  question: () => '',
  confirm: 'Crear cobro',
  busy: actions.creating,
  done: () => '',
};

/** Texts of the dialog 'Cobrar'. */
export const chargeTexts = {
  action: 'Cobrar',
  title: 'Cobrar la renovación',
  titleMany: (count: number) => `Cobrar ${countOf(count, { one: 'licencia', many: 'licencias' })}`,
  lead: 'El cliente recibe un enlace para pagar. En cuanto paga, la renovación se hace sola, con este precio.',
  leadMany:
    'El cliente recibe un solo enlace para todas. El precio y el plazo salen del tipo de cada una; para cambiarlos, cobra una licencia a la vez.',
  type: inSentence(LABELS.license_type),
  sameType: 'El mismo',
  chooseType: 'Elige un tipo de licencia',
  price: 'Precio sin impuesto',
  days: 'Días que se suman',
  tax: 'Impuesto (%)',
  taxHelp: 'Se suma una vez al total.',
  taxOfSettings: 'Vacío: el de la configuración.',
  expires: 'Días para pagar',
  expiresHelp: 'Hasta el final de ese día. Después el enlace vence.',
  note: 'Nota para el cliente',
  noteHelp: 'El cliente la lee junto al total.',
  notify: 'Enviar el enlace por correo',
  notifyTo: (address: string) => `A ${address}`,
  submit: 'Crear cobro',
  busy: actions.creating,
  failed: 'No se pudo crear el cobro',
  /** The lines of the request, one for each licence. */
  lines: LABELS.licenses,
  beforeTax: 'Antes de impuesto',
  newEnd: DETAIL_LABELS.ends,
  unknown: '—',
  refusedLine: 'No se puede cobrar',
  created: 'Cobro creado',
  createdSent: (address: string) => `El enlace va por correo a ${address}. También puedes mandarlo tú.`,
  createdQuiet: 'El cliente paga en este enlace. Mándaselo como prefieras.',
  refusedTitle: 'No se pueden cobrar juntas',
  /** Why several licences cannot be charged together. */
  clients: 'Son de varios clientes. Un cobro es para un solo cliente: filtra por cliente y vuelve a elegir.',
  currencies: 'Tienen varias monedas. Un cobro lleva una sola moneda: elige las de una.',
  tooMany: (most: number) => `Un cobro lleva ${most} licencias como máximo.`,
  trials: 'Hay licencias de prueba, que necesitan un tipo. Cóbralas una a una desde sus acciones.',
  allPages: 'Elige las licencias una por una: aquí se eligieron todas las que coinciden.',
} as const;
