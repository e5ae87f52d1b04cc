/**
 * Names, limits and texts of payments. Without schemas, so that the public payment page does not load zod. The schemas
 * are in payment-requests.ts, payments.ts, payment-settings.ts and pay-page.ts.
 */

/** What a line of a payment request can be asked to sell (PAY-01). */
export const PAYMENT_LINE_KINDS = ['renewal', 'upgrade', 'maintenance', 'seats'] as const;
/** The kinds of lines. `sold`: a term that was sold already, so that paying it changes no licence (MONEY-05). */
export const LINE_KINDS = [...PAYMENT_LINE_KINDS, 'sold'] as const;
export type PaymentLineKind = (typeof LINE_KINDS)[number];

export const LINE_KIND_LABELS: Record<PaymentLineKind, string> = {
  renewal: 'Renovación',
  upgrade: 'Renovación con otro tipo',
  maintenance: 'Actualizaciones',
  seats: 'Más lugares',
  sold: 'Vendida',
};

/** What became of the money for a sold term (MONEY-05). */
export const TERM_PAYMENT_STATES = ['none', 'open', 'partial', 'paid', 'refunded'] as const;
export type TermPaymentState = (typeof TERM_PAYMENT_STATES)[number];

export const TERM_PAYMENT_LABELS: Record<TermPaymentState, string> = {
  none: 'Sin registrar',
  open: 'Pendiente de pago',
  partial: 'Pagada en parte',
  paid: 'Pagada',
  refunded: 'Devuelta',
};

/** The states of a payment request. `review`: something is wrong, and a person decides what to do (PAY-05). */
export const PAYMENT_REQUEST_STATES = ['open', 'paid', 'cancelled', 'expired', 'review'] as const;
export type PaymentRequestState = (typeof PAYMENT_REQUEST_STATES)[number];

export const PAYMENT_REQUEST_STATE_LABELS: Record<PaymentRequestState, string> = {
  open: 'Por pagar',
  paid: 'Pagado',
  cancelled: 'Cancelado',
  expired: 'Vencido',
  review: 'En revisión',
};

/** Why a request needs a review by a person (PAY-05). */
export const REVIEW_REASONS = [
  'amount',
  'currency',
  'account',
  'test',
  'duplicate',
  'late',
  'license',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

export const REVIEW_REASON_LABELS: Record<ReviewReason, string> = {
  amount: 'El importe pagado no es el que se pidió',
  currency: 'Se pagó en otra moneda',
  account: 'El pago llegó a otra cuenta',
  test: 'Es un pago de prueba: no hay dinero',
  duplicate: 'Se pagó dos veces',
  late: 'Se pagó después de vencer o cancelarse',
  license: 'Se pagó, pero una licencia ya no se puede renovar',
};

/** With these reasons a review can only be closed: the money does not pay for any renewal (PAY-05). */
export const CLOSED_ONLY: readonly ReviewReason[] = ['duplicate', 'test'];

/**
 * Who received the money. `manual`: a person recorded the payment ('Registrar pago'). `demo`: only in demo mode,
 * without money.
 */
export const PAYMENT_PROVIDERS = ['mercado_pago', 'stripe', 'demo', 'manual'] as const;
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];
/** The providers that a client can choose on the payment page. */
export const CHECKOUT_PROVIDERS = ['mercado_pago', 'stripe', 'demo'] as const;
export type CheckoutProvider = (typeof CHECKOUT_PROVIDERS)[number];
/** The providers for which the vendor has an account. */
export const ACCOUNT_PROVIDERS = ['mercado_pago', 'stripe'] as const;
export type AccountProvider = (typeof ACCOUNT_PROVIDERS)[number];

export const PAYMENT_PROVIDER_LABELS: Record<PaymentProvider, string> = {
  mercado_pago: 'Mercado Pago',
  stripe: 'Stripe',
  demo: 'Pago de prueba',
  manual: 'Registrado a mano',
};

