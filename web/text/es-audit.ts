import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import type { EventType, SubjectKind } from '../../contract/system/events.ts';
import { byVerbEvent } from '../verbs/index.ts';
import { kindTitle, screens, settingsSections } from './es.ts';

/** Texts of 'Auditoría' and its filters (EVENT-08). */

export const auditTexts = {
  filters: 'Filtros',
  exportFailed: 'No se pudo exportar la auditoría',
  fileName: 'eventos.csv',
  empty: 'No hay eventos',
  emptyHint: 'Nada coincide con los filtros.',
  failed: 'No se pudo cargar la auditoría',
  sections: { when: 'Cuándo', who: 'Quién', about: 'De qué registro', what: 'Qué pasó' },
  typesHint: 'Sin elegir ninguno se muestran todos.',
  range: 'El último día no puede ser anterior al primero',
  unknownUser: (id: number) => `Usuario ${id}`,
  searchLicense: 'Buscar licencia...',
  searchingLicenses: 'Buscando licencias...',
  noLicenses: 'No se encontraron licencias',
  clearLicense: 'Limpiar licencia',
} as const;

/** The names of the filters, in the dialog and on the chips. */
export const AUDIT_FILTER_NAMES = {
  type: 'Tipo',
  actor_kind: 'Tipo de autor',
  user: 'Persona',
  client: 'Cliente',
  license: 'Licencia',
  software: 'Software',
  from: 'Desde',
  to: 'Hasta',
} as const;

/** The kinds of records, as headings of their event types. */
export const SUBJECT_KIND_LABELS: Record<SubjectKind, string> = {
  license: kindTitle('licenses'),
  client: kindTitle('clients'),
  software: kindTitle('software'),
  license_type: kindTitle('license_types'),
  installation: 'Equipos',
  note: DETAIL_LABELS.notes,
  payment_request: 'Cobros',
  payment: 'Pagos',
  mail: settingsSections.correos,
  user: settingsSections.usuarios,
  session: 'Sesiones',
  api_key: settingsSections.claves,
  webhook: settingsSections.webhooks,
  settings: screens.settings,
  mail_template: settingsSections.plantillas,
  import: 'Importaciones',
  signing_key: settingsSections.firma,
  job: 'Trabajos',
};

/** The event types as choices of a filter. */
export const EVENT_TYPE_LABELS: Record<EventType, string> = {
  'client.created': 'Cliente creado',
  'client.updated': 'Cliente cambiado',
  'client.merged': 'Clientes fusionados',
  'client.erased': 'Datos de cliente borrados',
  'client.deleted': 'Cliente eliminado',
  'client.signed_in': 'Entrada al portal',
  'client.requested': 'Solicitud de un cliente',
  'client.portal_viewed': 'Portal visto como cliente',
  'software.created': 'Software registrado',
  'software.updated': 'Software cambiado',
  'software.deleted': 'Software eliminado',
  'license_type.created': 'Tipo de licencia creado',
  'license_type.updated': 'Tipo de licencia cambiado',
  'license_type.deleted': 'Tipo de licencia eliminado',
  'license.issued': 'Licencia emitida',
  'license.updated': 'Licencia cambiada',
  'license.started': 'Licencia empezada',
  ...byVerbEvent(({ eventLabel }) => eventLabel),
  'license.renewal_undone': 'Renovación deshecha',
  'license.expired': 'Licencia vencida',
  'license.deleted': 'Licencia eliminada',
  'license.file_issued': 'Archivo sin conexión',
  'license.reminded': 'Recordatorio generado',
  'license.usage_limit_reached': 'Límite de consumo alcanzado',
  'license.usage_adjusted': 'Consumo corregido',
  'installation.activated': 'Equipo activado',
  'installation.released': 'Equipo liberado',
  'note.created': 'Nota escrita',
  'note.updated': 'Nota cambiada',
  'note.deleted': 'Nota eliminada',
  'payment_request.created': 'Cobro creado',
  'payment_request.cancelled': 'Cobro cancelado',
  'payment_request.expired': 'Cobro vencido',
  'payment_request.resolved': 'Cobro revisado',
  'payment_request.notified': 'Aviso de transferencia',
  'payment.received': 'Pago recibido',
  'payment.refunded': 'Pago devuelto',
  'payment.disputed': 'Contracargo',
  'mail.sent': 'Correo enviado',
  'mail.failed': 'Correo fallido',
  'user.registered': 'Usuario registrado',
  'user.invited': 'Usuario invitado',
  'user.joined': 'Invitación aceptada',
  'user.updated': 'Usuario cambiado',
  'user.deactivated': 'Usuario desactivado',
  'user.reactivated': 'Usuario reactivado',
  'user.signed_in': 'Inicio de sesión',
  'user.sign_in_failed': 'Inicio de sesión fallido',
  'user.password_changed': 'Contraseña cambiada',
  'user.mfa_enabled': 'Dos pasos activados',
  'user.mfa_disabled': 'Dos pasos desactivados',
  'user.mfa_reset': 'Dos pasos restablecidos',
  'user.passkey_added': 'Llave de acceso añadida',
  'user.passkey_removed': 'Llave de acceso eliminada',
  'user.identity_linked': 'Entrada por proveedor enlazada',
  'user.identity_unlinked': 'Entrada por proveedor quitada',
  'session.revoked': 'Sesión cerrada',
  'api_key.created': 'Clave de API creada',
  'api_key.revoked': 'Clave de API revocada',
  'webhook.created': 'Webhook creado',
  'webhook.updated': 'Webhook cambiado',
  'webhook.deleted': 'Webhook eliminado',
  'webhook.disabled': 'Webhook desactivado',
  'settings.updated': 'Configuración cambiada',
  'mail_template.updated': 'Plantilla cambiada',
  'import.finished': 'Importación terminada',
  'signing_key.rotated': 'Clave de firma cambiada',
  'job.retried': 'Trabajo reintentado',
};

const GROUPS = [
  'Licencias y equipos',
  'Clientes y cobros',
  'Catálogo',
  'Correos',
  'Personas y accesos',
  'Sistema',
] as const;

/** The group in the filter for each kind of record. */
const GROUP_OF: Record<SubjectKind, (typeof GROUPS)[number]> = {
  license: 'Licencias y equipos',
  installation: 'Licencias y equipos',
  client: 'Clientes y cobros',
  software: 'Catálogo',
  license_type: 'Catálogo',
  note: 'Clientes y cobros',
  payment_request: 'Clientes y cobros',
  payment: 'Clientes y cobros',
  mail: 'Correos',
  mail_template: 'Correos',
  user: 'Personas y accesos',
  session: 'Personas y accesos',
  api_key: 'Personas y accesos',
  settings: 'Sistema',
  webhook: 'Sistema',
  import: 'Sistema',
  signing_key: 'Sistema',
  job: 'Sistema',
};

/** The groups of event types in the filter, each with its kinds of records. */
export const AUDIT_GROUPS = GROUPS.map((label) => ({
  label,
  kinds: (Object.keys(GROUP_OF) as SubjectKind[]).filter((kind) => GROUP_OF[kind] === label),
}));

/** Texts for choosing event types in a group. */
export const choiceTexts = {
  some: 'Elegir algunos',
  hide: 'Ocultar',
  of: (label: string, group: string) => `${label}: ${group}`,
  chosen: (count: number, all: number) => `${count} de ${all}`,
} as const;
