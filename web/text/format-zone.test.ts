import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

const INSTANT = '2026-11-29T05:30:00.000Z';

/** The module anew, as in a browser whose clock is in a zone. */
async function inBrowserOf(zone: string) {
  vi.stubEnv('TZ', zone);
  vi.resetModules();
  const [format, days, title] = await Promise.all([
    import('./format.ts'),
    import('./event-days.ts'),
    import('../components/record/date-time.tsx'),
  ]);
  return { ...format, ...days, ...title };
}

test('moments are in the business zone, and the reader’s own time stands in the title where it differs (INPUT-17)', async () => {
  const there = await inBrowserOf('America/Argentina/Buenos_Aires');
  there.setBusinessTimeZone('America/Mexico_City');
  expect(there.formatDateTime(INSTANT)).toBe('28/11/2026, 23:30');
  expect(there.ownTimeTitle(INSTANT)).toBe('En tu hora: 29/11/2026, 02:30');
  expect(there.timeOfDay(new Date(INSTANT))).toBe('23:30');
  const [found] = there.byDay([{ at: INSTANT }], new Date('2026-11-29T18:00:00Z'));
  expect(found?.day).toBe('Ayer');

  const here = await inBrowserOf('America/Mexico_City');
  expect(here.ownTimeTitle(INSTANT)).toBeUndefined();
});
