import { countOf, formatNumber } from './format.ts';

/** The texts of the frame around every screen (SEED-2.2-01 to -12, D017, D022, D023, D040). */
export const layoutTexts = {
  search: 'Buscar...',
  searchLabel: 'Buscar',
  notifications: 'Notificaciones',
  noNotifications: 'No hay notificaciones',
  noNotificationsHint: 'Ninguna licencia vence en los próximos 30 días.',
  notificationsFailed: 'No se pudieron cargar las notificaciones',
  expiringTitle: 'Licencias por vencer',
  attentionTitle: 'Requieren atención',
  fullTitle: 'Sin lugar libre',
  unread: 'Sin leer',
  darkTheme: 'Usar tema oscuro',
  lightTheme: 'Usar tema claro',
  account: 'Cuenta',
  username: 'Usuario',
  invite: 'Invitar a una persona',
  digest: 'Recibir el resumen semanal',
  digestHelp: 'Por correo, los lunes por la mañana.',
  digestFailed: 'Error al guardar el resumen semanal',
  signOut: 'Cerrar Sesión',
  footerName: 'Usuario',
  footerRole: 'Administrador',
} as const;

/** Shown instead of content that the person's role does not allow. */
export const noPermissionTexts = {
  title: 'No tienes permiso para ver esta página',
  form: 'No tienes permiso para hacer esto',
  readOnly: 'Puedes consultar estos datos. Los cambia un administrador.',
  hint: 'Si lo necesitas, pide a un administrador que cambie tu rol.',
} as const;

/** The title of the list of shortcuts. */
export const shortcutsTitle = 'Atajos de teclado';

/** The bell's description: '3 sin leer, 2 licencias por vencer'; '' if there is nothing. */
export const bellDescription = (unread: number, expiring: number) =>
  [
    unread > 0 && `${formatNumber(unread)} sin leer`,
    expiring > 0 && countOf(expiring, { one: 'licencia por vencer', many: 'licencias por vencer' }),
  ]
    .filter(Boolean)
    .join(', ');
