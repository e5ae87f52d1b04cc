import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import { PAYMENT_STATE_LABELS } from '../../contract/payments/payment-words.ts';
import { buttons } from './es-buttons.ts';
import { formatDate, formatPercent } from './format.ts';

/** Texts of the payment page for clients, in formal Spanish like those of the portal (PAY-02). */

/** The state of a payment request as the client sees it. */
export type PayState = 'open' | 'pending' | 'paid' | 'cancelled' | 'expired' | 'review';

interface PayStateTexts {
  title: string;
  lead: (expires: string) => string;
}

export const PAY_STATES: Record<PayState, PayStateTexts> = {
  open: {
    title: 'Su pago',
    lead: (expires) => `Precio válido hasta el ${formatDate(expires)}.`,
  },
  pending: {
    title: 'Su pago está en camino',
    lead: () => 'En cuanto llegue el dinero le avisamos por correo. Puede cerrar esta página.',
  },
  paid: {
    title: 'Recibimos su pago. ¡Gracias!',
    lead: () => 'Su licencia ya está al día. Le enviamos el detalle por correo.',
  },
  cancelled: {
    title: 'Esta solicitud de pago se canceló',
    lead: () => 'Ya no puede pagarse aquí. Si la necesita, pida un enlace nuevo a su proveedor.',
  },
  expired: {
    title: 'Este enlace de pago venció',
    lead: (expires) =>
      `El precio era válido hasta el ${formatDate(expires)}. Pida un enlace nuevo a su proveedor.`,
  },
  review: {
    title: 'Su proveedor está revisando este pago',
    lead: () => 'No hace falta que pague de nuevo. Su proveedor le escribirá.',
  },
};

export const payTexts = {
  testBand: 'Modo de prueba: no se cobra',
  testBandOf: (labels: readonly string[]) => `Modo de prueba: con ${labels.join(' y ')} no se cobra`,
  unknown: 'No encontramos este pago',
  unknownText: 'Revise que el enlace esté completo, o pida uno nuevo a quien se lo envió.',
  confirming: 'Estamos confirmando su pago...',
  missing: 'Todavía no vemos su pago',
  missingText:
    'Si ya pagó, no pague otra vez: a veces el aviso tarda unos minutos. Si no terminó, puede intentarlo de nuevo.',
  failed: 'El pago no se completó',
  failedText: 'Puede intentarlo de nuevo o pagar de otra forma.',
  total: 'Total',
  toPay: 'Total a pagar',
  restToPay: 'Falta por pagar',
  received: 'Ya recibimos',
  withheld: DETAIL_LABELS.withheld,
  partLead: 'Ya recibimos una parte de su pago. Aquí puede pagar lo que falta.',
  paidTotal: 'Total pagado',
  client: LABELS.client,
  detail: 'Detalle',
  note: 'Nota de su proveedor',
  subtotal: 'Subtotal',
  tax: (rate: number) => `Impuesto (${formatPercent(rate)})`,
  period: (starts: string | null, ends: string | null) =>
    ends === null
      ? 'Sin vencimiento'
      : starts === null
        ? `Hasta el ${formatDate(ends)}`
        : `Del ${formatDate(starts)} al ${formatDate(ends)}`,
  how: 'Cómo pagar',
  otherWay: 'Pagar de otra forma',
  pay: (provider: string) => `Pagar con ${provider}`,
  opening: buttons.opening,
  leaving:
    'El pago se hace en la página del proveedor de pagos. Aquí no se piden ni se guardan datos de tarjetas.',
  transfer: 'Transferencia o depósito',
  instructions: 'Indicaciones de su proveedor',
  transferText: 'Cuando su proveedor vea el pago, lo registra y usted recibe un correo.',
  transferTo: {
    bank: 'Banco',
    holder: 'A nombre de',
    account: 'Número de cuenta',
    amount: 'Importe',
    concept: 'Concepto',
    conceptHelp: 'Escríbalo en su transferencia: así encuentran su pago.',
  },
  notice: {
    open: 'Ya hice la transferencia',
    again: 'Corregir el aviso',
    lead: 'Avise a su proveedor para que busque su pago. No hace falta comprobante.',
    paidOn: 'Día de la transferencia',
    reference: 'Referencia o clave de rastreo',
    referenceHelp: 'Opcional. Está en el comprobante de su banco.',
    submit: 'Avisar',
    busy: 'Avisando...',
    given: (day: string) => `Usted avisó que transfirió el ${formatDate(day)}`,
    givenText: (reference: string) =>
      [
        ...(reference === '' ? [] : [`Referencia: ${reference}.`]),
        'Su proveedor busca el dinero y lo confirma. Entonces usted recibe un correo.',
      ].join(' '),
    tooMany: 'Ya avisó varias veces. Espere a que su proveedor lo confirme.',
  },
  receipts: 'Recibos',
  receipt: 'Ver recibo',
  receiptOf: (number: number) => `Ver recibo ${number}`,
  noWay: 'Por ahora no se puede pagar en línea',
  noWayText: 'Escriba a su proveedor para acordar cómo pagar.',
  away: (provider: string) => `${provider} no responde en este momento. Intente de nuevo en unos minutos.`,
  awayOther: (provider: string) =>
    `${provider} no responde en este momento. Intente de nuevo en unos minutos, o pague de otra forma.`,
  check: 'Comprobar de nuevo',
  checking: buttons.checking,
} as const;

/** Texts of a receipt, for clients and for staff: what both read addresses nobody (MONEY-12). */
export const receiptTexts = {
  title: 'Recibo',
  noTax: 'Este recibo no es un comprobante fiscal.',
  number: 'Número',
  paidOn: 'Fecha del pago',
  from: 'Recibido de',
  method: 'Forma de pago',
  reference: 'Referencia del pago',
  concept: 'Concepto',
  support: 'Contacto',
  detail: 'Detalle',
  received: 'Importe recibido',
  withheld: DETAIL_LABELS.withheld,
  refunded: PAYMENT_STATE_LABELS.refunded,
  refundedAll: 'El dinero de este pago se devolvió',
  refundedPart: (amount: string) => `De este pago se devolvieron ${amount}`,
  chargedBack: 'El banco devolvió el dinero de este pago',
  test: 'Pago de prueba: no se cobró nada',
  erased: 'Los datos de quien pagó se borraron a petición suya',
  print: 'Imprimir recibo',
  whatsapp: 'Enviar por WhatsApp',
  whatsappText: (vendor: string, number: string, url: string) => `${number} de ${vendor}:\n\n${url}`,
  back: 'Volver al pago',
  unknown: 'No encontramos este recibo',
  unknownText: 'Revise que el enlace esté completo, o pida uno nuevo a quien se lo envió.',
} as const;

/** Texts of the page 'Pago de prueba'. */
export const trialPayTexts = {
  title: 'Pago de prueba',
  lead: 'Aquí no se cobra nada. Elija qué respondería el proveedor de pagos.',
  approve: 'Aprobar',
  approving: 'Aprobando...',
  reject: 'Rechazar',
  rejecting: 'Rechazando...',
  later: 'Pagar más tarde',
  postponing: buttons.saving,
  laterHelp: 'Como un pago en efectivo: se aprueba solo después de un minuto.',
  back: 'Volver sin pagar',
  over: 'Este pago ya no está abierto.',
} as const;
