import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/**
 * The calls of the session and the state that they store, with a fake network and a fake localStorage.
 * The modules read the storage when they load, so each test loads them again.
 */
const USER = { id: 1, username: 'ana', names: 'Ana', last_name: 'López', email: 'a@b.mx', is_active: true };

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};

const json = (status: number, body?: unknown, headers: Record<string, string> = {}) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status, headers });

function network(answer: () => Response | Promise<Response>) {
  const calls: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    calls.push({ url, init });
    return answer();
  });
  return calls;
}

async function load() {
  const session = await import('./session.ts');
  session.adoptStoredSession();
  return {
    session,
    auth: await import('./auth-api.ts'),
    own: await import('./own-session.ts'),
    http: await import('./http.ts'),
  };
}

beforeEach(() => {
  vi.resetModules();
  stored.clear();
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('window', { localStorage: storage });
  vi.stubGlobal('navigator', { onLine: true });
  vi.spyOn(console, 'debug').mockImplementation(() => {});
});
afterEach(() => vi.unstubAllGlobals());

describe('register', () => {
  test('stores token and user and signs in (SEED-4-02, SEED-7.1-04)', async () => {
    const calls = network(() => json(201, { success: true, token: 't', refresh_token: 'r', user: USER }));
    const { session, auth } = await load();
    const account = { username: 'ana', password: 'secreta', names: 'Ana', last_name: 'L', email: 'a@b.mx' };
    await auth.register(account);
    expect(calls[0]?.url).toBe('/api/auth/register/');
    expect(JSON.parse(String(calls[0]?.init.body))).toEqual(account);
    expect(session.useSession.getState()).toMatchObject({ token: 't', user: USER, isAuthenticated: true });
    expect(stored.get('license_manager_token')).toBe('t');
    expect(stored.get('license_manager_refresh_token')).toBe('r');
    expect(JSON.parse(stored.get('license_manager_user') ?? '')).toEqual(USER);
  });
});

describe('signIn', () => {
  test('stores the message of a failure as the auth error until the next attempt (SEED-8.1-11)', async () => {
    network(() => json(403, { success: false, message: 'Usuario inactivo' }));
    const { session, auth } = await load();
    await expect(auth.signIn({ username: 'ana', password: 'x' })).rejects.toThrow('Usuario inactivo');
    expect(session.useSession.getState()).toMatchObject({
      error: 'Usuario inactivo',
      isAuthenticated: false,
    });
    network(() => json(200, { success: true, token: 't', user: USER }));
    await auth.signIn({ username: 'ana', password: 'x' });
    expect(session.useSession.getState().error).toBeNull();
    expect(stored.get('license_manager_refresh_token')).toBeUndefined();
  });

  test('uses Login failed when the answer has no message (SEED-8.1-11)', async () => {
    network(() => json(500));
    const { auth } = await load();
    await expect(auth.signIn({ username: 'ana', password: 'x' })).rejects.toThrow('Login failed');
  });
});

test('a stored session is restored only together with its token', async () => {
  stored.set('license_manager_token', 't');
  stored.set('license_manager_user', JSON.stringify(USER));
  const first = await load();
  expect(first.session.useSession.getState()).toMatchObject({
    token: 't',
    user: USER,
    isAuthenticated: true,
  });
  stored.delete('license_manager_token');
  vi.resetModules();
  const second = await load();
  expect(second.session.useSession.getState().isAuthenticated).toBe(false);
});

describe('request', () => {
  test('sends the token after the sign-in, and a body as JSON (SEED-7-02, SEED-6-06)', async () => {
    const calls = network(() => json(200, {}));
    const { session, http } = await load();
    await http.request('GET', '/x/');
    session.startSession({ token: 't', user: USER });
    await http.request('POST', '/x/', { body: { a: 1 } });
    await http.request('PATCH', '/x/');
    const headers = calls.map(({ init }) => new Headers(init.headers));
    expect(headers.map((all) => all.get('authorization'))).toEqual([null, 'Bearer t', 'Bearer t']);
    expect(headers.map((all) => all.get('content-type'))).toEqual([null, 'application/json', null]);
  });

  test('an empty answer gives undefined, and no error (D090)', async () => {
    network(() => new Response(null, { status: 204 }));
    const { http } = await load();
    await expect(http.request('DELETE', '/x/')).resolves.toBeUndefined();
  });

  test('an answer that breaks off is reported as a broken connection (SEED-8.1-06)', async () => {
    network(() => new Response('{"a":', { status: 200 }));
    const { http } = await load();
    await expect(http.request('GET', '/x/')).rejects.toThrow(
      'Network error: Error de conexión con el servidor',
    );
  });

  test('an aborted request throws as cancelled (SEED-8.1-05)', async () => {
    network(() => {
      throw new DOMException('aborted', 'AbortError');
    });
    const { http } = await load();
    await expect(http.request('GET', '/x/')).rejects.toThrow('Network error: La solicitud fue cancelada');
  });

  test('a 401 ends the session, and a late 401 for an older token does not (SEED-4-05)', async () => {
    const { session, http } = await load();
    session.startSession({ token: 'old', user: USER });
    network(async () => {
      session.startSession({ token: 'new', user: USER });
      return json(401);
    });
    await expect(http.request('GET', '/x/')).rejects.toThrow('Unauthorized');
    expect(session.useSession.getState().isAuthenticated).toBe(true);
    network(() => json(401));
    await expect(http.request('GET', '/x/')).rejects.toThrow('Unauthorized');
    expect(session.useSession.getState()).toMatchObject({ isAuthenticated: false, ended: 'expired' });
    expect(stored.get('license_manager_token')).toBeUndefined();
  });
});

