/** Texts of the dialog that asks for the password before rights are changed (PEOPLE-05). */
export const stepUpTexts = {
  why: 'Lo que vas a hacer afecta a quién tiene acceso. Hace más de diez minutos que no escribes tu contraseña.',
  labels: { password: 'Contraseña', code: 'Código de verificación' },
  required: { password: 'La contraseña es requerida', code: 'El código es obligatorio' },
  useCode: 'Usar un código de verificación',
  usePassword: 'Usar la contraseña',
  confirm: 'Confirmar',
  busy: 'Confirmando…',
} as const;
