import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../../contract/people/permissions.ts';
import { USER_MESSAGES } from '../../../../contract/people/users.ts';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';

/** The users of the console (PEOPLE-02, PEOPLE-03). */

const USERS = '/licenses/api/users/';
const ANA = {
  username: 'ana',
  names: 'Ana',
  last_name: 'Ríos',
  email: 'ana@example.com',
  role: 'operator' as Role,
};
const PASSWORD = 'tres tristes tigres';

const invite = (t: TestApp, values: object = {}, token?: string) =>
  t.call('POST', USERS, { body: { ...ANA, ...values }, ...(token !== undefined && { token }) });

const tokenOf = (link: string) => link.split('#')[1];

/**
 * Invites a person and accepts the invitation.
 * @returns the user and the access token
 */
async function join(t: TestApp, values: object = {}) {
  const { body: user } = await invite(t, values);
  const { body } = await t.call('POST', '/api/auth/invitation/accept/', {
    body: { token: tokenOf(user.link), password: PASSWORD },
    token: null,
  });
  return { user, token: body.token as string };
}

const eventsOf = async (t: TestApp) =>
  (await t.db.selectFrom('events').select(['type', 'actor_name', 'subject_name']).orderBy('id').execute())
    .filter(({ type }) => type.startsWith('user.') && type !== 'user.signed_in')
    .map(({ type, actor_name, subject_name }) => [type, actor_name, subject_name]);

