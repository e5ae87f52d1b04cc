import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/app.ts';

/** What somebody with an administrator's stolen token cannot do: take over this account or another one. */

const NOW = '2026-11-23T18:00:00.000Z';
const USERS = '/licenses/api/users/';

/**
 * Another administrator, who has joined.
 * @returns the id
 */
async function secondAdmin(t: TestApp, role = 'admin'): Promise<number> {
  const invited = await t.call('POST', USERS, {
    body: { username: 'bea', names: 'Bea', last_name: 'Sol', email: 'bea@example.com', role },
  });
  const token = String(invited.body.link).split('#')[1];
  await t.call('POST', '/api/auth/invitation/accept/', {
    token: null,
    body: { token, password: 'tres tristes tigres' },
  });
  return invited.body.id;
}

/** Eleven minutes later: the token is still valid, but the password was entered too long ago. */
const later = (t: TestApp) => t.clock.advance(11 * 60_000);
const confirm = (t: TestApp) => t.call('POST', '/api/auth/step-up/', { body: { password: 'admin123' } });

describe('after ten minutes the password is asked for again, and nothing changes without it', () => {
  const calls: [what: string, method: string, path: string, body: object, changed: object][] = [
    [
      'the email of a user',
      'PATCH',
      `${USERS}2/`,
      { email: 'ladron@example.com' },
      { email: 'ladron@example.com' },
    ],
    [
      'the email of a user, in a PUT',
      'PUT',
      `${USERS}2/`,
      { email: 'ladron@example.com' },
      { email: 'ladron@example.com' },
    ],
    ['the role of a user', 'PATCH', `${USERS}2/`, { role: 'viewer' }, { role: 'viewer' }],
    [
      'a link that sets a password',
      'POST',
      `${USERS}2/reset_link/`,
      {},
      { link: expect.stringContaining('#') },
    ],
    ['the end of a second factor', 'POST', `${USERS}2/reset_mfa/`, {}, { id: 2 }],
    [
      'who must have a second factor',
      'PATCH',
      '/licenses/api/settings/',
      { require_mfa: 'admins' },
      { require_mfa: 'admins' },
    ],
    [
      'how long events stay',
      'PATCH',
      '/licenses/api/settings/',
      { event_retention_days: 100 },
      { event_retention_days: 100 },
    ],
  ];
  test.each(calls)(
    'the password is asked for again before changing %s',
    async (_what, method, path, body, changed) => {
      const t = await createTestApp({ now: NOW });
      await secondAdmin(t);
      later(t);
      const refused = await t.call(method, path, { body });
      expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required']);
      const user = (await t.call('GET', `${USERS}2/`)).body;
      expect(user).toMatchObject({ email: 'bea@example.com', role: 'admin' });
      const { body: settings } = await t.call('GET', '/licenses/api/settings/');
      expect(settings).toMatchObject({ require_mfa: 'none' });
      await confirm(t);
      const done = await t.call(method, path, { body });
      expect(done.status).toBe(200);
      expect(done.body).toMatchObject(changed);
    },
  );

  test('the password is asked for again before reactivating or inviting an administrator, not an operator', async () => {
    for (const role of ['admin', 'operator'] as const) {
      const t = await createTestApp({ now: NOW });
      const id = await secondAdmin(t, role);
      const { body: waiting } = await t.call('POST', USERS, {
        body: { username: 'eva', names: 'Eva', last_name: '', email: 'eva@example.com', role },
      });
      await t.call('POST', `${USERS}${id}/deactivate/`);
      later(t);
      const expected = role === 'admin' ? [403, 'step_up_required'] : [200, undefined];
      for (const path of [`${id}/reactivate/`, `${waiting.id}/invite/`]) {
        const answer = await t.call('POST', `${USERS}${path}`);
        expect([path, answer.status, answer.body.code]).toEqual([path, ...expected]);
      }
      await confirm(t);
      expect((await t.call('POST', `${USERS}${id}/reactivate/`)).status).toBe(200);
      expect((await t.call('POST', `${USERS}${waiting.id}/invite/`)).status).toBe(200);
    }
  });

  test('other fields of a user and of the settings can be changed without the password', async () => {
    const t = await createTestApp({ now: NOW });
    await secondAdmin(t);
    later(t);
    const same = { names: 'Beatriz', email: 'bea@example.com', role: 'admin' };
    expect((await t.call('PUT', `${USERS}2/`, { body: same })).body.names).toBe('Beatriz');
    const settings = { vendor_name: 'Otra', require_mfa: 'none' };
    expect((await t.call('PUT', '/licenses/api/settings/', { body: settings })).status).toBe(200);
  });
});

test('an administrator’s own email, password and second factor can be changed only in Mi cuenta', async () => {
  const t = await createTestApp({ now: NOW });
  await secondAdmin(t);
  for (const method of ['PATCH', 'PUT']) {
    const email = await t.call(method, `${USERS}1/`, { body: { email: 'ladron@example.com' } });
    expect([email.status, email.body.errors]).toEqual([
      400,
      { email: [expect.stringContaining('Mi cuenta')] },
    ]);
  }
  for (const action of ['reset_link', 'reset_mfa']) {
    const answer = await t.call('POST', `${USERS}1/${action}/`);
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect(answer.body.message).toContain('Mi cuenta');
  }
  expect(
    (await t.call('PATCH', `${USERS}1/`, { body: { email: 'ADMIN@example.com', names: 'Ana' } })).status,
  ).toBe(200);
  expect(await t.db.selectFrom('user_links').selectAll().execute()).toEqual([]);
});

