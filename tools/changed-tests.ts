import { dirname } from 'node:path';

/** The tests near a change: files for Vitest and for Playwright, as paths from the project's folder. */
export type NearTests = { vitest: string[]; e2e: string[] };

const isVitest = (file: string) => /\.test\.tsx?$/.test(file);
const isBrowserTest = (file: string) => file.endsWith('.e2e.ts');
/** 'web/features/licenses/x.tsx' → 'licenses'; '' outside of a feature. */
const featureOf = (file: string) => /^(?:server|web)\/features\/([^/]+)\//.exec(file)?.[1] ?? '';
/** 'licenses' → 'license', the form in the file names of browser tests. */
const singularOf = (name: string) => name.replace(/s$/, '');

/**
 * The tests near a change: changed tests, those in the folder of a changed file, those of the same feature on the
 * server, and browser tests whose name begins with the feature's name. It uses folders and not imports, because every
 * API test imports the whole application. This is only a first check; the gate runs all API tests, and the night
 * all browser tests.
 * @param changed the changed files, as paths from the project's folder
 * @param tests all test files of the project
 */
export function testsNear(changed: string[], tests: string[]): NearTests {
  const files = new Set(changed);
  const folders = new Set(changed.map((file) => dirname(file)));
  const features = new Set(changed.map(featureOf).filter((name) => name !== ''));
  const startsWithFeature = (test: string) =>
    [...features].some(
      (name) => test.startsWith(`e2e/${name}`) || test.startsWith(`e2e/${singularOf(name)}-`),
    );
  const isNear = (test: string) =>
    files.has(test) ||
    (isBrowserTest(test)
      ? startsWithFeature(test)
      : folders.has(dirname(test)) || features.has(featureOf(test)));
  const near = tests.filter(isNear);
  return { vitest: near.filter(isVitest), e2e: near.filter(isBrowserTest) };
}
