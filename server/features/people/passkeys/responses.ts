import { z } from 'zod';

/** Reads what a browser sent of a passkey (WebAuthn Level 3). What is not of the form is a wrong response. */

/** Longer than any credential id (1,023 bytes). */
const ID_MAX = 1400;
/** A COSE key of RSA-8192; no authenticator has a longer one. */
export const PUBLIC_KEY_MAX = 1100;
/** The ways to an authenticator that browsers name. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof TRANSPORTS)[number];

const base64url = z.string().regex(/^[A-Za-z0-9_-]*$/);

const credential = {
  id: base64url.min(1).max(ID_MAX),
  rawId: base64url.min(1).max(ID_MAX),
  type: z.literal('public-key'),
};

const registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).catch([]).optional(),
  }),
});

const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    // Passkeys know their user. Without it, nothing says whose the response is.
    userHandle: base64url.min(1),
  }),
});

const readBy = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | null => {
  const { success, data } = schema.safeParse(value);
  return success ? data : null;
};

export type Registration = z.output<typeof registration>;
export type Assertion = z.output<typeof assertion>;

export const readRegistration = (value: unknown): Registration | null => readBy(registration, value);
export const readAssertion = (value: unknown): Assertion | null => readBy(assertion, value);

/** The ways to an authenticator, as they are stored: known ones, each once. */
export const transportsText = (given: readonly string[] = []): string =>
  TRANSPORTS.filter((name) => given.includes(name)).join(',');

export const transportsFrom = (text: string): Transport[] =>
  TRANSPORTS.filter((name) => text.split(',').includes(name));

/** Whether the browser says that the page was inside one of another origin, or names such a page. */
export function isFramed(clientDataJSON: string): boolean {
  const { crossOrigin, topOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
  return crossOrigin === true || topOrigin !== undefined;
}
