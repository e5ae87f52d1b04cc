import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import { ADMIN_PASSWORD_MIN, NEW_PASSWORD_ADVISED, NEW_PASSWORD_MIN } from '../../contract/base/limits.ts';
import { AUTH_MESSAGES } from '../../contract/people/auth-messages.ts';
import { actions, screens } from './es.ts';
import { buttons } from './es-buttons.ts';
import { countOf } from './format.ts';

/** Texts of 'Mi cuenta' and of the pages that links in mails open (PEOPLE-03 to PEOPLE-06, PEOPLE-08). */

const CHARACTERS = { one: 'carácter', many: 'caracteres' };

export const newPasswordTexts = {
  label: 'Contraseña nueva',
  own: 'Contraseña',
  advice: {
    admin: `Al menos ${ADMIN_PASSWORD_MIN} caracteres, que no sea común ni contenga tu nombre de usuario. Puedes usar una frase.`,
    other: `Al menos ${NEW_PASSWORD_MIN} caracteres; mejor ${NEW_PASSWORD_ADVISED} o más. Puedes usar una frase.`,
    unknown: `Al menos ${NEW_PASSWORD_MIN} caracteres; si eres administrador, ${ADMIN_PASSWORD_MIN}, que no sea común ni contenga tu nombre de usuario. Puedes usar una frase.`,
  },
} as const;

/** Whose password it is: an administrator's, another person's, or that of the owner of a link. */
export type PasswordRule = keyof typeof newPasswordTexts.advice;

/** The text of the strength meter for a password length. */
export function lengthText(length: number, rule: PasswordRule = 'other'): string {
  if (length === 0) return newPasswordTexts.advice[rule];
  const min = rule === 'admin' ? ADMIN_PASSWORD_MIN : NEW_PASSWORD_MIN;
  if (length < min) {
    const missing = min - length;
    return `${missing === 1 ? 'Falta' : 'Faltan'} ${countOf(missing, CHARACTERS)}.`;
  }
  if (length >= NEW_PASSWORD_ADVISED) return 'Buena longitud.';
  return rule === 'unknown'
    ? `Alcanza. Un administrador necesita ${ADMIN_PASSWORD_MIN} caracteres.`
    : `Alcanza. Con ${NEW_PASSWORD_ADVISED} caracteres o más es mucho más difícil de adivinar.`;
}

const leading = { toSignIn: 'Ir a iniciar sesión' } as const;

export const linkTexts = {
  ...leading,
  incomplete: 'El enlace está incompleto',
  incompleteText:
    'Abre otra vez el enlace completo del correo, o cópialo y pégalo en la barra de direcciones.',
  ended: 'Este enlace ya no vale',
} as const;

export const invitationTexts = {
  heading: 'Te damos la bienvenida',
  lead: 'Elige tu contraseña para entrar a la consola de gestión de licencias.',
  submit: 'Guardar y entrar',
  submitting: buttons.saving,
  ended: 'La invitación ya se usó o pasaron más de 48 horas. Pide a un administrador que te envíe otra.',
} as const;

export const resetTexts = {
  heading: 'Elige una contraseña nueva',
  lead: 'Al guardarla se cierran todas tus sesiones.',
  submit: 'Guardar contraseña',
  submitting: buttons.saving,
  ended: 'El enlace ya se usó o pasaron más de 10 minutos.',
  again: 'Pedir otro enlace',
  done: 'Contraseña cambiada',
  doneText: 'Inicia sesión con la nueva.',
} as const;

export const forgotTexts = {
  heading: screens.forgotPassword,
  lead: 'Escribe el email de tu cuenta y te enviaremos un enlace para elegir una nueva.',
  email: DETAIL_LABELS.email,
  submit: 'Enviar enlace',
  submitting: buttons.sending,
  sent: 'Revisa tu correo',
  /** Used if there is no mail server. */
  leadStored:
    'Escribe el email de tu cuenta. No hay servidor de correo: el enlace te lo da quien administra el sistema.',
  stored: 'Pide tu enlace',
  holdStored: 'El enlace vale 10 minutos.',
  hold: 'El enlace vale 10 minutos. Si no llega, revisa la carpeta de correo no deseado.',
  back: 'Volver a iniciar sesión',
} as const;

/** Asked of who joins: the first administrator, and who was invited by email alone. */
export const personFieldTexts = {
  names: LABELS.name,
  username: 'Usuario',
  usernameHelp: 'Con él inicias sesión. Después no se puede cambiar.',
} as const;

export const firstAdminTexts = {
  heading: 'Crea el primer administrador',
  lead: 'Con esta cuenta invitarás a los demás.',
  email: DETAIL_LABELS.email,
  submit: 'Crear y entrar',
  submitting: actions.creating,
  ended:
    'El enlace ya se usó o venció. Si todavía no hay un administrador, reinicia el servidor: su registro muestra otro.',
} as const;

