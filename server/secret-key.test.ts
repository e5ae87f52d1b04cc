import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestApp } from '../test/app.ts';
import { emptyFolder } from '../test/empty-folder.ts';
import { createSecretBox } from './lib/secret-box.ts';
import { openSecrets, SECRET_KEY_FILE, SecretKeyError } from './secret-key.ts';

/** The key that encrypts the secrets of an installation. */

test('the first start creates a key that only its owner can read, and later starts use it', async () => {
  const { db, context } = await createTestApp();
  const { dataDir } = context.config;
  const sealed = context.secrets.seal('JBSWY3DPEHPK3PXP', 'mfa:1');
  expect(statSync(join(dataDir, SECRET_KEY_FILE)).mode & 0o777).toBe(0o600);
  const later = await openSecrets(db, { secretKey: null, dataDir });
  expect(later.open(sealed, 'mfa:1')).toBe('JBSWY3DPEHPK3PXP');
});

test('a process with another key does not start', async () => {
  const { db, context } = await createTestApp();
  const other = openSecrets(db, { ...context.config, secretKey: 'x'.repeat(32) });
  await expect(other).rejects.toThrow(SecretKeyError);
  await expect(other).rejects.toThrow(/otra SECRET_KEY/);
});

test('a database that has its key is not given another one when the key is missing', async () => {
  const { db } = await createTestApp();
  const dataDir = emptyFolder();
  await expect(openSecrets(db, { secretKey: null, dataDir })).rejects.toThrow(SecretKeyError);
  expect(readdirSync(dataDir)).toEqual([]);
});

test.each(['k'.repeat(32), 'changeme'.repeat(4), 'mi-clave-muy-secreta-de-produccion'])(
  'a new installation refuses a guessable SECRET_KEY: %s',
  async (secretKey) => {
    const { db, context } = await createTestApp();
    const open = () => openSecrets(db, { ...context.config, secretKey });
    await db.deleteFrom('secret_proof').execute();
    await expect(open()).rejects.toThrow(SecretKeyError);
    await expect(open()).rejects.toThrow(/openssl rand -base64 32/);
    await expect(open()).rejects.not.toThrow(secretKey);
    expect(await db.selectFrom('secret_proof').selectAll().execute()).toEqual([]);
  },
);

test('an existing installation may continue with a guessable SECRET_KEY, because its secrets need it', async () => {
  const { db, context } = await createTestApp();
  const weak = 'k'.repeat(32);
  const box = createSecretBox(weak);
  await db
    .updateTable('secret_proof')
    .set({ proof: box.seal('License Manager', 'check') })
    .execute();
  const secrets = await openSecrets(db, { ...context.config, secretKey: weak });
  expect(secrets.open(box.seal('x', 'mfa:1'), 'mfa:1')).toBe('x');
});

test('an encrypted text can be decrypted only for its purpose and unchanged, and is never encrypted the same way twice', () => {
  const secrets = createSecretBox('k'.repeat(32));
  const sealed = secrets.seal('secreto ñ', 'mfa:1');
  expect(secrets.open(sealed, 'mfa:1')).toBe('secreto ñ');
  expect(secrets.seal('secreto ñ', 'mfa:1')).not.toBe(sealed);
  expect(sealed).not.toContain('secreto');
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const [text, purpose] of [
    [sealed, 'mfa:2'],
    [changed, 'mfa:1'],
    ['v1.', 'mfa:1'],
    ['v0.abc', 'mfa:1'],
  ] as const) {
    expect(() => secrets.open(text, purpose)).toThrow();
  }
});
