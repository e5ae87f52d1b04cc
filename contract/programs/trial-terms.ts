/** The words and limits of trials that a program starts without an account (SELL-04). */

/** What of a trial's user is asked: nothing, or a mail address. */
export const TRIAL_EMAILS = ['no', 'optional', 'required'] as const;
export type TrialEmail = (typeof TRIAL_EMAILS)[number];

export const TRIAL_DAILY_MAX = 10_000;
export const TRIAL_DAILY_DEFAULT = 200;
/** New trials of one address in a day. */
export const TRIALS_OF_ADDRESS = 5;

export const TRIAL_MESSAGES = {
  type: 'El tipo de licencia no existe',
  email: 'Elige si se pide el correo de quien prueba: nunca, si quiere, o siempre',
  dailyLimit: `Las pruebas por día deben ser un número entero de 1 a ${TRIAL_DAILY_MAX}`,
  unknownSoftware: 'No hay software con este código, nombre o id',
  emailRequired: 'El correo es obligatorio para empezar la prueba',
  emailInvalid: 'El correo no es válido',
} as const;

/** The client of trials whose user gave no mail that is nobody's. No mail goes to its address, which never exists (RFC 2606). */
export const TRIALS_CLIENT = { name: 'Pruebas', email: 'pruebas@trial.invalid' } as const;

/** Why the trial of a machine may not be used now. */
export const TRIAL_REFUSALS = [
  'trial_ended',
  'inactive',
  'suspended',
  'cancelled',
  'installation_limit',
] as const;
