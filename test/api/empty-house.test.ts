import { beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';

/** An empty database: every list and export works. */

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

const LISTS = ['clients', 'software', 'license-types', 'licenses', 'installations'];

test.each(
  LISTS.flatMap((list) =>
    ['', 'page=1', 'page=3&page_size=5', 'search=a', 'search=caja+nueva', 'search=%25', 'is_active=true'].map(
      (query): [string, string] => [list, query],
    ),
  ),
)('on an empty database %s?%s returns one empty page (D053)', async (list, query) => {
  const { status, body } = await app.call('GET', `/licenses/api/${list}/?${query}`);
  expect([status, body.count, body.total_pages, body.results]).toEqual([200, 0, 1, []]);
});

test.each(
  ['clients', 'software', 'licenses'].flatMap((list) =>
    ['', 'search=caja'].map((query): [string, string] => [list, query]),
  ),
)('on an empty database %s/export/?%s is a file with headers only (D014)', async (list, query) => {
  const { status, text } = await app.call('GET', `/licenses/api/${list}/export/?${query}`);
  expect([status, text.trimEnd().split('\r\n').length]).toEqual([200, 1]);
  expect(text).toMatch(/^\uFEFFID,/);
});
