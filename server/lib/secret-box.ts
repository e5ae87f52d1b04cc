import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encryption of secrets that the database must keep readable, such as those of second factors: AES-256-GCM under a
 * key derived from SECRET_KEY, for one purpose each (NIST SP 800-38D, RFC 5869).
 */
export type SecretBox = {
  /** Encrypts a text for a purpose, such as 'mfa:7'. */
  seal: (text: string, purpose: string) => string;
  /**
   * Decrypts a sealed text.
   * @throws when it was changed, sealed for another purpose, or sealed under another key
   */
  open: (sealed: string, purpose: string) => string;
  /** A keyed hash of a text for a purpose: who has the database alone cannot guess the text. */
  digest: (text: string, purpose: string) => string;
  /**
   * A code of 128 bits, safe in addresses, that only who has the key can make: always the same for a text and a purpose,
   * so that it need not be stored (HMAC-SHA256, cut).
   */
  codeOf: (text: string, purpose: string) => string;
};

const FORM = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CODE_BYTES = 16;

/** @param secretKey the text of SECRET_KEY */
export function createSecretBox(secretKey: string): SecretBox {
  const derived = (info: string) => Buffer.from(hkdfSync('sha256', secretKey, '', info, 32));
  const key = derived('license-manager secret box');
  const digestKey = derived('license-manager digests');
  const codeKey = derived('license-manager codes');
  return {
    codeOf: (text, purpose) =>
      createHmac('sha256', codeKey)
        .update(JSON.stringify([purpose, text]))
        .digest()
        .subarray(0, CODE_BYTES)
        .toString('base64url'),
    seal: (text, purpose) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      cipher.setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${FORM}.${sealed.toString('base64url')}`;
    },
    open: (sealed, purpose) => {
      const [form, content = ''] = sealed.split('.');
      if (form !== FORM) throw new Error('The sealed text has an unknown form.');
      const bytes = Buffer.from(content, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return (
        decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    digest: (text, purpose) =>
      createHmac('sha256', digestKey).update(`${purpose}\n${text}`).digest('base64url'),
  };
}
