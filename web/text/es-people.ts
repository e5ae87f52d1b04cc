import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import { CLIENT_STATUS_LABELS } from '../../contract/clients/client-words.ts';
import { LICENSE_STATUS_LABELS, OVER } from '../../contract/licenses/license-words.ts';
import type { Permission, Role } from '../../contract/people/permissions.ts';
import type { UserStatus } from '../../contract/people/users.ts';
import type { SettingsValues } from '../../contract/settings/settings.ts';
import { actions, DAY_NOUN, filters, settingsSections } from './es.ts';
import { buttons, NEVER } from './es-buttons.ts';
import { layoutTexts } from './es-layout.ts';
import { countOf, formatDate, formatTime } from './format.ts';

/** The texts of 'Usuarios' and 'Claves de API'. */

/** Every permission as text. */
export const PERMISSION_LABELS: Record<Permission, string> = {
  'clients:read': 'Ver clientes',
  'clients:write': 'Crear y editar clientes',
  'clients:delete': 'Eliminar clientes',
  'clients:erase': 'Descargar y borrar los datos personales de un cliente',
  'software:read': 'Ver software',
  'software:write': 'Registrar y editar software',
  'software:delete': 'Eliminar software',
  'license_types:read': 'Ver tipos de licencia',
  'license_types:write': 'Crear y editar tipos de licencia',
  'license_types:delete': 'Eliminar tipos de licencia',
  'licenses:read': 'Ver licencias',
  'licenses:write': 'Emitir, editar, transferir y cancelar licencias',
  'licenses:delete': 'Eliminar licencias',
  'licenses:renew': 'Renovar licencias y dar prórrogas',
  'licenses:suspend': 'Suspender y reactivar licencias',
  'licenses:file': 'Entregar archivos de licencia',
  'installations:release': 'Liberar equipos',
  'payments:read': 'Ver cobros y pagos',
  'payments:write': 'Cobrar, registrar pagos y devolver dinero',
  'mails:read': 'Ver los correos enviados',
  'mails:send': 'Enviar correos',
  'statistics:read': 'Ver las cifras del panel',
  'imports:run': 'Importar datos',
  'views:share': 'Compartir vistas',
  'reports:read': 'Ver reportes',
  'settings:read': 'Ver la configuración',
  'settings:manage': 'Cambiar la configuración',
  'audit:read': 'Ver la auditoría',
  'users:manage': 'Administrar usuarios',
  'api_keys:manage': 'Administrar claves de API',
  'webhooks:manage': 'Administrar webhooks',
  'signing_keys:manage': 'Administrar las claves de firma',
};

/** What each role may do, in one sentence. */
export const ROLE_HELP: Record<Role, string> = {
  admin: 'Todo, también usuarios, claves de API y configuración.',
  operator: 'Trabaja con clientes, licencias, tipos y software, y envía correos. No cambia la configuración.',
  support: 'Ve todo lo de los clientes, suspende y reactiva licencias, libera equipos y reenvía correos.',
  viewer: 'Ve y exporta, sin cambiar nada. No ve correos ni configuración.',
};

export const USER_STATUS_LABELS: Record<UserStatus, string> = {
  active: LABELS.is_active,
  invited: 'Invitado',
  inactive: CLIENT_STATUS_LABELS.inactive,
};

/** The fields of the form from top to bottom. */
export const USER_LABELS = {
  names: LABELS.name,
  last_name: 'Apellido',
  email: DETAIL_LABELS.email,
  username: 'Nombre de usuario',
  role: 'Rol',
} as const;

