import type { QueryKey } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { clientsAt } from './features/clients/clients.api.ts';
import { SCREENS, screenAt } from './screens.ts';

/** The keys of the queries that the screen at an address asks for first. */
function asksAt(path: string, search: Record<string, string> = {}): QueryKey[] {
  const keys: QueryKey[] = [];
  screenAt(path)?.preload((query) => keys.push(query.queryKey), search);
  return keys;
}

describe('which screen an address shows', () => {
  test.each(Object.values(SCREENS).map((screen) => [screen.path, screen.title]))(
    '%s is %s, and so is what lies below it',
    (path, title) => {
      expect(screenAt(path)?.title).toBe(title);
      expect(screenAt(`${path}/7`)?.title).toBe(title);
    },
  );

  test.each(['/', '/login', '/clientsextra', '/nowhere'])('%s is none of them', (path) => {
    expect(screenAt(path)).toBeUndefined();
  });
});

describe('what a screen asks for first', () => {
  test('a list asks for the page and the filters that its address names, also under a record', () => {
    const expected = [clientsAt({ q: 'ana', page: 2 }).queryKey];
    expect(asksAt('/clients', { q: 'ana', page: '2', status: 'no such' })).toEqual(expected);
    expect(asksAt('/clients/7', { q: 'ana', page: '2' })).toEqual(expected);
  });

  test('the dashboard asks for its figures and for the recent licences', () => {
    expect(asksAt('/dashboard')).toHaveLength(2);
  });

  test('a screen without data asks for nothing', () => {
    expect(asksAt('/reports')).toEqual([]);
  });
});
