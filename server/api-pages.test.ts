import { expect, test } from 'vitest';
import { documentOf } from '../test/api/conformance.ts';
import { createTestApp } from '../test/app.ts';
import { makeApiPages } from './api-pages.ts';
import { buildApp } from './app.ts';
import type { ApiPages } from './context.ts';

/** The API's document and page of a server, which does not make them in its own thread (promises: Under load). */
async function openServer(make?: () => Promise<ApiPages>) {
  const t = await createTestApp();
  const { config } = t.context;
  let made = 0;
  const app = await buildApp({
    ...t.context,
    makeApiPages: () => {
      made += 1;
      return (make ?? (() => makeApiPages(config)))();
    },
  });
  await app.ready();
  // Work in this thread would hold every other caller.
  Object.assign(app, { swagger: () => expect.unreachable('the document was made in the server’s thread') });
  return {
    get: (url: string, headers = {}) => app.inject({ method: 'GET', url, headers }),
    made: () => made,
    document: documentOf(t.app, config),
  };
}

test('document and page are made once, in another thread, and are those of the routes', async () => {
  const { get, made, document } = await openServer();
  const [first, second, page] = await Promise.all([
    get('/api/openapi.json'),
    get('/api/openapi.json'),
    get('/api/docs/'),
  ]);
  expect([first.statusCode, second.statusCode, page.statusCode, made()]).toEqual([200, 200, 200, 1]);
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(first.json()).toEqual(document);
  expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body).toContain('License Manager');
});

test.for(['/api/openapi.json', '/api/docs/', '/api/docs/style.css'])(
  '%s has an ETag, and 304 for whoever has it (RFC 9110)',
  async (url) => {
    const { get } = await openServer(async () => ({
      document: Buffer.from('{"openapi":"3.1.0"}'),
      page: Buffer.from('<!doctype html>'),
    }));
    const { statusCode, headers, body } = await get(url);
    expect([statusCode, headers['cache-control'], body === '']).toEqual([200, 'no-cache', false]);
    const tag = String(headers.etag);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(url, { 'if-none-match': known });
      expect([known, again.statusCode, again.body, again.headers.etag]).toEqual([known, 304, '', tag]);
    }
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  },
);

test('a failure to make them is one answer: the next call tries again', async () => {
  let tries = 0;
  const { get } = await openServer(async () => {
    tries += 1;
    if (tries === 1) throw new Error('no memory for another thread');
    return { document: Buffer.from('{}'), page: Buffer.from('') };
  });
  expect((await get('/api/openapi.json')).statusCode).toBe(500);
  expect((await get('/api/openapi.json')).statusCode).toBe(200);
});