export const userTexts = {
  tableCaption: settingsSections.usuarios,
  noun: { one: 'usuario', many: 'usuarios' },
  searchLabel: 'Buscar usuarios',
  search: 'Buscar usuarios...',
  roleFilter: { name: 'Rol', label: 'Filtrar por rol', all: 'Todos los roles' },
  statusFilter: filters.status,
  columns: {
    name: LABELS.name,
    role: 'Rol',
    status: LABELS.status,
    mfa: 'Dos pasos',
    signedIn: 'Último acceso',
    actions: actions.column,
  },
  mfaOn: 'Sí',
  mfaOff: 'No',
  never: NEVER,
  locked: (until: string) => `Bloqueado hasta ${formatTime(new Date(until))}`,
  empty: 'Nada coincide',
  emptyHint: 'Cambia la búsqueda o los filtros.',
  loadFailed: 'Error al cargar los usuarios',
  invite: 'Invitar',
  inviteTitle: layoutTexts.invite,
  inviting: 'Invitando...',
  inviteHelp: 'Al aceptar dice su nombre y elige su contraseña.',
  edit: 'Editar usuario',
  person: 'Persona',
  save: buttons.save,
  saving: buttons.saving,
  record: {
    loading: 'Cargando el usuario...',
    notFound: 'Usuario no encontrado',
    failed: 'Error al cargar el usuario',
  },
  toasts: {
    created: 'Invitación creada',
    updated: 'Usuario actualizado',
    createFailed: 'Error al invitar',
    updateFailed: 'Error al guardar el usuario',
    failsInForm: true,
  },
} as const;

/** The actions on a user other than editing. */
export type UserActionName = 'invite' | 'reset_link' | 'unlock' | 'reset_mfa' | 'deactivate' | 'reactivate';

interface UserActionTexts {
  label: string;
  done: string;
  failed: string;
  /** The confirmation. An action without it is done at once. */
  question?: { title: string; text: (name: string) => string; confirm: string };
}

export const USER_ACTION_TEXTS: Record<UserActionName, UserActionTexts> = {
  invite: {
    label: 'Enviar otra invitación',
    done: 'Invitación enviada',
    failed: 'Error al enviar la invitación',
  },
  reset_link: {
    label: 'Enlace para cambiar la contraseña',
    done: 'Enlace enviado por correo',
    failed: 'Error al crear el enlace',
    question: {
      title: '¿Crear un enlace para cambiar la contraseña?',
      text: (name) =>
        `Con él, ${name} elige otra contraseña. Vale 10 minutos y una sola vez; un enlace anterior deja de valer.`,
      confirm: 'Crear enlace',
    },
  },
  unlock: {
    label: 'Desbloquear',
    done: 'Usuario desbloqueado',
    failed: 'Error al desbloquear',
  },
  reset_mfa: {
    label: 'Quitar verificación en dos pasos',
    done: 'Verificación en dos pasos quitada',
    failed: 'Error al quitar la verificación',
    question: {
      title: '¿Quitar la verificación en dos pasos?',
      text: (name) =>
        `${name} entrará solo con su contraseña hasta que vuelva a activarla, y sus códigos de recuperación y llaves de acceso dejan de valer. Hazlo si perdió su teléfono o su equipo.`,
      confirm: 'Quitar',
    },
  },
  deactivate: {
    label: buttons.deactivate,
    done: 'Usuario desactivado',
    failed: 'Error al desactivar',
    question: {
      title: '¿Desactivar a esta persona?',
      text: (name) =>
        `${name} no podrá entrar. Sus sesiones terminan ahora, y sus enlaces y claves de API dejan de valer. Lo que hizo sigue en el historial.`,
      confirm: buttons.deactivate,
    },
  },
  reactivate: {
    label: buttons.reactivate,
    done: 'Usuario reactivado',
    failed: 'Error al reactivar',
  },
};

/** Texts about a link or key that is shown only once. */
export const onceTexts = {
  inviteTitle: 'Entrega esta invitación',
  resetTitle: 'Entrega este enlace',
  noMail: (name: string) =>
    `No hay un servidor de correo configurado, así que nada se envió. Copia el enlace y entrégaselo a ${name}: no se vuelve a mostrar.`,
  link: 'Enlace',
  inviteHolds: 'Vale 48 horas y una sola vez. Quien lo tenga puede entrar con esta cuenta.',
  resetHolds: 'Vale 10 minutos y una sola vez. Quien lo tenga puede cambiar la contraseña.',
  copyLink: 'Copiar enlace',
  handedOver: 'Ya lo entregué',
  copied: buttons.copied,
  copyAndClose: 'Copiar y cerrar',
  copyRefused: 'El navegador no dejó copiarlo: selecciónalo y cópialo tú, con Ctrl+C.',
  copiedToast: 'Copiado al portapapeles',
  copyAndWebhook: 'Copiar y crear un webhook',
  keyTitle: 'Guarda la clave ahora',
  keyLead: 'No se vuelve a mostrar. Si la pierdes, reemplázala.',
  key: 'Clave',
  saved: 'Ya la guardé',
} as const;

