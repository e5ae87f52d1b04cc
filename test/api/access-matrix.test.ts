import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_PERMISSIONS,
  KEY_PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
} from '../../contract/people/permissions.ts';
import { insertApiKey } from '../../server/features/people/api-keys/api-keys.queries.ts';
import { insertUser, openSession } from '../../server/features/people/sign-in/auth.queries.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import { createApiKeyText } from '../../server/lib/api-key-text.ts';
import { hashToken } from '../../server/lib/secret.ts';
import {
  type AccessRow,
  accessRows,
  accessTable,
  isAllowed,
  isOfClient,
  isOpen,
  withAccessTable,
} from '../../tools/access-table.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { POSTGRES_AT_NIGHT } from '../at-night.ts';
import { createClient } from '../factories.ts';
import { Browser, setSettings } from '../portal.ts';
import { asSystem } from '../scope.ts';

/**
 * The access matrix (PEOPLE-09): every route with every kind of credential. The calls have no body and the records in
 * their paths do not exist, so accepted calls change nothing.
 */

const START = '2026-11-22T12:00:00.000Z';
const HOUR_MS = 3_600_000;

let t: TestApp;
let rows: AccessRow[];
beforeAll(async () => {
  t = await createTestApp({ now: START, closeAfterTest: false });
  await setSettings(t, { portal_enabled: true });
  rows = accessRows(apiDocument(t.app));
  return t.close;
});

/** A new user with an open session. */
async function newUser(role: Role) {
  const username = `${role}-${crypto.randomUUID()}`;
  return asSystem(t, async ({ tx, now }) => {
    const user = await insertUser(
      tx,
      { username, names: role, last_name: '', email: `${username}@example.com`, role, password_hash: 'x' },
      now,
    );
    return { user, ...(await openSession(tx, user.id, now, { ip: null, userAgent: null })) };
  });
}

/** An API key of a new user. */
async function newKey(permissions: Iterable<Permission>, role: Role = 'admin') {
  const { user } = await newUser(role);
  const key = createApiKeyText();
  const id = await insertApiKey(t.db, {
    name: 'Prueba',
    hash: hashToken(key),
    last_four: key.slice(-4),
    permissions: JSON.stringify([...permissions]),
    user_id: user.id,
    created_at: t.context.now().toISOString(),
    expires_at: new Date(t.context.now().getTime() + HOUR_MS).toISOString(),
  });
  return { id, key, user };
}

const urlOf = ({ path }: AccessRow) =>
  path
    .replace('{id}', '999999999')
    .replace('{delivery}', '999999999')
    .replace('{row}', '1')
    .replace('{provider}', 'stripe')
    .replace('{kind}', 'digest')
    .replace('{matter}', 'nada')
    .replace('{token}', 'nada');

type Cell = 'allowed' | 'unauthorized' | 'forbidden' | 'mfa_setup_required';

/**
 * The answer of each route to a token, or to the cookie of a client. Signing out comes last, because it ends the
 * session.
 */
async function walk(token: string | null, cookie?: string): Promise<Map<AccessRow, Cell>> {
  const cells = new Map<AccessRow, Cell>();
  const ends = ({ path }: AccessRow) => path === '/api/auth/logout/' || path.endsWith('/portal/sign-out/');
  for (const row of [...rows.filter((one) => !ends(one)), ...rows.filter(ends)]) {
    const answer = await t.app.inject({
      method: row.method as 'GET',
      url: urlOf(row),
      headers: {
        'x-portal': '1',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(cookie !== undefined && { cookie }),
      },
    });
    const code = answer.statusCode === 401 || answer.statusCode === 403 ? answer.json().code : 'allowed';
    cells.set(row, code);
  }
  return cells;
}

/** The cells as lines with the route, so that a failed test shows the route. */
const written = (cells: ReadonlyMap<AccessRow, Cell>) =>
  rows.map((row) => `${row.method} ${row.path}: ${cells.get(row)}`);
const expected = (cellOf: (row: AccessRow) => Cell) =>
  rows.map((row) => `${row.method} ${row.path}: ${cellOf(row)}`);

/** The cell of a credential that only reaches open routes. The portal ignores tokens. */
const refused =
  (cell: Cell) =>
  (row: AccessRow): Cell =>
    isOpen(row) ? 'allowed' : isOfClient(row) ? 'unauthorized' : cell;

/** The cell of a valid token. */
const cellOf = (row: AccessRow, caller: Parameters<typeof isAllowed>[1]): Cell =>
  isAllowed(row, caller) ? 'allowed' : refused('forbidden')(row);