describe('download', () => {
  test.each([
    ['SEED-8.1-08', 'Failed to export clients'],
    ['SEED-8.1-09', 'Failed to export licenses'],
    ['SEED-8.1-10', 'Failed to export software'],
  ])('%s: a failure shows %s, whatever the server answers and without an answer', async (_id, message) => {
    const { http } = await load();
    const options = { failure: message, fileName: 'x.csv' };
    network(() => json(500));
    await expect(http.download('/x/export/', options)).rejects.toThrow(message);
    network(() => {
      throw new TypeError('Failed to fetch');
    });
    await expect(http.download('/x/export/', options)).rejects.toThrow(message);
  });
});

describe('the permissions of the signed-in person (PEOPLE-02)', () => {
  const OPERATOR = {
    success: true,
    user: USER,
    role: 'operator',
    permissions: ['clients:read', 'clients:write'],
  };
  const VIEWER = { success: true, user: USER, role: 'viewer', permissions: ['clients:read'] };
  const pair = { success: true, token: 't', refresh_token: 'r', user: USER };
  const at = (paths: Record<string, () => Response>) => {
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
      calls.push(`${url} ${headers.Authorization ?? 'no token'}`);
      return paths[url]?.() ?? json(404, {});
    });
    return calls;
  };

  test('are loaded before the first screen of a session, and stored with it', async () => {
    const calls = at({
      '/api/auth/login/': () => json(200, pair),
      '/api/auth/user/': () => json(200, OPERATOR),
    });
    const { session, auth } = await load();
    const found: unknown[] = [];
    session.useSession.subscribe((now) => now.isAuthenticated && found.push(now.permissions));
    await auth.signIn({ username: 'ana', password: 'x' });
    expect(calls).toEqual(['/api/auth/login/ no token', '/api/auth/user/ Bearer t']);
    expect(found).toEqual([OPERATOR.permissions]);
    expect(JSON.parse(stored.get('auth-storage') ?? '').state).toMatchObject({
      role: 'operator',
      permissions: OPERATOR.permissions,
    });
    const { may } = await import('./permissions.ts');
    expect([may('clients:write'), may('licenses:write'), may(null)]).toEqual([true, false, true]);
  });

  test('are all permissions while they are not loaded, and the sign-in succeeds without them', async () => {
    at({ '/api/auth/login/': () => json(200, pair), '/api/auth/user/': () => json(503, {}) });
    const { session, auth } = await load();
    await auth.signIn({ username: 'ana', password: 'x' });
    expect(session.useSession.getState()).toMatchObject({ isAuthenticated: true, permissions: null });
    const { may } = await import('./permissions.ts');
    expect(may('users:manage')).toBe(true);
  });

  test('are loaded again after a call that the role does not allow', async () => {
    let answer: object = OPERATOR;
    at({
      '/api/auth/login/': () => json(200, pair),
      '/api/auth/user/': () => json(200, answer),
      '/licenses/api/clients/1/': () => json(403, { success: false, code: 'forbidden', message: 'No' }),
    });
    const { session, auth, own, http } = await load();
    http.whenRefused(() => void own.checkSession());
    await auth.signIn({ username: 'ana', password: 'x' });
    answer = VIEWER;
    await expect(http.request('DELETE', '/licenses/api/clients/1/')).rejects.toThrow('No');
    await expect.poll(() => session.useSession.getState().role).toBe('viewer');
    expect(session.useSession.getState().permissions).toEqual(['clients:read']);
  });
});