describe('an invitation', () => {
  test('is void after its email is corrected, because another person may have received it', async () => {
    const t = await createTestApp();
    const invite = await t.call('POST', '/licenses/api/users/', {
      body: {
        username: 'eva',
        names: 'Eva',
        last_name: '',
        email: 'mal@example.com',
        role: 'operator',
      },
    });
    const { id, link } = invite.body;
    const accept = (path: string) =>
      t.call('POST', '/api/auth/invitation/accept/', {
        token: null,
        body: { token: path.split('#')[1], password: 'tres tristes tigres' },
      });
    const body = { email: 'eva@example.com' };
    expect((await t.call('PATCH', `/licenses/api/users/${id}/`, { body })).status).toBe(200);
    const early = await accept(link);
    expect([early.status, early.body.code]).toEqual([400, 'invalid_token']);
    const again = await t.call('POST', `/licenses/api/users/${id}/invite/`);
    expect((await accept(again.body.link)).status).toBe(200);
  });

  test('creates an account whose owner sets a password and signs in (PEOPLE-03)', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
    const { status, body } = await invite(t);
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        ...ANA,
        status: 'invited',
        is_active: true,
        mfa_enabled: false,
        passkeys: 0,
        last_sign_in_at: null,
        locked_until: null,
        created_at: '2026-11-22T12:00:00.000Z',
        updated_at: '2026-11-22T12:00:00.000Z',
        link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/invitacion#[\w-]{43}$/),
      },
    ]);
    const accepted = await t.call('POST', '/api/auth/invitation/accept/', {
      body: { token: tokenOf(body.link), password: PASSWORD },
      token: null,
    });
    expect([accepted.status, accepted.body.user.username]).toEqual([200, 'ana']);
    const own = await t.call('GET', '/api/auth/user/', { token: accepted.body.token });
    expect([own.status, own.body.role]).toEqual([200, 'operator']);
    expect(await signInAs(t, 'ana', PASSWORD)).not.toBe('');
    expect((await t.call('GET', `${USERS}${body.id}/`)).body.status).toBe('active');
    expect((await eventsOf(t)).slice(1)).toEqual([
      ['user.invited', 'Administrador Demo', 'Ana Ríos'],
      ['user.joined', 'Ana Ríos', 'Ana Ríos'],
    ]);
  });

  test('asks the least: email and role. The user name is made of the email, and lists and mails have the email as name (147)', async () => {
    const t = await createTestApp();
    await invite(t, { username: 'eva' });
    const names: string[] = [];
    for (const email of ['eva+ventas@uno.example', 'EVA@dos.example', '+x@b.mx', 'jo@tres.example']) {
      const { status, body } = await t.call('POST', USERS, { body: { email, role: 'viewer' } });
      expect([status, body.names, body.last_name, body.status]).toEqual([201, '', '', 'invited']);
      expect(body.link).toMatch(new RegExp(`/invitacion\\?usuario=${body.username}#[\\w-]{43}$`));
      names.push(body.username);
    }
    // None is shorter than sign-in takes.
    expect(names).toEqual(['eva-2', 'eva-3', 'x.b', 'jo.tres']);
    const mails = await t.db.selectFrom('outbox').select(['to_name', 'kind']).orderBy('id').execute();
    expect(mails.at(-1)).toEqual({ kind: 'invitation', to_name: 'jo@tres.example' });
    expect((await eventsOf(t)).at(-1)).toEqual(['user.invited', 'Administrador Demo', 'jo@tres.example']);
    const { body: found } = await t.call('GET', `${USERS}?search=tres.example`);
    expect(found.results.map(({ username }: { username: string }) => username)).toEqual(['jo.tres']);
  });

  test('that left the name out is accepted with the name only; the link stays valid until then (147)', async () => {
    const t = await createTestApp();
    await invite(t, { username: 'ocupado' });
    const { body: user } = await t.call('POST', USERS, { body: { email: 'eva@x.mx', role: 'operator' } });
    const accept = (values: object) =>
      t.call('POST', '/api/auth/invitation/accept/', {
        body: { token: tokenOf(user.link), password: PASSWORD, ...values },
        token: null,
      });
    for (const [values, field] of [
      [{}, 'names'],
      [{ names: ' ' }, 'names'],
      [{ names: 'Eva', username: 'Ocupado' }, 'username'],
      [{ names: 'Eva', username: 'x' }, 'username'],
      [{ names: 'Eva', password: 'password1' }, 'password'],
    ] as const) {
      const { status, body } = await accept(values);
      expect([values, status, Object.keys(body.errors)]).toEqual([values, 400, [field]]);
    }
    const { status, body } = await accept({ names: 'Eva', last_name: 'Sol' });
    expect([status, body.user]).toMatchObject([200, { username: 'eva', names: 'Eva', last_name: 'Sol' }]);
    expect((await eventsOf(t)).at(-1)).toEqual(['user.joined', 'Eva Sol', 'Eva Sol']);
    expect(await signInAs(t, 'eva', PASSWORD)).not.toBe('');
    expect((await accept({ names: 'Otra' })).body.code).toBe('invalid_token');
  });

  test('takes the user name that the person chooses, also with one that the invitation had (147)', async () => {
    const t = await createTestApp();
    const { body: user } = await invite(t);
    const { body } = await t.call('POST', '/api/auth/invitation/accept/', {
      body: { token: tokenOf(user.link), password: PASSWORD, username: 'Anita' },
      token: null,
    });
    expect(body.user).toMatchObject({ username: 'Anita', names: 'Ana', last_name: 'Ríos' });
    expect(await signInAs(t, 'ana', PASSWORD)).toBe('');
    expect(await signInAs(t, 'anita', PASSWORD)).not.toBe('');
  });

  test('for one address, made eight times at once, is one account (147)', async () => {
    const t = await createTestApp();
    const body = { email: 'eva@x.mx', role: 'viewer' };
    const tries = await Promise.all(Array.from({ length: 8 }, () => t.call('POST', USERS, { body })));
    expect(tries.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
    // People with one mailbox name at different companies get different user names.
    const others = await Promise.all(
      ['a', 'b', 'c', 'd'].map((company) =>
        t.call('POST', USERS, { body: { email: `ventas@${company}.mx`, role: 'viewer' } }),
      ),
    );
    expect(others.map((answer) => answer.body.username).sort()).toEqual([
      ...['ventas', 'ventas-2', 'ventas-3', 'ventas-4'],
    ]);
  });

  test('of one without a name, email and role are changed without saying the name (147)', async () => {
    const t = await createTestApp();
    const { body: user } = await t.call('POST', USERS, { body: { email: 'eva@x.mx', role: 'viewer' } });
    const changed = await t.call('PUT', `${USERS}${user.id}/`, { body: { role: 'operator' } });
    expect([changed.status, changed.body.role, changed.body.names]).toEqual([200, 'operator', '']);
    const blank = await t.call('PUT', `${USERS}${user.id}/`, { body: { names: '' } });
    expect([blank.status, Object.keys(blank.body.errors)]).toEqual([400, ['names']]);
  });

  test('does not allow signing in before it is accepted', async () => {
    const t = await createTestApp();
    await invite(t);
    for (const password of ['', 'x', PASSWORD]) expect(await signInAs(t, 'ana', password)).toBe('');
  });

  test('is valid for 48 hours and once, and of many concurrent tries one succeeds (PEOPLE-03)', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
    const accept = (link: string) =>
      t.call('POST', '/api/auth/invitation/accept/', {
        body: { token: tokenOf(link), password: PASSWORD },
        token: null,
      });
    const { body: late } = await invite(t);
    t.clock.advance(48 * 3_600_000);
    const refused = await accept(late.link);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_token']);

    t.token = await signInAs(t, 'admin', 'admin123');
    const { body: again } = await t.call('POST', `${USERS}${late.id}/invite/`);
    t.clock.advance(48 * 3_600_000 - 1);
    const tries = await Promise.all(Array.from({ length: 8 }, () => accept(again.link)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect((await accept(again.link)).body.code).toBe('invalid_token');
  });

  test('sent again voids the earlier link, and a person who has joined gets none (PEOPLE-03)', async () => {
    const t = await createTestApp();
    const { body: first } = await invite(t);
    const { body: second } = await t.call('POST', `${USERS}${first.id}/invite/`);
    const accept = (link: string) =>
      t.call('POST', '/api/auth/invitation/accept/', {
        body: { token: tokenOf(link), password: PASSWORD },
        token: null,
      });
    expect((await accept(first.link)).body.code).toBe('invalid_token');
    expect((await accept(second.link)).status).toBe(200);
    const third = await t.call('POST', `${USERS}${first.id}/invite/`);
    expect([third.status, third.body.code, third.body.message]).toEqual([
      409,
      'conflict',
      'Esta persona ya aceptó su invitación',
    ]);
  });

  test.each([
    ['corta12', 'La contraseña debe tener al menos 8 caracteres'],
    ['Password1', 'Esta contraseña es de las más usadas. Elige otra.'],
    ['ANA@example.com', 'Esta contraseña es de las más usadas. Elige otra.'],
  ])('refuses the password %j and can then still be used (PEOPLE-04)', async (password, message) => {
    const t = await createTestApp();
    const { body } = await invite(t);
    const accept = (text: string) =>
      t.call('POST', '/api/auth/invitation/accept/', {
        body: { token: tokenOf(body.link), password: text },
        token: null,
      });
    const refused = await accept(password);
    expect([refused.status, refused.body.errors]).toEqual([400, { password: [message] }]);
    expect((await accept(PASSWORD)).status).toBe(200);
  });

  test('returns no link when mail is delivered', async () => {
    const t = await createTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    expect((await invite(t)).body.link).toBe(null);
  });
});

