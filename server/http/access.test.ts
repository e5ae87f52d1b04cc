import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Principal, Session } from '../principal.ts';
import { anyone, can, mayCall, NOTHING, requirePolicy } from './access.ts';
import { corsFor } from './cors.ts';
import { handleError } from './error-handler.ts';
import { collectMethods } from './other-methods.ts';

test('the server does not start with a route without an access policy (D009)', async () => {
  const app = Fastify();
  requirePolicy(app);
  app.get('/api/abierta/', { config: anyone() }, () => ({}));

  expect(() => app.get('/api/callada/', () => ({}))).toThrow('GET /api/callada/ declares no access policy');
  expect(() => app.post('/api/otra/', { config: {} }, () => ({}))).toThrow(/access policy/);
  await expect(
    app.register(async (feature) => {
      feature.delete('/api/dentro/', () => ({}));
    }),
  ).rejects.toThrow(/access policy/);
});

test('the server does not start with a writing route without a list of events (EVENT-09)', () => {
  const app = Fastify();
  requirePolicy(app);
  app.post('/api/una/', { config: can('clients:write', { writes: ['client.created'] }) }, () => ({}));
  app.post('/api/otra/', { config: anyone({ writes: NOTHING }) }, () => ({}));
  app.get('/api/leida/', { config: can('clients:read') }, () => ({}));

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    expect(() =>
      app.route({ method, url: '/api/callada/', config: can('clients:write'), handler: () => ({}) }),
    ).toThrow(`${method} /api/callada/ declares neither its events nor that it writes none`);
  }
});

test('a route with a permission admits users and API keys, a route for sessions only users (PEOPLE-01)', () => {
  const session: Session = {
    sessionId: 1,
    userId: 7,
    username: 'ana',
    names: 'Ana',
    last_name: '',
    email: '',
    role: 'viewer',
    mfaEnabled: false,
    confirmedAt: null,
    mustSetUpMfa: false,
  };
  const user: Principal = {
    kind: 'user',
    id: 7,
    name: 'Ana',
    permissions: new Set(['clients:read']),
    session,
    portal: null,
  };
  const key: Principal = { ...user, kind: 'api_key', session: null };
  for (const principal of [user, key]) {
    expect(mayCall(principal, 'clients:read')).toBe(true);
    expect(mayCall(principal, 'clients:write')).toBe(false);
    expect(mayCall(principal, 'token')).toBe(true);
  }
  expect([mayCall(user, 'signed-in'), mayCall(key, 'signed-in')]).toEqual([true, false]);
});

test('every path answers 405 to other methods and lists the allowed ones', async () => {
  const app = Fastify();
  app.setErrorHandler(handleError);
  const { refuseOtherMethods } = collectMethods(app, (url) => url.startsWith('/api/'), corsFor([]));
  app.get('/api/cosas/', { config: can('clients:read') }, () => ({}));
  app.post('/api/cosas/', { config: can('clients:write', { writes: NOTHING }) }, () => ({}));
  app.get('/fuera/', { config: anyone() }, () => ({}));
  refuseOtherMethods();

  const answer = await app.inject({ method: 'DELETE', url: '/api/cosas/' });

  expect(answer.statusCode).toBe(405);
  expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
  expect(answer.json()).toEqual({
    success: false,
    code: 'method_not_allowed',
    message: 'Método no permitido',
  });
  expect((await app.inject({ method: 'GET', url: '/api/cosas/' })).statusCode).toBe(200);
  expect((await app.inject({ method: 'DELETE', url: '/fuera/' })).statusCode).toBe(404);
});
