import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { buttons } from './es-buttons.ts';
import { chargeTexts, paymentTexts } from './es-payments.ts';
import { formatDate } from './format.ts';

/** Texts about the payment of a sale: in the forms that sell, and after it (MONEY-05). */
export const salePaymentTexts = {
  title: 'Pago',
  none: 'Sin registrar',
  noneHelp: 'Aquí no se anota nada de su pago.',
  paid: 'Ya pagó',
  paidHelp: 'El pago queda anotado, y el correo al cliente lo dice.',
  asked: 'Cobrar después',
  askedHelp: 'Se crea un cobro con su enlace para pagar.',
  method: paymentTexts.method,
  reference: DETAIL_LABELS.reference,
  referenceHelp: 'Folio de la transferencia, número de ficha…',
  paidOn: paymentTexts.paidOn,
  amount: paymentTexts.cameIn,
  amountHelp: 'En blanco: todo lo que se cobra, con impuesto. Si es menos, lo que falta queda por cobrar.',
  withheld: DETAIL_LABELS.withheld,
  withheldHelp: 'El impuesto que el cliente retuvo: salda la venta y no es dinero recibido.',
  expires: chargeTexts.expires,
  expiresHelp: chargeTexts.expiresHelp,
  notify: chargeTexts.notify,
  notifyHelp: 'En un correo aparte, con el importe y el enlace.',
  /** After the sale. */
  recorded: (amount: string) => `Pago registrado: ${amount}`,
  recordedPart: (amount: string, due: string) => `Se registraron ${amount}. Quedan ${due} por cobrar.`,
  created: (amount: string, day: string) => `Cobro creado: ${amount}, hasta el ${formatDate(day)}`,
  send: 'El cliente paga en este enlace:',
  noted: paymentTexts.noted,
  askedFor: chargeTexts.created,
  copyLink: paymentTexts.copyLink,
  copied: buttons.copied,
  copyFailed: 'No se pudo copiar el enlace',
  see: paymentTexts.see_one,
  /** The list of what was sold. */
  sales: 'Ventas',
  issue: 'Emisión',
  until: (day: string) => `hasta el ${formatDate(day)}`,
} as const;
