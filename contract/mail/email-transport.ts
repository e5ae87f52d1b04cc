import { z } from 'zod';

/**
 * Where mail goes: `smtp` to the configured server; `folder`, without one, into files of the data folder, so that nobody
 * receives it (D011).
 */
const EMAIL_TRANSPORTS = ['smtp', 'folder'] as const;
export const emailTransport = z.enum(EMAIL_TRANSPORTS);
export type EmailTransport = z.infer<typeof emailTransport>;

/** What happens to a mail where there is no server for it. */
export const STORED_IN_OUTBOX = 'guardado en la bandeja de salida (sin servidor de correo)';
