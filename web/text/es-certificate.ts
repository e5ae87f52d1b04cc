import type { LicenseStatus } from '../../contract/licenses/licenses.fields.ts';

/** Texts of the certificate and of its public page (LIFE-12). The public page loads no other texts. */
export const certificateTexts = {
  statement: (vendor: string) =>
    `${vendor} hace constar que la siguiente licencia está registrada en su sistema.`,
  loading: 'Cargando constancia...',
  notFound: 'Licencia no encontrada',
  failed: 'Error al cargar la constancia',
  print: 'Imprimir',
  back: 'Volver a la licencia',
  client: 'Cliente',
  software: 'Software',
  type: 'Tipo de licencia',
  key: 'Clave de licencia',
  status: 'Estado',
  seats: 'Equipos permitidos',
  issued: 'Fecha de emisión',
  expiry: 'Fecha de expiración',
  date: 'Fecha de la constancia',
  code: 'Código de verificación',
  scan: 'Escanee el código o abra la dirección para comprobar que la constancia es auténtica y ver el estado actual de la licencia.',
  qr: (url: string) => `Código QR que lleva a ${url}`,
  support: 'Contacto',
} as const;

/** The status of a licence, for readers of a certificate. */
export const CERTIFICATE_STATUS_LABELS: Record<LicenseStatus, string> = {
  active: 'Vigente',
  trial: 'De prueba, vigente',
  expired: 'Vencida',
  suspended: 'Suspendida',
  cancelled: 'Cancelada',
  inactive: 'Inactiva',
};

/** The public page. */
export const verifyTexts = {
  title: '¿Es auténtica?',
  checking: 'Comprobando...',
  yes: 'Sí, es auténtica',
  yesText: 'Existe una constancia con este código.',
  notValid: 'La licencia no está vigente.',
  no: 'No se encontró',
  noText: 'No hay ninguna constancia con este código. Revise que esté bien escrito.',
  failed: 'No se pudo comprobar',
  failedText: 'El servidor no responde. Inténtelo de nuevo.',
  tooMany: 'Hizo demasiados intentos. Espere unos minutos.',
  retry: 'Reintentar',
  code: 'Código de verificación',
  codeHelp: 'Está en la constancia, junto al código QR.',
  check: 'Comprobar',
} as const;