describe('refused calls', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({ closeAfterTest: false });
    return t.close;
  });

  test.each([
    [{ email: 'ADMIN@example.com' }, { email: ['Ya existe un usuario con este email'] }],
    [{ username: 'Admin' }, { username: ['Ya existe un usuario con este nombre'] }],
    [{ username: 'ab' }, { username: ['El nombre de usuario debe tener al menos 3 caracteres'] }],
    [{ names: ' ' }, { names: ['El nombre es obligatorio'] }],
    [{ email: 'ana' }, { email: ['El email no es válido'] }],
    [{ role: 'dueña' }, { role: ['Selecciona un rol válido'] }],
  ])('%j is refused at its field', async (values, errors) => {
    const { status, body } = await invite(t, values);
    expect([status, body.errors]).toEqual([400, errors]);
  });

  test('every call is refused to users who may not manage users (PEOPLE-02)', async () => {
    for (const role of ['operator', 'support', 'viewer']) {
      const { token } = await join(t, { username: role, email: `${role}@example.com`, role });
      expect((await invite(t, {}, token)).body.code).toBe('forbidden');
      expect((await t.call('GET', USERS, { token })).status).toBe(403);
    }
  });
});

test('users are listed by name, and can be searched and filtered (PEOPLE-03)', async () => {
  const t = await createTestApp();
  await join(t);
  await invite(t, { username: 'zoe', names: 'Zoé', email: 'zoe@example.com', role: 'viewer' });
  const namesAt = async (query: string) =>
    (await t.call('GET', USERS + query)).body.results.map(({ username }: { username: string }) => username);
  expect(await namesAt('')).toEqual(['admin', 'ana', 'zoe']);
  expect(await namesAt('?search=zoe')).toEqual(['zoe']);
  expect(await namesAt('?role=operator')).toEqual(['ana']);
  expect(await namesAt('?status=invited')).toEqual(['zoe']);
  expect(await namesAt('?page=2&page_size=2')).toEqual(['zoe']);
  expect(await namesAt('?search=nadie')).toEqual([]);
  expect((await t.call('GET', `${USERS}?page=x`)).status).toBe(404);
});