test('an API key that changes who needs a second factor or how long events are stored gets 403', async () => {
  const t = await createTestApp({ now: NOW });
  const { body } = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'Todo', permissions: ['settings:manage', 'settings:read'] },
  });
  for (const change of [{ require_mfa: 'all' }, { event_retention_days: 100 }]) {
    const answer = await t.call('PATCH', '/licenses/api/settings/', { body: change, token: body.key });
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  }
  const { body: after } = await t.call('GET', '/licenses/api/settings/', { token: body.key });
  expect(after.require_mfa).toBe('none');
});

test('a valid API key on a call that only people may make gets 403, never 401', async () => {
  const t = await createTestApp({ now: NOW });
  const { body } = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'Todo', permissions: ['settings:manage', 'signing_keys:manage'] },
  });
  const calls: [string, string, object?][] = [
    ['GET', '/api/auth/user/'],
    ['POST', '/api/auth/password/change/', { current_password: 'x', password: 'tres tristes tigres' }],
    ['POST', '/api/auth/step-up/', { password: 'x' }],
    ['POST', '/licenses/api/mail-templates/license_issued/test/', {}],
    ['POST', '/licenses/api/signing-keys/rotate/'],
    ['GET', '/licenses/api/notifications/'],
    ['GET', '/licenses/api/views/?screen=clients'],
  ];
  for (const [method, path, sent] of calls) {
    const answer = await t.call(method, path, { token: body.key, ...(sent && { body: sent }) });
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'forbidden']);
  }
});

describe('security mails with a fixed text', () => {
  const noticesOf = async (t: TestApp) =>
    (await t.deliveredMail())
      .filter(({ html }) => html?.includes('Si no fuiste tú'))
      .map(({ to, subject, text }) => ({ to: to?.[0]?.address, subject, text }));

  test('a mail goes to the old and the new address when an email changes, also in Mi cuenta', async () => {
    const t = await createTestApp({ now: NOW });
    const id = await secondAdmin(t);
    await t.call('PATCH', `${USERS}${id}/`, { body: { email: 'nueva@example.com' } });
    const body = { email: 'propia@example.com', current_password: 'admin123' };
    expect((await t.call('PATCH', '/api/auth/user/', { body })).status).toBe(200);
    const notices = await noticesOf(t);
    expect(notices.map(({ to }) => to).sort()).toEqual([
      'admin@example.com',
      'bea@example.com',
      'nueva@example.com',
      'propia@example.com',
    ]);
    for (const { subject, text } of notices) {
      expect(subject).toContain('email');
      expect(text).toMatch(/bea@example\.com|admin@example\.com/);
    }
  });

  test('a mail is sent when a password changes, by its owner or by a link, and lists the API keys that still work', async () => {
    const t = await createTestApp({ now: NOW });
    await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda', permissions: ['licenses:read'] },
    });
    const gone = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Vieja', permissions: ['licenses:read'] },
    });
    await t.call('DELETE', `/licenses/api/api-keys/${gone.body.id}/`);
    await t.call('POST', '/api/auth/password/change/', {
      body: { current_password: 'admin123', password: 'tres tristes tigres' },
    });
    const notice = (await noticesOf(t)).find(({ subject }) => subject?.includes('contraseña'));
    expect(notice?.to).toBe('admin@example.com');
    expect(notice?.text).toContain('Tienda');
    expect(notice?.text).not.toContain('Vieja');
  });

  test('a mail is sent when a second factor is turned on, off or removed by an administrator, and for an API key', async () => {
    const t = await createTestApp({ now: NOW });
    const id = await secondAdmin(t);
    await t.db
      .updateTable('users')
      .set({ mfa_enabled_at: NOW, mfa_secret: 'x' })
      .where('id', '=', id)
      .execute();
    await t.call('POST', `${USERS}${id}/reset_mfa/`);
    await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda [x](https://malo.example)', permissions: ['licenses:read'] },
    });
    const notices = (await noticesOf(t)).sort((a, b) => String(a.to).localeCompare(String(b.to)));
    expect(notices).toMatchObject([
      { to: 'admin@example.com', subject: expect.stringContaining('clave de API') },
      { to: 'bea@example.com', subject: expect.stringContaining('verificación en dos pasos') },
    ]);
    expect(notices[0]?.text).toContain('Tienda [x](https://malo.example)');
    expect(notices[0]?.text).not.toContain('lmk_');
  });

  test('security mails are listed in Correos, and their kind has no template', async () => {
    const t = await createTestApp({ now: NOW });
    await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda', permissions: ['licenses:read'] },
    });
    const { body } = await t.call('GET', '/licenses/api/mails/?kind=security_notice');
    expect(body.results).toMatchObject([{ kind: 'security_notice', to: 'admin@example.com' }]);
    expect((await t.call('GET', '/licenses/api/mail-templates/security_notice/')).status).toBe(404);
  });
});
