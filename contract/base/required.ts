/** What forms and the API say of a missing value, where several kinds of record say it. Without schemas, as auth-messages.ts. */
export const NAME_REQUIRED = 'El nombre es obligatorio';
export const EMAIL_REQUIRED = 'El email es obligatorio';
export const REASON_REQUIRED = 'El motivo es obligatorio';
