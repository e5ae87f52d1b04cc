/** Names and limits of trials that a program starts without an account (SELL-04). */

/** Whether a trial's user must give an email address. */
export const TRIAL_EMAILS = ['no', 'optional', 'required'] as const;
export type TrialEmail = (typeof TRIAL_EMAILS)[number];

export const TRIAL_EMAIL_LABELS: Record<TrialEmail, string> = {
  no: 'No se pide',
  optional: 'Se puede dejar',
  required: 'Es obligatorio',
};

export const TRIAL_DAILY_MAX = 10_000;
export const TRIAL_DAILY_DEFAULT = 200;
/** The most new trials from one IP address in a day. */
export const TRIALS_OF_ADDRESS = 5;
/**
 * The most mails in a day to addresses that only somebody who started a trial wrote. Mail servers limit what a vendor
 * sends in a day, and the mails of paying clients need it.
 */
export const TRIAL_MAILS_OF_DAY = 200;

export const TRIAL_MESSAGES = {
  type: 'El tipo de licencia no existe',
  email: 'Elige si se pide el correo de quien prueba: nunca, si quiere, o siempre',
  dailyLimit: `Las pruebas por día deben ser un número entero de 1 a ${TRIAL_DAILY_MAX}`,
  unknownSoftware: 'No hay software con este código, nombre o id',
  emailRequired: 'El correo es obligatorio para empezar la prueba',
  emailInvalid: 'El correo no es válido',
} as const;

/**
 * The client that holds trials whose user gave no email address, or one that a client already has. The domain of its
 * address cannot exist, so no mail is sent to it (RFC 2606).
 */
export const TRIALS_CLIENT = { name: 'Pruebas', email: 'pruebas@trial.invalid' } as const;

/** Why the trial of a machine cannot be used now. */
export const TRIAL_REFUSALS = [
  'trial_ended',
  'inactive',
  'suspended',
  'cancelled',
  'installation_limit',
] as const;
