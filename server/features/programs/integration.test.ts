import { expect, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { createSoftware } from '../../../test/factories.ts';

test('the integration data are the public address, the code and both public keys (PROG-08)', async () => {
  const t = await createTestApp({ env: { PUBLIC_URL: 'https://licencias.example.com/' } });
  const { id } = await createSoftware(t, { name: 'Punto de Venta' });
  const path = `/licenses/api/software/${id}/integration/`;
  const stored = async () => (await t.call('GET', '/licenses/api/signing-keys/')).body.results;
  const inOrder = (all: { state: string; public_jwk: object; public_pem: string }[]) =>
    ['current', 'next'].map((state) => {
      const { public_jwk, public_pem } = all.find((key) => key.state === state)!;
      return { state, public_jwk, public_pem };
    });
  const { status, body } = await t.call('GET', path);
  expect(status).toBe(200);
  expect(body).toEqual({
    server: 'https://licencias.example.com',
    software: 'punto-de-venta',
    keys: inOrder(await stored()),
  });
  // A program that is written now does not need the retired key.
  await t.call('POST', '/licenses/api/signing-keys/rotate/', { body: {} });
  const after = await t.call('GET', path);
  expect(after.body.keys).toEqual(inOrder(await stored()));
  expect(after.body.keys[0]).toMatchObject({ public_jwk: { kid: body.keys[1].public_jwk.kid } });
});

test('the integration data need a session and a software that exists (PROG-08)', async () => {
  const t = await createTestApp();
  const unknown = await t.call('GET', '/licenses/api/software/4711/integration/');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
  const nobody = await t.call('GET', '/licenses/api/software/4711/integration/', { token: null });
  expect(nobody.status).toBe(401);
});
