import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { allRows, normalizeList, onePage, pageLocally } from './list-page.ts';

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const page = (results: { id: number }[], facts: Record<string, unknown> = {}) => ({
  count: 12,
  total_pages: 3,
  current_page: 2,
  page_size: 5,
  next: null,
  previous: null,
  results,
  ...facts,
});

describe('normalizeList', () => {
  test('reads the paging fields as the server sends them (SEED-3-26)', () => {
    expect(normalizeList(page(rows(5)), { page: 2, pageSize: 5 })).toEqual({
      rows: rows(5),
      total: 12,
      totalPages: 3,
      page: 2,
      pageSize: 5,
    });
  });

  test('a search without an exact count has a next page as long as the server sends a link to it (D045)', () => {
    const open = {
      count: 1000,
      count_is_exact: false,
      total_pages: 200,
      next: '/licenses/api/clients/?page=3',
    };
    const read = (facts: Record<string, unknown>, results = rows(5)) =>
      normalizeList(page(results, { ...open, ...facts }), { page: 2, pageSize: 5 });
    expect(read({})).toMatchObject({ total: 1000, isMore: true, totalPages: 200, page: 2 });
    expect(read({ current_page: 200 })).toMatchObject({ isMore: true, totalPages: 201 });
    expect(read({ current_page: 250 })).toMatchObject({ isMore: true, totalPages: 251, page: 250 });
    expect(read({ current_page: 260, next: null }, rows(3))).toEqual({
      rows: rows(3),
      total: 1298,
      totalPages: 260,
      page: 260,
      pageSize: 5,
    });
    expect(read({ current_page: 300, next: null }, [])).toMatchObject({ isMore: true, totalPages: 200 });
    expect(read({ count_is_exact: true })).not.toHaveProperty('isMore');
  });

  test('reads a page in {success, data} (SEED-3-27, SEED-7-04)', () => {
    const wrapped = { success: true, data: page(rows(5)) };
    expect(normalizeList(wrapped, { page: 2, pageSize: 5 }).total).toBe(12);
  });

  test('pages a bare list in the browser (SEED-3-28)', () => {
    const second = normalizeList<{ id: number }>(rows(7), { page: 2, pageSize: 5 });
    expect(second).toEqual({ rows: [{ id: 6 }, { id: 7 }], total: 7, totalPages: 2, page: 2, pageSize: 5 });
  });

  test('pages a bare list in {success, data} in the browser too', () => {
    expect(normalizeList({ success: true, data: rows(7) }, { page: 1, pageSize: 5 }).totalPages).toBe(2);
  });

  test('results without a count are paged in the browser (D044)', () => {
    expect(normalizeList({ results: rows(6) }, { page: 2, pageSize: 5 }).rows).toEqual([{ id: 6 }]);
  });

  test('more rows than the page size are paged in the browser, whatever the count is (D045)', () => {
    const answer = page(rows(12), { current_page: 1 });
    expect(normalizeList(answer, { page: 3, pageSize: 5 })).toMatchObject({
      rows: [{ id: 11 }, { id: 12 }],
      page: 3,
      totalPages: 3,
    });
  });

  test('the number of pages is computed from the count when it is missing', () => {
    expect(normalizeList({ count: 11, results: rows(5) }, { page: 1, pageSize: 5 }).totalPages).toBe(3);
  });

  test('without a count the number of pages gives a minimum count', () => {
    const last = { total_pages: 3, current_page: 3, results: rows(2) };
    expect(normalizeList(last, { page: 3, pageSize: 5 }).total).toBe(12);
  });

  test.each([undefined, null, '', 0, {}, { results: null }])('reads %j as an empty list', (answer) => {
    expect(normalizeList(answer, { page: 1, pageSize: 5 })).toMatchObject({
      rows: [],
      total: 0,
      totalPages: 1,
    });
  });

  test('an empty page from the server is not replaced, so that the caller can open an earlier page', () => {
    const beyond = page([], { count: 5, total_pages: 1, current_page: 2 });
    expect(normalizeList(beyond, { page: 2, pageSize: 5 })).toMatchObject({
      rows: [],
      page: 2,
      totalPages: 1,
    });
  });
});

test('a list paged in the browser has every row on exactly one page', () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 20 }), (count, pageSize) => {
      const all = rows(count);
      const { totalPages } = pageLocally(all, { page: 1, pageSize });
      const found = Array.from(
        { length: totalPages },
        (_, index) => pageLocally(all, { page: index + 1, pageSize }).rows,
      ).flat();
      expect(found).toEqual(all);
    }),
  );
});

test('a page number beyond the end is read as the last page', () => {
  expect(pageLocally(rows(7), { page: 9, pageSize: 5 }).page).toBe(2);
});

test('allRows returns every row of each answer form', () => {
  expect(allRows(page(rows(12)))).toHaveLength(12);
  expect(allRows(rows(30))).toHaveLength(30);
});

test('a list that is not paged is read as one page (D054)', () => {
  expect(onePage(rows(7))).toEqual({ rows: rows(7), total: 7, totalPages: 1, page: 1, pageSize: 7 });
});
