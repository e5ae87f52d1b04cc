import { expect, test } from 'vitest';
import { loggedPath } from './log-path.ts';

test('a logged path has no query and no licence key (D001)', () => {
  expect(loggedPath('/licenses/api/clients/7/?search=ana')).toBe('/licenses/api/clients/7/');
  expect(loggedPath('/x/ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2/y/abcde-fghjk-lmnpq-rstuv-wxyz2?a')).toBe(
    '/x/***/y/***',
  );
  expect(loggedPath('/licenses/api/license-types/')).toBe('/licenses/api/license-types/');
});

test('a logged path has no token of a link (EVENT-04)', () => {
  expect(loggedPath('/licenses/api/unsubscribe/aB3-_x/')).toBe('/licenses/api/unsubscribe/***/');
  expect(loggedPath('/licenses/api/unsubscribe/aB3-_x')).toBe('/licenses/api/unsubscribe/***');
});
