import { describe, expect, test } from 'vitest';
import { addressOf, hrefOf, readHref } from './addresses.ts';
import { matcher, type Route, readSearch } from './routes.ts';

const route = (path: string, search?: Route['search']): Route => ({
  path,
  components: [],
  search,
  notes: {},
});
const find = matcher([route('/clients'), route('/clients/$id'), route('/settings/plantillas/$kind')]);

describe('the route of a path', () => {
  test.each([
    ['/clients', '/clients', {}],
    ['/clients/', '/clients', {}],
    ['/clients/7', '/clients/$id', { id: '7' }],
    ['/settings/plantillas/a%20b', '/settings/plantillas/$kind', { kind: 'a b' }],
    ['/settings/plantillas/%E0%A4%A', '/settings/plantillas/$kind', { kind: '%E0%A4%A' }],
  ])('%s is %s', (path, expected, params) => {
    expect(find(path)).toMatchObject({ route: { path: expected }, params });
  });

  test.each(['/clients/abc', '/clients/0', '/clients/7/x', '/clientsx', '/Clients', ''])(
    'there is none for %j (D037)',
    (path) => {
      expect(find(path)).toBeUndefined();
    },
  );
});

test('a parameter that the route does not accept is dropped, one that it does not know stays', () => {
  const match = { route: route('/clients', () => ({ page: undefined, q: 'ana' })), params: {} };
  const address = readHref('/clients?page=x&q=%20ana&utm=1#contenido');
  expect(hrefOf({ path: address.path, search: readSearch(match, address) })).toBe('/clients?q=ana&utm=1');
});

describe('the address of a target', () => {
  const now = { path: '/clients/7', search: { q: 'ana', page: 2 } };

  test.each([
    [{ to: '/licenses' }, '/licenses'],
    [{ to: '/clients/$id', params: { id: '8' }, search: true }, '/clients/8?q=ana&page=2'],
    [{ to: '.', search: (old: object) => ({ ...old, page: undefined }) }, '/clients/7?q=ana'],
    [{ to: '/settings/plantillas/$kind', params: { kind: 'a/b' } }, '/settings/plantillas/a%2Fb'],
  ] as const)('%o is %s', (target, href) => {
    expect(hrefOf(addressOf(target, now))).toBe(href);
  });
});
