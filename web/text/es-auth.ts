import { AUTH_MESSAGES, SIGN_IN_MESSAGES } from '../../contract/people/auth-messages.ts';
import { screens } from './es.ts';
import { formatTime } from './format.ts';

/** Texts of the sign-in screen (specification §2, §8; the notifications are SEED-8.2-01 to -09). */
export const authTexts = {
  heading: 'Inicia sesión',
  lead: 'Accede a la consola de gestión de licencias.',
  username: 'Usuario',
  password: 'Contraseña',
  submit: screens.signIn,
  submitting: 'Iniciando sesión...',
  forgotten: screens.forgotPassword,
  demoTitle: 'Credenciales de demostración',
  demoUsername: (username: string) => `Usuario: ${username}`,
  demoPassword: (password: string) => `Contraseña: ${password}`,
  demoFill: 'Usar estas credenciales',
  sessionEnded: 'Tu sesión terminó. Inicia sesión para continuar donde estabas.',
  draftKept: 'Tu sesión terminó. Inicia sesión para continuar: lo que escribiste se conserva.',
  pitchTitle: 'Cada licencia, bajo control.',
  pitchText: 'Clientes, software y licencias de tu empresa en un solo lugar.',
  pitchPoints: [
    'Emite una licencia y tu cliente la recibe por correo',
    'Sigue equipos, vencimientos y promociones',
    'Consulta el estado de tu catálogo al momento',
  ],
} as const;

/** Texts of the second step of a sign-in (PEOPLE-05). */
export const codeTexts = {
  heading: 'Verificación en dos pasos',
  lead: 'Confirma con un código que eres tú.',
  code: 'Código de verificación',
  codeHelp: 'Los 6 dígitos que muestra tu aplicación de verificación.',
  recoveryCode: 'Código de recuperación',
  recoveryHelp: 'Uno de los diez que guardaste. Cada uno sirve una sola vez.',
  useRecovery: 'Usar un código de recuperación',
  useApp: 'Usar el código de la aplicación',
  submit: 'Verificar',
  submitting: 'Verificando...',
  back: 'Volver a usuario y contraseña',
  required: AUTH_MESSAGES.codeRequired,
  sixDigits: 'El código tiene 6 dígitos',
  ended: 'Pasaron 5 minutos sin verificar el código. Escribe de nuevo tu usuario y contraseña.',
  wrong: 'El código no es correcto o ya se usó.',
  hint: 'Revisa el código.',
} as const;

export const signedInNotice = {
  title: 'Inicio de sesión exitoso',
  text: 'Bienvenido al sistema de gestión de licencias',
} as const;

export const signInNotices = {
  unknownUser: {
    title: SIGN_IN_MESSAGES.unknownUser,
    text: 'El nombre de usuario no existe en el sistema. Verifica que esté escrito correctamente.',
  },
  wrongPassword: {
    title: 'Contraseña incorrecta',
    text: 'La contraseña ingresada no es correcta. Verifica tu contraseña e intenta nuevamente.',
  },
  inactiveUser: {
    title: SIGN_IN_MESSAGES.inactiveUser,
    text: 'Tu cuenta ha sido desactivada. Contacta al administrador del sistema.',
  },
  incomplete: {
    title: 'Datos incompletos',
    text: 'Por favor, completa todos los campos requeridos.',
  },
  network: {
    title: 'Error de conexión',
    text: 'No se pudo conectar con el servidor. Verifica tu conexión a internet e intenta nuevamente.',
  },
  serverError: {
    title: 'Error del servidor',
    text: 'El servidor está experimentando problemas. Intenta nuevamente en unos minutos.',
  },
  unauthorized: {
    title: 'Error de autenticación',
    text: 'Credenciales inválidas. Verifica tu usuario y contraseña.',
  },
} as const;

/** The title for any other failure; its message is shown unchanged (SEED-8.2-09, D015). */
export const OTHER_SIGN_IN_ERROR = 'Error de autenticación';

/** Shown under the field that caused a refusal. The notification has the full text. */
export const fieldHints = {
  username: 'Revisa el nombre de usuario.',
  password: 'Revisa la contraseña.',
  both: 'Revisa el usuario y la contraseña.',
} as const;

/**
 * After too many attempts: when the next attempt is possible, in the browser's time zone.
 * @param seconds how long to wait from `now`
 */
export function waitText(seconds: number, now: Date): string {
  const time = formatTime(new Date(Math.ceil((now.getTime() + seconds * 1000) / 60_000) * 60_000));
  return `Podrás intentar de nuevo a ${time.startsWith('01:') ? 'la' : 'las'} ${time}.`;
}

/** The sample licence in the picture beside the form. */
export const showcaseTexts = {
  client: 'Ferretería del Norte',
  software: 'Punto de Venta 2.4.0',
  key: 'A7KQ2-M9XVD-4TRHB-W3NPE-6JZCY',
  seats: (taken: number, all: number) => `${taken} de ${all} equipos`,
  expiry: 'Vence en 214 días',
} as const;
