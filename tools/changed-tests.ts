import { dirname } from 'node:path';

/** The tests of a change: files for Vitest and for Playwright, as paths from the project's folder. */
export type NearTests = { vitest: string[]; e2e: string[] };

const isVitest = (file: string) => /\.test\.tsx?$/.test(file);
const isBrowserTest = (file: string) => file.endsWith('.e2e.ts');
/** 'web/features/licenses/x.tsx' → 'licenses'; '' outside of a feature. */
const featureOf = (file: string) => /^(?:server|web)\/features\/([^/]+)\//.exec(file)?.[1] ?? '';
/** 'licenses' → 'license', as in the names of browser tests. */
const singularOf = (name: string) => name.replace(/s$/, '');

/**
 * The tests that stand near a change: the changed tests, those beside a changed file, those of the same feature on the
 * server, and the browser tests that begin with the feature's name. It follows folders and not imports, because every
 * API test imports the whole application. It is a first look; the gate runs all.
 * @param changed the changed files, as paths from the project's folder
 * @param tests every test file of the project
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
