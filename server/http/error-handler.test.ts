import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type RouteHandlerMethod } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { AppError, fault, invalid, rateLimited, stale } from '../errors.ts';
import { csvFile } from '../lib/csv.ts';
import { handleError, toAppError } from './error-handler.ts';
import { faultsIn } from './validation.ts';

test('an unexpected error is a 500 without details (D015)', async () => {
  const app = Fastify();
  app.setErrorHandler(handleError);
  app.get('/', () => {
    throw new Error('select * from users where password = secret');
  });

  const answer = await app.inject('/');

  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toEqual({ success: false, code: 'server_error', message: 'Error en el servidor' });
});

test.each<[string, RouteHandlerMethod]>([
  [
    'an error in the rows of a file',
    async (_request, reply) => {
      const batches = async function* () {
        yield [1, 2];
        await delay(20);
        throw new Error('the rest is missing');
      };
      return reply.send(
        Readable.from(csvFile([{ header: 'ID', type: 'count', value: (id) => id }], batches())),
      );
    },
  ],
  [
    'an error in a partly written answer',
    async (_request, reply) => {
      reply.raw.writeHead(200).write('half');
      throw new Error('the rest is missing');
    },
  ],
])('%s closes the connection (promises)', async (_what, handler) => {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler(handleError);
  app.get('/', handler);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });

  const answer = await fetch(address);

  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test.each([
  ['an unreachable database', { code: 'ECONNREFUSED' }],
  ['a database that shuts down', { code: '57P01' }],
  ['too many connections', { code: '53300' }],
  ['a full disk', { code: 'SQLITE_FULL' }],
  ['a pool that gave up', new Error('timeout exceeded when trying to connect')],
])('%s is a 503 with Retry-After', (_what, error) => {
  const { status, code, headers } = toAppError(error);
  expect([status, code]).toEqual([503, 'unavailable']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

test.each([null, undefined, 'text', 7, {}, new AggregateError([], 'x')])('a thrown %s is a 500', (thrown) => {
  expect(toAppError(thrown).status).toBe(500);
});

test('an error body has a code, and optional parts only when present', () => {
  expect(new AppError(404, 'license_not_found').toBody()).toEqual({
    success: false,
    code: 'license_not_found',
    message: 'Licencia no encontrada',
  });
  expect(invalid({ name: [fault('required', 'Falta'), fault('too_short', 'Corto')] }).toBody()).toEqual({
    success: false,
    code: 'invalid',
    message: 'Datos inválidos',
    errors: { name: ['Falta', 'Corto'] },
    error_codes: { name: ['required', 'too_short'] },
  });
  expect(stale({ id: 1 }).toBody()).toMatchObject({ code: 'stale', current: { id: 1 } });
  expect(rateLimited(0.2).headers).toEqual({ 'retry-after': '1' });
  expect(rateLimited(61.2).headers).toEqual({ 'retry-after': '62' });
});

test('issues are grouped by top-level field, each text once', () => {
  const schema = z.object({
    ids: z.array(z.number('número')),
    deep: z.object({ a: z.string('texto') }),
  });
  const input = { ids: ['a', 'b'], deep: { a: 1 } };
  expect(faultsIn(schema.safeParse(input).error!.issues, input)).toEqual({
    ids: [{ code: 'invalid', message: 'número' }],
    deep: [{ code: 'invalid', message: 'texto' }],
  });
  expect(Object.keys(faultsIn(schema.safeParse(7).error!.issues, 7))).toEqual(['body']);
});

test.each([
  ['a database that takes no changes', 'SQLITE_READONLY', false],
  ['a statement that took too long', '57014', true],
  ['an unexpected error', 'X', true],
])('the log line of %s has a stack only when it helps', async (_what, code, hasStack) => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const app = Fastify({ logger: { level: 'error', stream } });
  app.setErrorHandler(handleError);
  app.get('/', () => {
    throw Object.assign(new Error('no se pudo'), { code });
  });
  await app.inject('/');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('no se pudo');
  expect(lines[0]).toContain(code);
  expect(lines[0]!.includes('error-handler.test.ts')).toBe(hasStack);
});
