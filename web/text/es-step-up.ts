import { AUTH_MESSAGES } from '../../contract/people/auth-messages.ts';
/** Texts of the dialog that asks for the password before rights are changed (PEOPLE-05). */
export const stepUpTexts = {
  why: 'Lo que vas a hacer afecta a quién tiene acceso. Hace más de diez minutos que no escribes tu contraseña.',
  whyWithoutPassword:
    'Lo que vas a hacer afecta a quién tiene acceso. Hace más de diez minutos que no confirmas quién eres.',
  labels: { password: 'Contraseña', code: 'Código de verificación' },
  required: { password: AUTH_MESSAGES.passwordRequired, code: AUTH_MESSAGES.codeRequired },
  useCode: 'Usar un código de verificación',
  usePassword: 'Usar la contraseña',
  usePasskey: 'Usar una llave de acceso',
  askingPasskey: 'Esperando tu llave...',
  confirm: 'Confirmar',
  busy: 'Confirmando…',
} as const;