test.each(ROLES)(
  'a user with the role %s can call exactly the routes of that role (PEOPLE-09)',
  { tags: [POSTGRES_AT_NIGHT] },
  async (role) => {
    const { token } = await newUser(role);
    const permissions = ROLE_PERMISSIONS[role];
    expect(written(await walk(token))).toEqual(expected((row) => cellOf(row, { kind: 'user', permissions })));
  },
);

test.each([...KEY_PERMISSIONS])(
  'an API key with %s can call exactly the routes of that permission (PEOPLE-09)',
  { tags: [POSTGRES_AT_NIGHT] },
  async (name) => {
    const { key } = await newKey([name]);
    const caller = { kind: 'api_key' as const, permissions: new Set([name]) };
    expect(written(await walk(key))).toEqual(expected((row) => cellOf(row, caller)));
  },
);

test.each(ROLES)(
  'an API key with all permissions, created by a user with the role %s, can do only what that role may',
  { tags: [POSTGRES_AT_NIGHT] },
  async (role) => {
    // The stored key has more permissions than any call could have given it.
    const { key } = await newKey(ALL_PERMISSIONS, role);
    const permissions = new Set([...KEY_PERMISSIONS].filter((name) => ROLE_PERMISSIONS[role].has(name)));
    expect(written(await walk(key))).toEqual(
      expected((row) => cellOf(row, { kind: 'api_key', permissions })),
    );
  },
);

test('a client in the portal can call the routes for clients and none of staff (PORTAL-03)', async () => {
  const { email } = await createClient(t);
  const browser = await new Browser(t).signIn(email);
  const cookie = `lm_portal=${browser.cookies.get('lm_portal')}`;
  const ofClient = expected((row) => (isOpen(row) || isOfClient(row) ? 'allowed' : 'unauthorized'));
  expect(written(await walk(null, cookie))).toEqual(ofClient);
});

describe('an invalid credential can call open routes only (PEOPLE-09)', () => {
  const credentials: [string, () => Promise<string | null>][] = [
    ['nothing', async () => null],
    ['a token that nobody was given', async () => 'x'.repeat(43)],
    ['a refresh token', async () => (await newUser('admin')).refresh_token],
    [
      'an expired token',
      async () => {
        const { token } = await newUser('admin');
        await t.db
          .updateTable('tokens')
          .set({ expires_at: START })
          .where('hash', '=', hashToken(token))
          .execute();
        return token;
      },
    ],
    [
      'a token of an ended session',
      async () => {
        const { token } = await newUser('admin');
        await t.call('POST', '/api/auth/logout/', { token });
        return token;
      },
    ],
    [
      'a token of a deactivated user',
      async () => {
        const { token, user } = await newUser('admin');
        await t.call('POST', `/licenses/api/users/${user.id}/deactivate/`);
        return token;
      },
    ],
    [
      'an expired key',
      async () => {
        const { key, id } = await newKey(KEY_PERMISSIONS);
        await t.db.updateTable('api_keys').set({ expires_at: START }).where('id', '=', id).execute();
        return key;
      },
    ],
    [
      'a revoked key',
      async () => {
        const { key, id } = await newKey(KEY_PERMISSIONS);
        await t.call('DELETE', `/licenses/api/api-keys/${id}/`);
        return key;
      },
    ],
    [
      'a key of a deactivated maker',
      async () => {
        const { key, user } = await newKey(KEY_PERMISSIONS);
        await t.call('POST', `/licenses/api/users/${user.id}/deactivate/`);
        return key;
      },
    ],
    ['a mistyped key', async () => (await newKey(KEY_PERMISSIONS)).key.slice(0, -1)],
  ];

  test.each(credentials)(
    'a call with %s can reach open routes only',
    { tags: [POSTGRES_AT_NIGHT] },
    async (_what, credential) => {
      expect(written(await walk(await credential()))).toEqual(expected(refused('unauthorized')));
    },
  );
});

const REQUIRED = '{"require_mfa":"all","portal_enabled":true}';

test('a person who must set up a second factor can call only its setup, also with an API key (PEOPLE-05, PEOPLE-09)', async () => {
  await t.db
    .insertInto('settings')
    .values({ id: 1, changed: REQUIRED, updated_at: START })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ changed: REQUIRED }))
    .execute();
  const ofUser = expected((row) => (row.duringMfaSetup ? 'allowed' : refused('mfa_setup_required')(row)));
  for (const role of ROLES) expect(written(await walk((await newUser(role)).token))).toEqual(ofUser);
  const { key } = await newKey(KEY_PERMISSIONS);
  expect(written(await walk(key))).toEqual(expected(refused('mfa_setup_required')));
});

test('docs/security.md contains the access matrix of these routes (PEOPLE-09)', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'security.md'), 'utf8');
  // `node tools/access-table.ts` updates the table.
  expect(withAccessTable(text, accessTable(rows))).toBe(text);
});
