import type { QueryKey } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { clientsAt } from './features/clients/clients.api.ts';
import { SCREENS, screenAt } from './screens.ts';

/** The keys of the first queries of the screen at an address. */
function asksAt(path: string, search: Record<string, string> = {}): QueryKey[] {
  const keys: QueryKey[] = [];
  screenAt(path)?.preload?.((query) => keys.push(query.queryKey), search);
  return keys;
}

describe('the screen of an address', () => {
  test.each(Object.values(SCREENS).map((screen) => [screen.path, screen.title]))(
    '%s and the addresses below it show %s',
    (path, title) => {
      expect(screenAt(path)?.title).toBe(title);
      expect(screenAt(`${path}/7`)?.title).toBe(title);
    },
  );

  test.each(['/', '/login', '/clientsextra', '/nowhere'])('%s shows no screen', (path) => {
    expect(screenAt(path)).toBeUndefined();
  });
});

describe('the first queries of a screen', () => {
  test("a list requests the page and filters of its address, also at a record's address", () => {
    const expected = [clientsAt({ q: 'ana', page: 2 }).queryKey];
    expect(asksAt('/clients', { q: 'ana', page: '2', status: 'no such' })).toEqual(expected);
    expect(asksAt('/clients/7', { q: 'ana', page: '2' })).toEqual(expected);
  });

  test('the dashboard requests what is to do today, its figures and the recent licences', () => {
    expect(asksAt('/dashboard')).toHaveLength(3);
  });

  test('a screen without data requests nothing', () => {
    expect(asksAt('/reports')).toEqual([]);
  });
});
