import { describe, expect, it } from 'vitest';
import type { License, LicenseRow } from '../../../contract/licenses.ts';
import { PAGE_SIZES } from '../../../contract/limits.ts';
import { blockOf, pageOfBlock } from './license-list.ts';
import { BLOCK_ROWS } from './licenses.api.ts';
import { readLicense } from './read-license.ts';

/** Rows are told apart by their place alone. */
const block = (page: number, rows: number, total: number) => ({
  // Paging looks into no row, so a row may be less than a licence here.
  rows: Array.from({ length: rows }, (_, place) => ({ id: (page - 1) * BLOCK_ROWS + place }) as LicenseRow),
  total,
  totalPages: Math.ceil(total / BLOCK_ROWS),
  page,
  pageSize: BLOCK_ROWS,
});
const ids = (rows: readonly LicenseRow[]) => rows.map(({ id }) => id);

describe('pages out of blocks', () => {
  it('no page of any size lies across two blocks', () => {
    for (const size of PAGE_SIZES) expect(BLOCK_ROWS % size).toBe(0);
  });

  it('finds the block of a page', () => {
    expect(blockOf(1, 5)).toBe(1);
    expect(blockOf(20, 5)).toBe(1);
    expect(blockOf(21, 5)).toBe(2);
    expect(blockOf(3, 50)).toBe(2);
  });

  it('cuts the page out of its block', () => {
    const second = pageOfBlock(block(2, 30, 130), { page: 21, pageSize: 5 });
    expect(ids(second.rows)).toEqual([100, 101, 102, 103, 104]);
    expect(second).toMatchObject({ total: 130, totalPages: 26, page: 21 });
    expect(ids(pageOfBlock(block(2, 30, 130), { page: 26, pageSize: 5 }).rows)).toHaveLength(5);
  });

  it('D045 a search that is not counted to its end goes on into the next block', () => {
    const open = { ...block(10, 100, 1000), isMore: true, totalPages: 11 };
    expect(pageOfBlock(open, { page: 200, pageSize: 5 })).toMatchObject({
      total: 1000,
      isMore: true,
      totalPages: 220,
    });
    const last = pageOfBlock(block(11, 30, 1030), { page: 206, pageSize: 5 });
    expect(last).toMatchObject({ total: 1030, totalPages: 206 });
    expect(last).not.toHaveProperty('isMore');
  });

  it('a page beyond the end has no rows and says where the end is', () => {
    expect(pageOfBlock(block(1, 7, 7), { page: 3, pageSize: 5 })).toMatchObject({
      rows: [],
      totalPages: 2,
      page: 3,
    });
    expect(pageOfBlock(block(1, 7, 7), { page: 50, pageSize: 5 }).rows).toEqual([]);
  });
});

describe('a licence as a server may send it', () => {
  it('relations by id, with flat names beside them, and numbers as text', () => {
    const license = readLicense({
      client: 7,
      client_name: 'Ana',
      client_email: 'ana@example.com',
      software: 8,
      software_name: 'Caja',
      software_version: '2',
      price: '80.50',
      original_price: null,
      discount_percentage: '12.50',
      max_installations: 5,
      current_installations: 2,
      days_remaining: null,
      expiry_date: null,
      // What an older server leaves out is what this is about.
    } as unknown as License);
    expect(license).toMatchObject({
      client: { id: 7, name: 'Ana', email: 'ana@example.com', company: '' },
      software: { id: 8, name: 'Caja', version: '2' },
      price: 80.5,
      discount_percentage: 12.5,
      remaining_installations: 3,
      notes: '',
      email_status: null,
    });
  });

  it('relations nested, without the flat names', () => {
    const license = readLicense({
      client: { id: 7, name: 'Ana', email: 'ana@example.com', company: 'Espiga' },
      software: { id: 8, name: 'Caja', version: '2', description: 'Cobra' },
    } as unknown as License);
    expect(license).toMatchObject({
      client_name: 'Ana',
      client_email: 'ana@example.com',
      software_name: 'Caja',
      software_description: 'Cobra',
    });
  });
});
