import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { readOrdering } from './orderings.ts';
import { offsetOf, readPageRequest, toPage } from './paging.ts';

const exactly = (count: number, next: string | null = null) => ({ count, isExact: true as const, next });

describe('a page request', () => {
  test('may have page, page_size, both or neither (D045)', () => {
    expect(readPageRequest({})).toEqual({ page: 1, pageSize: 1000, paged: false });
    expect(readPageRequest({ page: '3' })).toEqual({ page: 3, pageSize: 5, paged: true });
    expect(readPageRequest({ page_size: '20' })).toEqual({ page: 1, pageSize: 20, paged: true });
    expect(readPageRequest({ page: '2', page_size: '50' })).toEqual({ page: 2, pageSize: 50, paged: true });
  });

  test.each(['0', '-1', '01', '1.0', 'a', '1e2', '1234567890', ' 1', '٣'])(
    'is invalid with page %j',
    (page) => {
      expect(readPageRequest({ page })).toBeNull();
    },
  );

  test.each([
    ['0', 1],
    ['-7', 1],
    ['101', 100],
    ['999999999', 100],
    ['diez', 5],
    ['5.5', 5],
    ['9999999999', 100],
    [' 12 ', 12],
    ['0x10', 5],
  ])('reads the page_size %j as %d', (page_size, expected) => {
    expect(readPageRequest({ page_size })?.pageSize).toBe(expected);
  });
});

describe('a page', () => {
  test('has links that contain the other parameters', () => {
    const request = { page: 2, pageSize: 5, paged: true };
    const page = toPage(
      request,
      exactly(12, 'abc'),
      ['x'],
      '/licenses/api/clients/?search=a%20b&page=2&page_size=5&after=before',
    );
    expect(page).toEqual({
      count: 12,
      count_is_exact: true,
      total_pages: 3,
      current_page: 2,
      page_size: 5,
      next: '/licenses/api/clients/?search=a+b&page=3&page_size=5&after=abc',
      previous: '/licenses/api/clients/?search=a+b&page=1&page_size=5',
      results: ['x'],
    });
  });

  test('a page of an empty list is the only one, and a page beyond the end links to the last', () => {
    expect(toPage({ page: 1, pageSize: 5, paged: true }, exactly(0), [], '/a/')).toMatchObject({
      total_pages: 1,
      next: null,
      previous: null,
    });
    expect(toPage({ page: 9, pageSize: 5, paged: true }, exactly(12), [], '/a/').previous).toBe(
      '/a/?page=3&page_size=5',
    );
  });

  test('links to the rows after the first 1000 when no paging was asked for', () => {
    const request = readPageRequest({});
    const page = toPage(request!, exactly(1001, 'abc'), [], '/a/');
    const next = new URL(page.next!, 'http://localhost').searchParams;
    const following = readPageRequest({ page: next.get('page')!, page_size: next.get('page_size')! });
    expect(offsetOf(following!)).toBe(1000);
    expect(toPage(request!, exactly(1000), [], '/a/').next).toBeNull();
  });

  test('following the next links returns every row once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 12 }), (count, size) => {
        const rows = Array.from({ length: count }, (_, i) => i);
        const found: number[] = [];
        let url: string | null = `/a/?page=1&page_size=${size}`;
        while (url !== null) {
          const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
          const request = readPageRequest(query)!;
          const page: { results: number[]; next: string | null } = toPage(
            request,
            exactly(count, offsetOf(request) + request.pageSize < count ? 'abc' : null),
            rows.slice(offsetOf(request), offsetOf(request) + request.pageSize),
            url,
          );
          found.push(...page.results);
          url = page.next;
        }
        expect(found).toEqual(rows);
      }),
    );
  });
});

test('an ordering must be a known name with an optional minus, otherwise the default is used (D057)', () => {
  const read = (text: string | undefined) =>
    readOrdering(text, ['name', 'price'], { name: 'name', descending: true });
  expect(read('price')).toEqual({ name: 'price', descending: false });
  expect(read('-price')).toEqual({ name: 'price', descending: true });
  for (const text of [
    undefined,
    '',
    '-',
    '--price',
    'Price',
    'price desc',
    'price;drop table',
    '__proto__',
  ]) {
    expect(read(text)).toEqual({ name: 'name', descending: true });
  }
});
