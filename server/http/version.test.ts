import { expect, test } from 'vitest';
import { isExpected } from '../records/version.ts';
import { etagOf, expectedIn, expectedVersions } from './version.ts';

const STORED = '2026-05-01T12:00:00.000Z';

test.each<[boolean, { updatedAt?: string; ifMatch?: string }]>([
  [true, {}],
  [true, { updatedAt: STORED }],
  [true, { updatedAt: '2026-05-01T06:00:00-06:00' }],
  [false, { updatedAt: '2026-05-01T12:00:00.001Z' }],
  [false, { updatedAt: '' }],
  [false, { updatedAt: 'ayer' }],
  [true, { ifMatch: etagOf(STORED) }],
  [true, { ifMatch: `W/${etagOf(STORED)}` }],
  [true, { ifMatch: `"otro", ${etagOf(STORED)}` }],
  [true, { ifMatch: ' * ' }],
  [false, { ifMatch: '"otro"' }],
  [false, { ifMatch: STORED }],
  [false, { ifMatch: '' }],
  [false, { ifMatch: '*', updatedAt: '2020-01-01T00:00:00Z' }],
  [false, { ifMatch: '"otro"', updatedAt: STORED }],
  [true, { ifMatch: etagOf(STORED), updatedAt: STORED }],
])('isExpected is %s for a save with %j (D091)', (may, { ifMatch, updatedAt }) => {
  expect(isExpected({ expected: expectedVersions(ifMatch, updatedAt) }, STORED)).toBe(may);
});

test.each<[method: string, errors: object | undefined, body: unknown, expected: string[] | null]>([
  ['PUT', undefined, { updated_at: STORED }, [STORED]],
  ['PUT', undefined, Buffer.from(''), ['1']],
  ['DELETE', undefined, null, ['1']],
  ['POST', { 412: true }, {}, ['1']],
  ['POST', { 409: true }, { updated_at: STORED }, null],
  ['POST', undefined, {}, null],
])(
  'the expected versions of a %s with the errors %j and the body %j are read',
  (method, errors, body, expected) => {
    const headers = { 'if-match': `"1", "${STORED}"` };
    const config = errors === undefined ? {} : { errors };
    const found = expectedIn({ method, body, headers, routeOptions: { config } });
    expect(found).toEqual(expected?.[0] === '1' ? ['1', STORED] : expected);
  },
);