/** The states of a payment; they move forward only: pending < failed < approved < refunded, charged_back (PAY-04). */
export const PAYMENT_STATES = ['pending', 'failed', 'approved', 'refunded', 'charged_back'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const PAYMENT_STATE_LABELS: Record<PaymentState, string> = {
  pending: 'En espera',
  failed: 'Rechazado',
  approved: 'Aprobado',
  refunded: 'Devuelto',
  charged_back: 'Contracargo',
};

/** The methods that a person can choose when recording a payment. */
export const MANUAL_METHODS = ['transfer', 'cash', 'card', 'other'] as const;

/** All payment methods. Only providers report `debit_card` and `wallet`. */
export const PAYMENT_METHODS = [...MANUAL_METHODS, 'debit_card', 'wallet'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PAYMENT_METHOD_LABELS: Record<PaymentMethod, string> = {
  transfer: 'Transferencia',
  cash: 'Efectivo',
  card: 'Tarjeta',
  debit_card: 'Tarjeta de débito',
  wallet: 'Monedero electrónico',
  other: 'Otro',
};

/** What the system does after a chargeback (PAY-06). */
export const CHARGEBACK_ACTIONS = ['notify', 'suspend'] as const;
export type ChargebackAction = (typeof CHARGEBACK_ACTIONS)[number];

/** The reason given in the event when a licence is suspended after a chargeback. */
export const CHARGEBACK_REASON = 'Contracargo';

/**
 * The results that 'Pago de prueba' can simulate. `later` is approved after {@link PAYMENT_LIMITS}.demoLaterSeconds.
 */
export const DEMO_RESULTS = ['approve', 'reject', 'later'] as const;
export type DemoResult = (typeof DEMO_RESULTS)[number];

/** The last part of the path of 'Pago de prueba', after the path of the payment request. */
export const DEMO_PATH = 'prueba';

/** The last part of the path of a receipt, and the parameter that says which one (MONEY-12). */
export const RECEIPT_PATH = 'recibo';
export const RECEIPT_PARAMETER = 'payment';

export const PAYMENT_LIMITS = {
  lines: 50,
  note: 500,
  reference: 100,
  reason: 500,
  instructions: 2000,
  secret: 500,
  /** Days until a request expires, at the end of the local day. */
  daysDefault: 7,
  daysMin: 1,
  daysMax: 60,
  /** Percent. */
  taxMax: 100,
  /** `check/` queries a provider at most once in this number of seconds. */
  checkSeconds: 5,
  demoLaterSeconds: 60,
  /**
   * The most notifications of Mercado Pago without a valid signature that wait at a time; more are dropped (PAY-04).
   */
  unsignedNotifications: 30,
  /** Such a notification is processed within this number of seconds. */
  unsignedNotificationSeconds: 60,
  /** Stripe notifications with an older signature are refused. */
  signatureSeconds: 300,
  notificationDays: 90,
  notificationBytes: 65_536,
  /** The vendor's accounts for transfers (MONEY-11). */
  accounts: 10,
  bank: 100,
  accountLabel: 60,
  accountNumber: 50,
  /** A client may say that it transferred so many times a day for a request, and so many times an hour from an address. */
  noticesOfRequest: 3,
  noticesOfIp: 20,
  /** How many local days back the day of a transfer may lie. */
  noticeDays: 30,
  /** For so many local days beyond its end a request stays open while nobody has answered its notice. */
  noticeOpenDays: 5,
  /** For how many days a provider is polled about a request: after the request's end, and after its payment. */
  polledAfterEndDays: 4,
  polledAfterPaymentDays: 120,
} as const;

/** Texts in answers to staff. */
export const PAYMENT_MESSAGES = {
  notFound: 'Cobro no encontrado',
  paymentNotFound: 'Pago no encontrado',
  lines: 'Elige al menos una licencia',
  tooManyLines: 'Un cobro admite como máximo 50 licencias',
  license: 'Selecciona una licencia válida',
  kind: 'Elige qué se cobra: renewal, upgrade, maintenance o seats',
  unknownLicense: 'Una de las licencias no existe',
  twice: 'Cada licencia puede estar una sola vez',
  oneClient: 'Las licencias deben ser del mismo cliente',
  oneCurrency: 'Las licencias deben cobrarse en la misma moneda',
  tooMuch: 'El importe total es demasiado grande',
  typeForUpgrade: 'Elige el tipo de licencia al que cambia',
  typeForTrial: 'Elige el tipo de licencia con el que sigue la prueba',
  quantity: 'Escribe cuántos lugares se cobran, un número entero mayor a 0',
  priceForCourtesy: 'La licencia es una cortesía: elige con qué tipo sigue, o escribe el precio',
  priceForMaintenance: 'Escribe el precio del mantenimiento',
  price: 'El precio debe ser mayor que 0',
  days: 'Los días deben ser un número entero entre 1 y 60',
  expiryDays: 'Los días deben ser un número entero mayor que 0',
  taxRate: 'El impuesto debe estar entre 0 y 100%',
  ownTerms:
    'Pedir menos que el precio o más que la duración que da la renovación, o cobrar un mantenimiento, necesita también el permiso licenses:renew',
  alreadyRequested: 'La licencia ya tiene un cobro por pagar',
  inReview: 'La licencia tiene un cobro en revisión: resuélvelo antes de pedir otro',
  notOpen: 'El cobro ya no está por pagar',
  notInReview: 'El cobro no está en revisión',
  closedOnly: 'Este cobro solo se puede cerrar',
  method: 'Elige cómo se pagó: transfer, cash, card u other',
  paidAt: 'Escribe el instante del pago, no después de ahora',
  amount: 'El importe no puede ser negativo',
  withheld: 'La retención no puede ser negativa',
  nothingPaid: 'Escribe lo que llegó o lo que el cliente retuvo',
  moreThanDue: 'Es más de lo que falta por pagar',
  moreThanDueWithTax: 'Con la retención es más de lo que falta por pagar',
  saleForm: 'Indica method si ya se pagó, o request: true si se cobra después',
  salePaid: 'method, reference, paid_at, amount y withheld no van con request',
  saleAsked: 'expires_in_days y notify van solo con request',
  saleFree: 'Sin un precio mayor que 0 no hay nada que pagar',
  saleOfMany: 'Una renovación de varias licencias no registra pagos. Regístralos en sus cobros.',
  undoPaid: 'Esta renovación tiene pagos registrados: devuélvelos antes de deshacerla',
  soldCancelled: 'La venta se anuló',
  action: 'Elige apply o close',
  cancelReason: 'Ya llegó una parte del dinero: escribe por qué se cancela',
  cancelledByHand: 'La licencia cambió',
  paidInPart:
    'La licencia tiene un cobro pagado en parte: registra lo que falta, o cancela antes el cobro con un motivo',
  transferred: 'La licencia ya es de otro cliente',
  notRefundable: 'Solo se devuelve un pago aprobado de un proveedor',
  refundAmount: 'El importe debe ser mayor que 0',
  refundTooMuch: 'Es más de lo que queda por devolver',
  refundWaits: 'Hay otra devolución de este pago sin respuesta. Repítela con el mismo importe.',
  refundRefused: 'El proveedor no aceptó la devolución',
  providerAway: 'El proveedor de pagos no responde. Intenta nuevamente en unos minutos.',
  tokenRefused: 'El proveedor no acepta este valor. Cópialo de nuevo.',
  tokenNeeded: 'Escribe primero las credenciales',
  httpsNeeded: 'Los pagos necesitan que PUBLIC_URL sea una dirección con https',
  chargeback: 'Elige notify o suspend',
  noNotice: 'No hay ningún aviso de transferencia por responder',
  accountNumber: 'Escribe el número de la cuenta',
  tooManyAccounts: 'No puede haber más de 10 cuentas',
} as const;

/** Texts in answers to clients, in formal Spanish. */
export const PAY_MESSAGES = {
  notFound: 'No existe ningún cobro con esta dirección',
  notOpen: 'Este cobro ya no se puede pagar aquí',
  provider: 'Elija con qué pagar',
  notOffered: 'Esta forma de pago no está disponible',
  result: 'Elija el resultado de la prueba',
  away: 'Por ahora no es posible pagar así. Intente de nuevo en unos minutos o elija otra forma de pago.',
  courtesy: 'La licencia es una cortesía, y no hay nada que pagar por ella',
  inReview: 'Su pago está en revisión. Su proveedor se comunicará con usted.',
  paidLater: 'Elija el día de la transferencia: hoy o uno anterior',
  paidLongAgo: 'Elija un día de los últimos 30',
  noReceipt: 'No existe ningún recibo con esta dirección',
  receipt: 'Indique el número del recibo, desde 1',
} as const;

/** The names of a payment request and a payment in events. */
export const requestName = (id: number): string => `Cobro ${id}`;
/** What the client writes as the concept of a transfer, so that it finds its request (MONEY-11). */
export const requestConcept = (id: number): string => `COBRO-${id}`;
export const paymentName = (id: number): string => `Pago ${id}`;
/** The number on the receipt of a payment (MONEY-12). */
export const receiptNumber = (id: number): string => `RECIBO-${id}`;

export const PAYMENT_REQUESTS_PATH = '/licenses/api/payment-requests/';
export const PAYMENTS_PATH = '/licenses/api/payments/';
export const PAYMENT_SETTINGS_PATH = '/licenses/api/settings/payments/';
