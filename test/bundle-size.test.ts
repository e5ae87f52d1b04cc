import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readScreenPreloads } from '../server/http/screen-preloads.ts';

/**
 * The gzip size of the files for the first screen in the built console; browsers get the smaller brotli files. The
 * gate builds the console before this test (docs/performance.md).
 */
const root = join(import.meta.dirname, '..', 'dist', 'web');
const KIB = 1024;

const sizeOf = (file: string) => gzipSync(readFileSync(join(root, file)), { level: 9 }).length;

/** The scripts and styles in a page. */
const namedBy = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file]) => file!,
  );

/** The scripts and styles of index.html, and the preloads that the server adds for a screen. */
function filesOf(screen: string): string[] {
  const named = namedBy('index.html');
  const link = readScreenPreloads(root)(screen) ?? '';
  const listed = [...link.matchAll(/<\/([^>]+)>/g)].map(([, file]) => file!);
  return [...new Set([...named, ...listed])];
}

describe.runIf(existsSync(join(root, 'index.html')))('the built console', () => {
  test.each([
    ['/login', 160],
    ['/dashboard', 185],
    ['/clients', 185],
    ['/licenses', 185],
    ['/license-types', 185],
    ['/software', 185],
    ['/reports', 185],
    ['/settings', 185],
  ])('the first load of %s is at most %i KiB of scripts and styles', (screen, budget) => {
    const files = filesOf(screen);
    const sizes = files.map((file) => [sizeOf(file), file] as const).sort(([a], [b]) => b - a);
    const list = sizes.map(([size, file]) => `${size} ${file}`).join('\n');
    expect(
      sizes.reduce((sum, [size]) => sum + size, 0),
      list,
    ).toBeLessThanOrEqual(budget * KIB);
    // The list must contain the screen's own file, otherwise the sum would be meaningless.
    expect(list).toMatch(screen === '/login' ? /sign-in-page/ : new RegExp(`${screen.slice(1)}-page`));
    // A browser loads six files at a time, so many small files cost more than their size.
    expect(sizes.length, list).toBeLessThanOrEqual(16);
  });

  test.each([
    ['portal', 'portal.html'],
    ['pagar', 'pagar.html'],
  ])(
    'the page /%s is at most 100 KiB, and contains no code of the console (PORTAL-02, PAY-02)',
    (own, page) => {
      const files = namedBy(page);
      // One separate script for each page, and one script and one style sheet that both share.
      expect(files.map((file) => file.replace(/-[\w-]{8}\.(js|css)$/, '.$1')).sort()).toEqual(
        [`assets/${own}.js`, 'assets/portal-shared.css', 'assets/portal-shared.js'].sort(),
      );
      expect(files.reduce((sum, file) => sum + sizeOf(file), sizeOf(page))).toBeLessThanOrEqual(100 * KIB);
      // Files that it loads later count too, and those that these load.
      const reached = new Set(files.filter((file) => file.endsWith('.js')));
      for (const file of reached) {
        const code = readFileSync(join(root, file), 'utf8');
        expect(code, file).not.toMatch(/license_manager_|\/api\/auth\/|Authorization|Bearer|createRouter/);
        for (const [, next] of code.matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g)) reached.add(`assets/${next}`);
      }
      expect(reached.size).toBeGreaterThanOrEqual(2);
      const ofConsole = new Set(filesOf('/licenses'));
      expect([...reached].filter((file) => ofConsole.has(file))).toEqual([]);
    },
  );

  test('the page that checks a certificate loads nothing of the console (LIFE-12)', () => {
    const named = namedBy('verificar.html').filter((file) => file.endsWith('.js'));
    const ofConsole = named.filter((file) =>
      /\/(?:start|main|common|screens|overlays|\w+-shared)-/.test(file),
    );
    expect([named.length > 0, ofConsole]).toEqual([true, []]);
  });

  test('the first script has at most 28 KiB', () => {
    const first = filesOf('/clients').filter((file) => /\/start-/.test(file));
    expect(first).toHaveLength(1);
    expect(first.reduce((sum, file) => sum + sizeOf(file), 0)).toBeLessThanOrEqual(28 * KIB);
  });

  test('the first load contains no dialogs or schemas', () => {
    const first = ['/login', '/dashboard', '/clients', '/licenses', '/license-types', '/software'].flatMap(
      filesOf,
    );
    expect(first.filter((file) => /dialog|form|schema/.test(file))).toEqual([]);
  });

  test('every file is available as brotli and gzip', () => {
    for (const file of filesOf('/clients')) {
      if (readFileSync(join(root, file)).length < KIB) continue;
      expect(existsSync(join(root, `${file}.br`)), file).toBe(true);
      expect(existsSync(join(root, `${file}.gz`)), file).toBe(true);
    }
  });
});
