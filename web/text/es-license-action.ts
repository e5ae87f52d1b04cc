/** Texts inside the dialogs of verbs on a licence. Their titles and labels are in web/verbs/. */
export const lifecycleTexts = {
  reason: 'Motivo',
  reasonHelp: 'Queda en el historial de la licencia.',
  bulkReasonHelp: 'Queda en el historial de cada licencia.',
  notify: 'Avisar al cliente por correo',
  notifyMany: 'Avisar a los clientes por correo',
  notifyTo: (email: string) => `A ${email}`,
  chooseClient: 'Elige un cliente',
  type: 'Tipo de licencia',
  sameType: 'El mismo',
  price: 'Precio',
  priceHelp: 'En blanco: el del tipo de licencia',
  /** Under the price, where the licence has none to go on with. */
  afterCourtesy: 'Es una cortesía: escribe el precio, o elige con qué tipo sigue',
  expiryDays: 'Días',
  expiryDaysHelp: 'En blanco: los del tipo de licencia',
  seats: 'Lugares nuevos',
  seatsInAll: 'Lugares en total',
  seatsPriceHelp: 'La licencia no tiene un tipo del que salga el precio',
  seatsBecome: (now: string, then: string) => `${now} → ${then}`,
  days: 'Días de prórroga',
  daysHelp: 'Entre 1 y 60',
  giveBack: 'Devolver los días de la suspensión',
  giveBackHelp: 'El vencimiento se recorre los días que estuvo suspendida.',
  client: 'Nuevo cliente',
  releaseSeats: 'Liberar sus equipos',
  releaseSeatsHelp: 'Los equipos del cliente anterior pierden su lugar.',
  summary: 'Cómo queda',
  expires: 'Vence',
  starts: 'Empieza',
  unknown: 'Por calcular',
  undone: 'Renovación deshecha',
  undoFailed: 'No se pudo deshacer la renovación',
} as const;

/** Further items in the menu of a licence. */
export const licenseMenuTexts = { file: 'Archivo sin conexión', certificate: 'Constancia' } as const;

/** Instead of the deletion of a licence that was paid (INPUT-18). */
export const paidTexts = {
  title: 'No se puede eliminar: tiene pagos',
  why: 'Sin la licencia no se sabría qué pagaron, y lo vendido en meses pasados cambiaría.',
  instead: 'Cancélala: sus programas dejan de aceptarla, y sus pagos y su historial quedan.',
} as const;
