import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets that the program must read again, such as those of second factors: AES-256-GCM with a key derived
 * from SECRET_KEY, each for one purpose (NIST SP 800-38D, RFC 5869).
 */
export type SecretBox = {
  /** Encrypts a text for a purpose, such as 'mfa:7'. */
  seal: (text: string, purpose: string) => string;
  /**
   * Decrypts a sealed text.
   * @throws when the text was changed, sealed for another purpose, or sealed with another key
   */
  open: (sealed: string, purpose: string) => string;
  /**
   * A keyed hash of a text for a purpose. Without the key, nobody can find the text by trying, even with the whole
   * database.
   */
  digest: (text: string, purpose: string) => string;
  /**
   * A 128-bit code, safe in URLs, that can only be made with the key (truncated HMAC-SHA256). The same text and
   * purpose always give the same code, so it need not be stored.
   */
  codeOf: (text: string, purpose: string) => string;
};

const FORM = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CODE_BYTES = 16;

/** @param secretKey the value of SECRET_KEY */
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
