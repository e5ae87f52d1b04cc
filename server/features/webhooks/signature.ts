import { createHmac, randomBytes } from 'node:crypto';

/** Signatures by the Standard Webhooks specification, version v1 (HOOK-01). */

const PREFIX = 'whsec_';
/** The specification allows 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new secret in the form that is shown once. */
export const createWebhookSecret = () => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** A new message id. It is random, so that after a restored backup no id is used again. */
export const createMessageId = () => `msg_${randomBytes(16).toString('base64url')}`;

type Message = { id: string; timestamp: number; body: string };

/**
 * The headers of a message.
 * @param secrets the secrets to sign with; for some time after a rotation there are two
 */
export function signedHeaders(
  { id, timestamp, body }: Message,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
