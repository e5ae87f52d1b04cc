/**
 * What several kinds of record, lists, files, mails and the portal call the same thing. A field that only one kind has
 * is named in its `<kind>.fields.ts` alone. Without schemas, so that pages can show these words before any form loads.
 */
export const LABELS = {
  client: 'Cliente',
  clients: 'Clientes',
  software: 'Software',
  license: 'Licencia',
  licenses: 'Licencias',
  active_licenses: 'Licencias Activas',
  license_key: 'Clave de Licencia',
  license_type: 'Tipo de Licencia',
  installations: 'Instalaciones',
  name: 'Nombre',
  company: 'Empresa',
  country: 'País',
  type: 'Tipo',
  status: 'Estado',
  is_active: 'Activo',
  price: 'Precio',
  complimentary: 'Cortesía',
  currency: 'Moneda',
  issued_date: 'Fecha de Emisión',
  expiry_date: 'Fecha de Expiración',
  tags: 'Etiquetas',
} as const;

/** 'Clave de licencia': a label in the spelling of texts, where the specification's screens write 'Clave de Licencia'. */
export const inSentence = (label: string) => label.charAt(0) + label.slice(1).toLowerCase();
