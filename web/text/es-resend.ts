import { buttons } from './es-buttons.ts';
/** Texts about sending the mail of a licence again. */
export const resendTexts = {
  resend: 'Reenviar correo',
  short: buttons.resend,
  resending: buttons.resending,
  resent: 'Correo reenviado',
  resentText: (email: string) => `La información de la licencia se envía de nuevo a ${email}.`,
  failed: 'Error al reenviar el correo',
} as const;
