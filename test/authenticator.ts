import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/**
 * An authenticator in software (WebAuthn Level 3, ES256), with whatever a test wants to be wrong about it. The browser
 * tests use the one of the browser (e2e/passkeys.e2e.ts).
 */

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

type CborValue = number | string | Uint8Array | CborValue[] | Map<number | string, CborValue>;

/** Encodes what attestation objects and keys hold, in CBOR (RFC 8949). */
function cbor(value: CborValue): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length]);
    if (length < 256) return Buffer.from([(major << 5) | 24, length]);
    const bytes = Buffer.alloc(3);
    bytes[0] = (major << 5) | 25;
    bytes.writeUInt16BE(length, 1);
    return bytes;
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map) {
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, content]) => [cbor(key), cbor(content)]),
    ]);
  }
  return Buffer.concat([head(2, value.length), value]);
}

/** What a response may say otherwise than the truth. */
export type Lies = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Whether the person was asked for a finger, a face or a PIN. */
  verified?: boolean;
  counter?: number;
  userHandle?: string | null;
  crossOrigin?: boolean;
  /** Signs with another key. */
  key?: KeyObject;
  /** The statement about the authenticator, and its format. */
  statement?: { format: string; content: (signed: Uint8Array) => Map<string, CborValue> };
  id?: string;
};

type RegistrationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
type SignInOptions = { challenge: string; rpId: string };

/** @param origin the origin of the page that calls it */
export function createAuthenticator(origin: string, { counts = true }: { counts?: boolean } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = base64url(randomBytes(16));
  let counter = 0;
  let handle = '';

  const coseKey = () => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const parts: [number, CborValue][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ];
    return cbor(new Map(parts));
  };
  const clientData = (type: string, challenge: string, lies: Lies) =>
    JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
      crossOrigin: lies.crossOrigin ?? false,
    });
  /** Flags: the person is present, was verified, the passkey may be and is backed up, and whether its key follows. */
  const authData = (rpId: string, lies: Lies, attested?: Buffer) => {
    if (counts) counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? counter);
    const flags = 0x01 | (lies.verified === false ? 0 : 0x04) | 0x08 | 0x10 | (attested ? 0x40 : 0);
    return Buffer.concat([
      sha256(lies.rpId ?? rpId),
      Buffer.from([flags]),
      count,
      attested ?? Buffer.alloc(0),
    ]);
  };

  return {
    id,
    /** Makes the passkey. */
    create({ challenge, rp, user }: RegistrationOptions, lies: Lies = {}) {
      handle = user.id;
      const shown = lies.id ?? id;
      const idBytes = Buffer.from(shown, 'base64url');
      const length = Buffer.alloc(2);
      length.writeUInt16BE(idBytes.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, idBytes, coseKey()]);
      const json = clientData('webauthn.create', challenge, lies);
      const data = authData(rp.id, lies, attested);
      const { format = 'none', content = () => new Map() } = lies.statement ?? {};
      const attestation = new Map<string, CborValue>([
        ['fmt', format],
        ['attStmt', content(Buffer.concat([data, sha256(json)]))],
        ['authData', data],
      ]);
      return {
        id: shown,
        rawId: shown,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(Buffer.from(json)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal', 'hybrid'],
        },
      };
    },
    /** Uses the passkey. */
    get({ challenge, rpId }: SignInOptions, lies: Lies = {}) {
      const json = clientData('webauthn.get', challenge, lies);
      const data = authData(rpId, lies);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(json)]))
        .sign(lies.key ?? privateKey);
      return {
        id: lies.id ?? id,
        rawId: lies.id ?? id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(Buffer.from(json)),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(lies.userHandle !== null && { userHandle: lies.userHandle ?? handle }),
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