export const accountTexts = {
  title: screens.account,
  subtitle: 'Tus datos, tu contraseña y los dispositivos en los que entraste',
  loading: 'Cargando tu cuenta...',
  notFound: 'Cuenta no encontrada',
  failed: 'Error al cargar tu cuenta',
  save: 'Guardar Cambios',
  saving: buttons.saving,
  cancel: actions.cancel,
} as const;

export const personalTexts = {
  title: 'Datos personales',
  username: 'Usuario',
  names: LABELS.name,
  lastName: 'Apellido',
  email: DETAIL_LABELS.email,
  password: 'Contraseña actual',
  passwordHelp: 'La pedimos porque a este email llegan los enlaces para cambiar la contraseña.',
  passwordRequired: 'Escribe tu contraseña para cambiar el email',
  saved: 'Datos guardados',
} as const;

export const passwordTexts = {
  title: 'Contraseña',
  lead: 'Al cambiarla se cierran tus demás sesiones.',
  current: 'Contraseña actual',
  submit: 'Cambiar contraseña',
  changed: 'Contraseña cambiada',
  changedText: 'Cerramos tus demás sesiones.',
} as const;

/** Shown after a password change: the person's API keys that stay valid. */
export const workingKeysTexts = {
  title: 'Estas claves de API siguen funcionando',
  own: 'Las creaste tú, y la contraseña nueva no las detiene. Si no reconoces alguna, alguien pudo crearla: revócala.',
  /** For a person who has not signed in yet, or may not manage keys. */
  signIn: 'Inicia sesión y revócala en Configuración › Claves de API, o pídeselo a un administrador.',
  ask: 'Pide a un administrador que la revoque en Configuración › Claves de API.',
  dialog: (name: string) => `Claves de API de ${name}`,
  of: (name: string) =>
    `Las creó ${name}, y la contraseña nueva no las detiene. Si alguien entró en su cuenta, revócalas.`,
  open: 'Ver las claves de API',
  close: actions.close,
} as const;

export const factorTexts = {
  title: 'Verificación en dos pasos',
  on: 'Activada',
  off: 'Desactivada',
  lead: 'Además de tu contraseña, al iniciar sesión escribes un código de una aplicación de tu teléfono.',
  begin: 'Activar',
  password: 'Tu contraseña',
  next: 'Continuar',
  scan: 'Escanea este código con tu aplicación de verificación (Google Authenticator, Microsoft Authenticator, 1Password u otra).',
  qr: 'Código QR para la aplicación de verificación',
  bySecret: '¿No puedes escanearlo? Escribe esta clave en la aplicación:',
  copySecret: actions.copyKey,
  code: 'Código que muestra la aplicación',
  codeRequired: AUTH_MESSAGES.codeRequired,
  enable: 'Activar verificación',
  enabling: 'Activando...',
  enabled: 'Verificación en dos pasos activada',
  codesTitle: 'Tus códigos de recuperación',
  codesText:
    'Guárdalos ahora: no los volveremos a mostrar. Si pierdes el teléfono, cada código sirve una vez para entrar.',
  copyCodes: 'Copiar códigos',
  copiedCodes: 'Copiados',
  download: buttons.download,
  fileName: 'codigos-de-recuperacion.txt',
  kept: 'Guardé los códigos en un lugar seguro',
  keptRequired: 'Confirma que guardaste los códigos',
  finish: 'Terminar',
  disable: buttons.deactivate,
  disableTitle: 'Desactivar la verificación en dos pasos',
  disableText: 'Para entrar bastará tu contraseña. Los códigos de recuperación dejan de valer.',
  anyCode: 'Código de la aplicación o de recuperación',
  disabled: 'Verificación en dos pasos desactivada',
} as const;

export const requiredFactorTexts = {
  heading: 'Activa la verificación en dos pasos',
  lead: 'Tu empresa la pide para usar la consola. Toma un minuto; necesitas tu teléfono.',
} as const;

export const sessionTexts = {
  title: 'Sesiones',
  lead: 'Los dispositivos en los que tu cuenta está abierta.',
  loading: 'Cargando tus sesiones...',
  notFound: 'Sesiones no encontradas',
  failed: 'Error al cargar tus sesiones',
  current: 'Esta sesión',
  lastUse: 'Último uso:',
  since: (day: string) => `Desde el ${day}`,
  end: actions.close,
  /** The accessible name of the button, because there are several. */
  endOf: (device: string) => `Cerrar la sesión de ${device}`,
  endOthers: 'Cerrar las demás sesiones',
  more: (next: number, left: number) =>
    next === left ? `Ver ${next === 1 ? 'otra' : `otras ${next}`}` : `Ver otras ${next} de ${left}`,
  ended: 'Sesión cerrada',
  othersEnded: 'Cerramos tus demás sesiones',
  endFailed: 'Error al cerrar la sesión',
} as const;

export const noticesTexts = { title: 'Avisos por correo' } as const;
