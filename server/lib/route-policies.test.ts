import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { PUBLIC, STAFF } from '../context.ts';
import { handleError } from './error-handler.ts';
import { collectMethods, requireAccessPolicy } from './route-policies.ts';

test('a route that does not say who may call it stops the start (D009)', async () => {
  const app = Fastify();
  requireAccessPolicy(app);
  app.get('/api/abierta/', { config: PUBLIC }, () => ({}));

  expect(() => app.get('/api/callada/', () => ({}))).toThrow('GET /api/callada/ declares no access policy');
  expect(() => app.post('/api/otra/', { config: {} }, () => ({}))).toThrow(/access policy/);
  await expect(
    app.register(async (feature) => {
      feature.delete('/api/dentro/', () => ({}));
    }),
  ).rejects.toThrow(/access policy/);
});

test('every path answers 405 to the methods that it does not know, and names the others', async () => {
  const app = Fastify();
  app.setErrorHandler(handleError);
  const refuseOtherMethods = collectMethods(app, (url) => url.startsWith('/api/'));
  app.get('/api/cosas/', { config: STAFF }, () => ({}));
  app.post('/api/cosas/', { config: STAFF }, () => ({}));
  app.get('/fuera/', { config: PUBLIC }, () => ({}));
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