export const keyTexts = {
  list: settingsSections.claves,
  create: 'Nueva clave',
  createTitle: 'Nueva clave de API',
  creating: actions.creating,
  submit: 'Crear clave',
  createFailed: 'Error al crear la clave',
  loading: 'Cargando las claves...',
  loadFailed: 'Error al cargar las claves',
  empty: 'Todavía no hay claves',
  emptyHint:
    'Con una clave, tus programas usan la API sin una contraseña. Por ejemplo, para leer tus clientes:',
  example: (origin: string) => `curl -H "Authorization: Bearer lmk_…" \\\n${origin}/licenses/api/clients/`,
  name: LABELS.name,
  nameHelp: 'Para qué programa es: lo verás en el historial.',
  permissions: 'Permisos',
  permissionsHelp: 'Da solo los que el programa necesita. Una clave no puede más que tú.',
  presets: 'Empezar con',
  readOnly: 'Solo lectura',
  shop: 'Tienda en línea',
  clear: 'Ninguno',
  others: 'Otros permisos',
  verbs: { read: 'Ver', write: 'Crear y editar', delete: actions.remove },
  expiry: DETAIL_LABELS.ends,
  days: (days: number) => (days === 365 ? 'En un año' : days === 1 ? 'En un día' : `En ${days} días`),
  onDate: 'En una fecha',
  date: 'Fecha de vencimiento',
  dateMissing: 'Elige una fecha futura',
  by: (name: string, date: string) => `${name}, ${formatDate(date)}`,
  columns: {
    name: 'Clave',
    permissions: 'Permisos',
    created: 'Creada por',
    expires: DETAIL_LABELS.ends,
    used: 'Último uso',
    actions: actions.column,
  },
  never: NEVER,
  active: LICENSE_STATUS_LABELS.active,
  expired: OVER,
  revoked: 'Revocada',
  replace: 'Reemplazar',
  replaceTitle: '¿Reemplazar la clave?',
  replaceText: (name: string) =>
    `Se crea otra clave para ${name}, con los mismos permisos. La actual sigue sirviendo 24 horas, para que la cambies en tu programa.`,
  replaceFailed: 'Error al reemplazar la clave',
  revoke: 'Revocar',
  revoking: 'Revocando...',
  revokeTitle: '¿Revocar la clave?',
  revokeText: (name: string) =>
    `El programa que usa ${name} deja de entrar en este momento. No se puede deshacer.`,
  revokeDone: 'Clave revocada',
  revokeFailed: 'Error al revocar la clave',
} as const;

/** Texts of the setting for the longest validity of new keys. */
export const longestLifeTexts = {
  label: 'Duración máxima de las claves nuevas',
  help: 'Nadie puede crear una clave que dure más. Las que ya existen siguen hasta su fecha; la que reemplaza a otra se acorta.',
  none: 'Sin límite',
  days: (days: number) => {
    if (days === 365) return 'Un año';
    if (days === 730) return 'Dos años';
    return countOf(days, DAY_NOUN);
  },
  saved: 'Duración máxima guardada',
  failed: 'No se pudo guardar la duración máxima',
} as const;

/** The setting who must sign in with a second factor. */
export const REQUIRED_FACTOR_LABELS: Record<SettingsValues['require_mfa'], string> = {
  none: 'Nadie',
  admins: 'Los administradores',
  all: 'Todas las personas',
};

export const requiredFactorTexts = {
  label: 'Deben usar la verificación en dos pasos',
  help: 'Quien aún no la tenga la configura antes de seguir, y tú también.',
  saved: 'Verificación en dos pasos guardada',
  failed: 'No se pudo guardar la verificación en dos pasos',
} as const;