describe('a change of a user', () => {
  test('a changed role takes effect at the next call, within the same session (PEOPLE-02)', async () => {
    const t = await createTestApp();
    const { user, token } = await join(t);
    expect((await t.call('GET', '/licenses/api/mails/', { token })).status).not.toBe(403);
    const { status, body } = await t.call('PUT', `${USERS}${user.id}/`, { body: { role: 'viewer' } });
    expect([status, body.role, body.names]).toEqual([200, 'viewer', 'Ana']);
    expect((await t.call('DELETE', '/licenses/api/clients/1/', { token })).status).toBe(403);
    const event = await t.db
      .selectFrom('events')
      .select('changes')
      .where('type', '=', 'user.updated')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(event.changes)).toEqual({ role: { before: 'operator', after: 'viewer' } });
  });

  test('needs the current version, and writes no event when nothing changes', async () => {
    const t = await createTestApp();
    const { body: user, headers } = await t.call('GET', `${USERS}1/`);
    expect(headers.etag).toBe(`"${user.updated_at}"`);
    const stale = await t.call('PUT', `${USERS}1/`, {
      body: { names: 'Otra' },
      headers: { 'if-match': '"2020-01-01T00:00:00.000Z"' },
    });
    expect([stale.status, stale.body.current.names]).toEqual([412, 'Administrador']);
    await t.call('PUT', `${USERS}1/`, { body: { names: user.names } });
    expect((await eventsOf(t)).map(([type]) => type)).toEqual(['user.registered']);
  });

  test('a changed email voids the link sent to the earlier one', async () => {
    const t = await createTestApp();
    const { user } = await join(t);
    const { body: sent } = await t.call('POST', `${USERS}${user.id}/reset_link/`);
    const saved = await t.call('PUT', `${USERS}${user.id}/`, { body: { email: 'eva@example.com' } });
    expect([saved.status, saved.body.email]).toEqual([200, 'eva@example.com']);
    const reset = await t.call('POST', '/api/auth/password/reset/', {
      body: { token: tokenOf(sent.link), password: 'otros tres tigres' },
      token: null,
    });
    expect(reset.body.code).toBe('invalid_token');
  });

  test('a change to the email of another user is refused', async () => {
    const t = await createTestApp();
    const { user } = await join(t);
    const { status, body } = await t.call('PUT', `${USERS}${user.id}/`, {
      body: { email: 'Admin@Example.com' },
    });
    expect([status, body.errors]).toEqual([400, { email: ['Ya existe un usuario con este email'] }]);
  });
});

