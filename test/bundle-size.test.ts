import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readScreenPreloads } from '../server/http/screen-preloads.ts';

/**
 * What a browser loads for the first screen that somebody opens, as it lies in the built console; gzip, although brotli
 * is what browsers are sent. The gate builds the console before it runs this (docs/performance.md).
 */
const root = join(import.meta.dirname, '..', 'dist', 'web');
const KIB = 1024;

const sizeOf = (file: string) => gzipSync(readFileSync(join(root, file)), { level: 9 }).length;

/** The scripts and styles that index.html names, and those that the server tells of with it. */
function filesOf(screen: string): string[] {
  const html = readFileSync(join(root, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!);
  const link = readScreenPreloads(root)(screen) ?? '';
  const told = [...link.matchAll(/<\/([^>]+)>/g)].map(([, file]) => file!);
  return [...new Set([...named, ...told])];
}

describe.runIf(existsSync(join(root, 'index.html')))('the built console', () => {
  test.each([
    ['/login', 160],
    ['/dashboard', 200],
    ['/clients', 200],
    ['/licenses', 200],
    ['/license-types', 200],
    ['/software', 200],
    ['/reports', 200],
    ['/settings', 200],
  ])('the first load of %s is at most %i KiB of scripts and styles', (screen, budget) => {
    const files = filesOf(screen);
    const sizes = files.map((file) => [sizeOf(file), file] as const).sort(([a], [b]) => b - a);
    const list = sizes.map(([size, file]) => `${size} ${file}`).join('\n');
    expect(
      sizes.reduce((sum, [size]) => sum + size, 0),
      list,
    ).toBeLessThanOrEqual(budget * KIB);
    // Without the screen's own file among them, the sum would mean nothing.
    expect(list).toMatch(screen === '/login' ? /sign-in-page/ : new RegExp(`${screen.slice(1)}-page`));
    // A browser asks for six at a time: many small files would cost more than they weigh.
    expect(sizes.length, list).toBeLessThanOrEqual(16);
  });

  test('what runs first, and asks for the first screen’s data, is at most 26 KiB', () => {
    const first = filesOf('/clients').filter((file) => /\/start-/.test(file));
    expect(first).toHaveLength(1);
    expect(first.reduce((sum, file) => sum + sizeOf(file), 0)).toBeLessThanOrEqual(26 * KIB);
  });

  test('charts, dialogs and schemas are on no first load', () => {
    const first = ['/login', '/dashboard', '/clients', '/licenses', '/license-types', '/software'].flatMap(
      filesOf,
    );
    expect(first.filter((file) => /chart|dialog|form|schema/.test(file))).toEqual([]);
  });

  test('what is loaded lies there compressed, for browsers with brotli and without', () => {
    for (const file of filesOf('/clients')) {
      if (readFileSync(join(root, file)).length < KIB) continue;
      expect(existsSync(join(root, `${file}.br`)), file).toBe(true);
      expect(existsSync(join(root, `${file}.gz`)), file).toBe(true);
    }
  });
});
