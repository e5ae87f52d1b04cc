/** Labels like those in labels.ts, of details, forms and files. These load on demand, so no list waits for them. */
export const DETAIL_LABELS = {
  email: 'Email',
  version: 'Versión',
  description: 'Descripción',
  amount: 'Importe',
  /** What came in, less what went back (MONEY-04). */
  collected: 'Cobrado',
  /** The tax that a client withheld (MONEY-06). */
  withheld: 'Retención',
  reference: 'Referencia',
  reason: 'Motivo',
  notes: 'Notas',
  date: 'Fecha',
  created_at: 'Creado',
  ends: 'Vence',
  machine: 'Equipo',
  machines: 'Equipos',
  history: 'Historial',
  seats_used: 'Lugares en uso',
  contacts: 'Contactos',
  phone: 'Teléfono',
  last_signal: 'Última señal',
} as const;