describe('deactivation', () => {
  test('ends the sessions at once and voids links, and reactivation allows signing in again (PEOPLE-03)', async () => {
    const t = await createTestApp();
    const { user, token } = await join(t);
    expect((await t.call('POST', `${USERS}${user.id}/deactivate/`)).body.status).toBe('inactive');
    expect((await t.call('GET', '/api/auth/user/', { token })).status).toBe(401);
    expect(await signInAs(t, 'ana', PASSWORD)).toBe('');
    // A repeated call writes no second event.
    await t.call('POST', `${USERS}${user.id}/deactivate/`);
    expect((await t.call('POST', `${USERS}${user.id}/reactivate/`)).body.status).toBe('active');
    expect(await signInAs(t, 'ana', PASSWORD)).not.toBe('');
    expect((await t.call('GET', '/api/auth/user/', { token })).status).toBe(401);
    expect((await eventsOf(t)).slice(-2).map(([type]) => type)).toEqual([
      'user.deactivated',
      'user.reactivated',
    ]);
  });

  test('an inactive person cannot be invited again', async () => {
    const t = await createTestApp();
    const { body: user } = await invite(t);
    await t.call('POST', `${USERS}${user.id}/deactivate/`);
    const again = await t.call('POST', `${USERS}${user.id}/invite/`);
    expect([again.status, again.body.message]).toEqual([409, USER_MESSAGES.inactive]);
  });

  test('deactivating an invited person voids the link', async () => {
    const t = await createTestApp();
    const { body: user } = await invite(t);
    await t.call('POST', `${USERS}${user.id}/deactivate/`);
    const accepted = await t.call('POST', '/api/auth/invitation/accept/', {
      body: { token: tokenOf(user.link), password: PASSWORD },
      token: null,
    });
    expect(accepted.body.code).toBe('invalid_token');
  });
});

