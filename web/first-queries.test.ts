import type { QueryKey } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { licenseQuery } from './components/license/licenses.api.ts';
import { clientQuery } from './components/record/catalogue-queries.ts';
import { clientsAt } from './features/clients/clients.api.ts';
import { softwareAt } from './features/software/software.api.ts';
import { firstQueriesAt } from './first-queries.ts';
import { SCREENS } from './screens.ts';

/** The query keys of the screen at an address. */
function asksAt(path: string, search: Record<string, string> = {}): QueryKey[] {
  const keys: QueryKey[] = [];
  firstQueriesAt(path)?.start((query) => keys.push(query.queryKey), search);
  return keys;
}

describe('the first queries of a screen', () => {
  test("a list requests the page and filters of its address, also at the address of a record's dialog", () => {
    const expected = [clientsAt({ q: 'ana', page: 2 }).queryKey];
    expect(asksAt('/clients', { q: 'ana', page: '2', status: 'no such' })).toEqual(expected);
    expect(asksAt('/software/7', { q: 'ana' })).toEqual([softwareAt({ q: 'ana' }).queryKey]);
  });

  test('the page of a client or a licence requests that record only (DESK-05)', () => {
    expect(asksAt('/clients/7', { q: 'ana' })).toEqual([clientQuery(7).queryKey]);
    expect(asksAt('/licenses/7')).toEqual([licenseQuery(7).queryKey]);
    expect(asksAt('/licenses/7/constancia')).toEqual(asksAt('/licenses'));
  });

  test('the dashboard requests the inbox, the tasks of today, its figures and the recent licences', () => {
    expect(asksAt('/dashboard')).toHaveLength(4);
  });

  test.each(['/reports', '/', '/login', '/clientsextra', '/nowhere'])(
    'at %s nothing is requested',
    (path) => {
      expect(asksAt(path)).toEqual([]);
    },
  );

  test.each(Object.values(SCREENS).map(({ path, permission }) => [path, permission]))(
    'at %s and below it the queries need the permission %s of the screen',
    (path, permission) => {
      expect(firstQueriesAt(path)?.permission ?? permission).toBe(permission);
      expect(firstQueriesAt(`${path}/7`)?.permission ?? permission).toBe(permission);
    },
  );
});
