import {
  ADMIN_PASSWORD_MIN,
  NEW_PASSWORD_MIN,
  PASSWORD_MIN,
  USERNAME_MAX,
  USERNAME_MIN,
} from '../base/limits.ts';

/** The texts of sign-in. Without schemas, so that the sign-in screen does not load zod. */

export const AUTH_MESSAGES = {
  codeRequired: 'El código es obligatorio',
  weeklyDigest: 'Indica si quieres el resumen semanal: true o false',
  usernameRequired: 'El nombre de usuario es requerido',
  usernameTooShort: `El nombre de usuario debe tener al menos ${USERNAME_MIN} caracteres`,
  usernameTooLong: `El nombre de usuario no puede exceder ${USERNAME_MAX} caracteres`,
  usernameUnclear: 'El nombre de usuario solo puede tener caracteres visibles, y letras de un mismo alfabeto',
  usernameTaken: 'Ya existe un usuario con este nombre',
  passwordRequired: 'La contraseña es requerida',
  passwordTooShort: `La contraseña debe tener al menos ${PASSWORD_MIN} caracteres`,
  adminPasswordTooShort: `La contraseña de un administrador debe tener al menos ${ADMIN_PASSWORD_MIN} caracteres`,
  adminPasswordGuessable:
    'Es fácil de adivinar para una cuenta de administrador: es común, se repite o contiene el nombre de usuario. Elige otra.',
  newPasswordTooShort: `La contraseña debe tener al menos ${NEW_PASSWORD_MIN} caracteres`,
} as const;

/** The server's sign-in messages. The console chooses its notification by comparing them (SEED-8.2-01 to -07). */
export const SIGN_IN_MESSAGES = {
  success: 'Inicio de sesión exitoso',
  unknownUser: 'Usuario no encontrado',
  wrongPassword: 'Contraseña incorrecta',
  inactiveUser: 'Usuario inactivo',
  incomplete: 'Username y password son requeridos',
  invalidCredentials: 'Credenciales inválidas',
  serverError: 'Error en el servidor',
} as const;

export const AUTH_RESULTS = {
  signedOut: 'Sesión cerrada exitosamente',
  registered: 'Usuario registrado exitosamente',
} as const;

/** The account of demo mode (D006). */
export const DEMO_ACCOUNT = { username: 'admin', password: 'admin123' } as const;
