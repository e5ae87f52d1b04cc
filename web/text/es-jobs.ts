/** The names of job kinds. A kind that is newer than this page is shown by its code. */
const JOB_LABELS: Readonly<Record<string, string>> = {
  mail: 'Enviar un correo',
  bulk: 'Acción con muchos registros',
  import: 'Importación',
  webhooks: 'Avisos a los webhooks',
  portal_link: 'Correo para entrar al portal',
  housekeeping: 'Limpieza',
  retention: 'Borrar registros antiguos',
  'license-expiry': 'Vencer licencias',
  'license-start': 'Iniciar licencias sin activar',
  'lapsed-seats': 'Liberar lugares flotantes',
  reminders: 'Recordatorios',
  digest: 'Resumen semanal',
  expiring_keys: 'Claves de API por vencer',
  payment_expiry: 'Vencer cobros',
  payment_poll: 'Preguntar por un pago al proveedor',
  payment_note: 'Aviso de un proveedor de pagos',
  payment_checkouts: 'Cerrar páginas de pago',
  payment_demo: 'Pago de prueba que llega más tarde',
  'report-figures': 'Cifras de los reportes',
  'figures-refresh': 'Cifras de un reporte',
  'day-sums': 'Sumas por día',
  'plan-statistics': 'Estadísticas de la base de datos',
  'system-checks': 'Comprobación del sistema',
  backup: 'Copia de seguridad',
};

export const jobLabel = (kind: string): string => JOB_LABELS[kind] ?? kind;
