import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { actions, screens } from './es.ts';
import { buttons } from './es-buttons.ts';
import { paymentTexts } from './es-payments.ts';
import { formatDate } from './format.ts';

/** Texts of transfers for staff: the client's notice and its answers, and the vendor's accounts (MONEY-11). */

export const noticeTexts = {
  title: 'El cliente avisó que ya transfirió',
  said: ({ paid_on, reference }: { paid_on: string; reference: string }) =>
    [
      `Transferencia del ${formatDate(paid_on)}`,
      ...(reference === '' ? [] : [`referencia «${reference}»`]),
    ].join(' · '),
  /** A notice is no proof. */
  look: 'Búscala en tu banco antes de confirmar: un aviso no prueba nada.',
  confirm: 'Confirmar',
  notArrived: 'No llegó',
} as const;

export const confirmTexts = {
  title: 'Confirmar la transferencia',
  submit: 'Registrar pago',
  busy: 'Registrando...',
  failed: 'No se pudo registrar el pago',
  amount: paymentTexts.cameIn,
  reference: DETAIL_LABELS.reference,
  paidOn: paymentTexts.paidOn,
  amountWrong: 'Escribe el importe recibido',
  tooMuch: 'Es más de lo que falta por pagar',
  done: paymentTexts.noted,
  part: 'Pago registrado: el cobro sigue abierto por lo que falta',
  review: 'Pago registrado: el cobro quedó en revisión',
  over: 'Este cobro ya no está por pagar.',
} as const;

export const dismissTexts = {
  title: 'La transferencia no llegó',
  lead: 'El aviso se quita de la lista. El cliente puede avisar de nuevo mientras el cobro esté abierto; no se le escribe.',
  reason: DETAIL_LABELS.reason,
  reasonHelp: 'Opcional. Queda en el historial.',
  submit: noticeTexts.notArrived,
  busy: buttons.saving,
  failed: 'No se pudo responder al aviso',
  done: 'Aviso respondido',
} as const;

export const staffReceiptTexts = {
  back: 'Volver al cobro',
  open: screens.receipt,
  record: {
    loading: 'Cargando el recibo...',
    notFound: 'Este cobro no tiene ese recibo',
    failed: 'Error al cargar el recibo',
  },
} as const;

export const accountTexts = {
  bank: 'Banco',
  holder: 'A nombre de',
  accounts: 'Cuentas',
  help: 'El cliente las copia una por una en la página de pago. Se guardan sin espacios ni guiones.',
  one: (number: number) => `Cuenta bancaria ${number}`,
  ofAccount: (label: string, number: number) => `${label} ${number}`,
  label: 'Nombre de la cuenta',
  number: 'CLABE, CBU o número',
  currency: 'Moneda',
  add: 'Agregar cuenta',
  full: (most: number) => `Puedes tener hasta ${most} cuentas.`,
  remove: (label: string, number: number) => `${actions.remove} ${label || `cuenta bancaria ${number}`}`,
  fix: 'Corrige las cuentas marcadas',
  inWords: (numbers: readonly string[]) => (numbers.length === 0 ? 'Ninguna' : numbers.join(', ')),
} as const;
