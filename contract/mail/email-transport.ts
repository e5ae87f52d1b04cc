import { z } from 'zod';

/**
 * How mail is delivered: `smtp` sends it to the configured server. `folder`, used without a server, writes files to
 * the data folder, so nobody receives the mail (D011).
 */
const EMAIL_TRANSPORTS = ['smtp', 'folder'] as const;
export const emailTransport = z.enum(EMAIL_TRANSPORTS);
export type EmailTransport = z.infer<typeof emailTransport>;

/** The text shown for a mail when no mail server is configured. */
export const STORED_IN_OUTBOX = 'guardado en la bandeja de salida (sin servidor de correo)';