describe('one active administrator always remains (PEOPLE-02)', () => {
  test('the last one can neither be deactivated nor get another role', async () => {
    const t = await createTestApp();
    // An administrator who has not joined does not count.
    await invite(t, { role: 'admin' });
    const answers = [
      await t.call('POST', `${USERS}1/deactivate/`),
      await t.call('PUT', `${USERS}1/`, { body: { role: 'operator' } }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([409, 'last_admin']),
    );
    expect((await t.call('PUT', `${USERS}1/`, { body: { names: 'Nuevo' } })).status).toBe(200);
  });

  test('when two administrators remove each other at the same time, one stays', async () => {
    const t = await createTestApp();
    const { user, token } = await join(t, { role: 'admin' });
    await Promise.all([
      t.call('POST', `${USERS}${user.id}/deactivate/`),
      t.call('POST', `${USERS}1/deactivate/`, { token }),
    ]);
    const active = await t.db.selectFrom('users').select('id').where('is_active', '=', true).execute();
    expect(active).toHaveLength(1);
  });
});

test('an administrator sees a lock after failed sign-ins, and can remove it', async () => {
  const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
  const { user } = await join(t);
  for (let count = 0; count < 10; count += 1) await signInAs(t, 'ana', 'no');
  expect(await signInAs(t, 'ana', PASSWORD)).toBe('');
  const { body } = await t.call('GET', `${USERS}${user.id}/`);
  expect(body.locked_until).toBe('2026-11-22T12:15:00.000Z');
  const { body: list } = await t.call('GET', USERS);
  expect(list.results.map((row: { locked_until: string | null }) => row.locked_until)).toEqual([
    null,
    '2026-11-22T12:15:00.000Z',
  ]);
  const stale = await t.call('PATCH', `${USERS}${user.id}/`, {
    body: { names: 'Otra' },
    headers: { 'if-match': '"2000-01-01T00:00:00.000Z"' },
  });
  expect([stale.status, stale.body.current.locked_until]).toEqual([412, '2026-11-22T12:15:00.000Z']);
  const unlocked = await t.call('POST', `${USERS}${user.id}/unlock/`);
  expect([unlocked.status, unlocked.body.locked_until]).toEqual([200, null]);
  expect(await signInAs(t, 'ana', PASSWORD)).not.toBe('');
});

test('unlocking ana does not unlock anabel and ana:bel', async () => {
  const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
  const { user } = await join(t);
  const others = ['anabel', 'ana:bel'];
  for (const username of others) {
    await t.call('POST', '/api/auth/register/', {
      body: { username, password: 'secreta1', names: 'X', email: `${username.replace(':', '')}@example.com` },
    });
  }
  for (const username of others) {
    for (let count = 0; count < 10; count += 1) await signInAs(t, username, 'no');
  }
  const locksOf = async () => {
    const { body } = await t.call('GET', USERS);
    return Object.fromEntries(
      body.results.map((row: { username: string; locked_until: string | null }) => [
        row.username,
        row.locked_until !== null,
      ]),
    );
  };
  expect(await locksOf()).toMatchObject({ ana: false, anabel: true, 'ana:bel': true });
  await t.call('POST', `${USERS}${user.id}/unlock/`);
  expect(await locksOf()).toMatchObject({ ana: false, anabel: true, 'ana:bel': true });
  expect(await signInAs(t, 'anabel', 'secreta1')).toBe('');
});

describe('a password link created by an administrator (PEOPLE-03)', () => {
  const linkFor = (t: TestApp, id: number, token?: string) =>
    t.call('POST', `${USERS}${id}/reset_link/`, token === undefined ? {} : { token });

  test('is mailed, or returned when there is no mail server, works once and writes no event before its use', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00Z' });
    const { user } = await join(t);
    const before = await eventsOf(t);
    const { body: first } = await linkFor(t, user.id);
    const { status, body } = await linkFor(t, user.id);
    expect([status, body]).toEqual([
      200,
      {
        link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/restablecer#[\w-]{43}$/),
        api_keys: [],
      },
    ]);
    expect(await eventsOf(t)).toEqual(before);
    const mails = await t.db
      .selectFrom('outbox')
      .select('kind')
      .where('kind', '=', 'password_reset')
      .execute();
    expect(mails).toHaveLength(2);
    const reset = (link: string) =>
      t.call('POST', '/api/auth/password/reset/', {
        body: { token: tokenOf(link), password: 'otra frase muy larga' },
        token: null,
      });
    expect((await reset(first.link)).body.code).toBe('invalid_token');
    expect((await reset(body.link)).status).toBe(200);
    expect((await reset(body.link)).body.code).toBe('invalid_token');
    expect(await signInAs(t, 'ana', 'otra frase muy larga')).not.toBe('');
    expect((await eventsOf(t)).at(-1)?.[0]).toBe('user.password_changed');
  });

  test('is only for active people with a password, and only from users who manage users', async () => {
    const t = await createTestApp();
    const { user, token } = await join(t);
    expect((await linkFor(t, user.id, token)).body.code).toBe('forbidden');
    await t.call('POST', `${USERS}${user.id}/deactivate/`);
    const { body: invitedUser } = await invite(t, { username: 'zoe', email: 'zoe@example.com' });
    const answers = [await linkFor(t, user.id), await linkFor(t, invitedUser.id), await linkFor(t, 999)];
    expect(answers.map(({ status, body }) => [status, body.code, body.message])).toEqual([
      [409, 'conflict', 'El usuario está inactivo: reactívalo primero'],
      [409, 'conflict', 'Esta persona todavía no acepta su invitación: envíale otra'],
      [404, 'not_found', 'Usuario no encontrado'],
    ]);
  });

  test('is not returned when mail is delivered', async () => {
    const t = await createTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    await t.call('POST', '/api/auth/register/', {
      body: { username: 'bea', password: 'secreta1', names: 'Bea', email: 'bea@example.com' },
    });
    expect((await linkFor(t, 2)).body).toEqual({ link: null, api_keys: [] });
  });
});
