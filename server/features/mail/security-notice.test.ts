import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

/** The mails that a person gets after a change of the person's own account (PEOPLE-03 to PEOPLE-07). */

const START = '2026-11-23T18:00:00.000Z';
const PASSWORD = 'admin123';
const NEW = 'tres tristes tigres';
const STEP_MS = 30_000;

const post = (t: TestApp, path: string, body: object) => t.call('POST', `/api/auth/${path}/`, { body });

/** The code that an authenticator app shows at the test's time. */
const codeOf = (t: TestApp, secret: string) =>
  TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: t.context.now().getTime() });

/** The notices mailed so far, newest last. */
const noticesOf = async (t: TestApp) =>
  (await t.deliveredMail())
    .filter(({ html }) => html?.includes('Si no fuiste tú'))
    .map(({ to, subject, text }) => ({ to: to?.[0]?.address, subject, text: text ?? '' }));

/** The lines that every notice contains: whose account, who did it, and when in the vendor's time zone. */
function expectWhoAndWhen(text: string): void {
  expect(text).toMatch(/Usuario\W+admin/);
  expect(text).toMatch(/Lo hizo\W+Administrador Demo/);
  expect(text).toMatch(/Cuándo\W+23 de noviembre de 2026/);
  expect(text).toMatch(/Desde la dirección\W+127\.0\.0\.1/);
}

/**
 * Enables the second factor.
 * @returns its secret
 */
async function enable(t: TestApp): Promise<string> {
  const { secret } = (await post(t, 'mfa/setup', { password: PASSWORD })).body;
  expect((await post(t, 'mfa/enable', { code: codeOf(t, secret) })).status).toBe(200);
  t.clock.advance(STEP_MS);
  return secret;
}

test("turning one's own second factor on or off sends one notice, and a wrong code sends none (PEOPLE-05)", async () => {
  const t = await createTestApp({ now: START });
  await post(t, 'mfa/setup', { password: PASSWORD });
  expect((await post(t, 'mfa/enable', { code: '000000' })).status).toBe(400);
  expect(await noticesOf(t)).toEqual([]);

  const secret = await enable(t);
  const [on] = await noticesOf(t);
  expect(on).toMatchObject({
    to: 'admin@example.com',
    subject: 'Se activó la verificación en dos pasos',
    text: expect.stringContaining('Desde ahora, para entrar en tu cuenta se pide también un código.'),
  });
  expectWhoAndWhen(on!.text);
  expect(on!.text).not.toContain(secret);

  expect((await post(t, 'mfa/disable', { password: PASSWORD, code: '000000' })).status).toBe(400);
  expect(await noticesOf(t)).toHaveLength(1);
  const body = { password: PASSWORD, code: codeOf(t, secret) };
  expect((await post(t, 'mfa/disable', body)).status).toBe(200);
  const off = (await noticesOf(t)).filter(({ subject }) => subject?.startsWith('Se quitó'));
  expect(off).toMatchObject([
    {
      to: 'admin@example.com',
      text: expect.stringContaining('Desde ahora, para entrar en tu cuenta basta la contraseña.'),
    },
  ]);
  expectWhoAndWhen(off[0]!.text);
});

test('creating and replacing an API key sends a notice each, with its name and last four characters only (PEOPLE-07)', async () => {
  const t = await createTestApp({ now: START });
  const refused = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'Tienda', permissions: ['users:manage'] },
  });
  expect(refused.status).toBe(400);
  expect(await noticesOf(t)).toEqual([]);
  const made = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'Tienda', permissions: ['licenses:read'] },
  });
  const next = await t.call('POST', `/licenses/api/api-keys/${made.body.id}/rotate/`);
  const notices = await noticesOf(t);
  expect(notices.map(({ to, subject }) => [to, subject])).toEqual(
    Array(2).fill(['admin@example.com', 'Se creó una clave de API con tu cuenta']),
  );
  const texts = notices.map(({ text }) => text).join('\n');
  for (const { body } of [made, next]) {
    expect(texts).toContain(`Se creó la clave de API «Tienda», que termina en ${body.key.slice(-4)}.`);
    expect(texts).not.toContain(body.key);
  }
  expectWhoAndWhen(texts);
});

test("changing one's own password sends a notice without the password, and a wrong password sends none (PEOPLE-04)", async () => {
  const t = await createTestApp({ now: START });
  await post(t, 'password/change', { current_password: 'otra', password: NEW });
  expect(await noticesOf(t)).toEqual([]);
  expect((await post(t, 'password/change', { current_password: PASSWORD, password: NEW })).status).toBe(200);
  const [notice, ...others] = await noticesOf(t);
  expect(others).toEqual([]);
  expect(notice).toMatchObject({
    to: 'admin@example.com',
    subject: 'Cambió la contraseña de tu cuenta',
    text: expect.stringContaining('y sus demás sesiones terminaron.'),
  });
  expectWhoAndWhen(notice!.text);
  expect(notice!.text).not.toContain(NEW);
  expect(notice!.text).not.toContain('claves de API');
});

test("changing one's own email sends a notice to the old and the new address, and other data send none (PEOPLE-08)", async () => {
  const t = await createTestApp({ now: START });
  const change = (body: object) => t.call('PUT', '/api/auth/user/', { body });
  expect((await change({ names: 'Ana' })).status).toBe(200);
  expect((await change({ email: 'nueva@example.com', current_password: 'otra' })).status).toBe(400);
  expect(await noticesOf(t)).toEqual([]);
  expect((await change({ email: 'nueva@example.com', current_password: PASSWORD })).status).toBe(200);
  const notices = await noticesOf(t);
  expect(notices.map(({ to }) => to).sort()).toEqual(['admin@example.com', 'nueva@example.com']);
  for (const { subject, text } of notices) {
    expect(subject).toBe('Cambió el email de tu cuenta');
    expect(text).toContain('cambió de admin@example.com a nueva@example.com.');
    expect(text).toMatch(/Desde la dirección\W+127\.0\.0\.1/);
  }
});
