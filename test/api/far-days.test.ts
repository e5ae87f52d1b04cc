import { expect, test } from 'vitest';
import { apiDocument } from '../../server/http/openapi.ts';
import { createTestApp } from '../app.ts';
import { createLicense } from '../factories.ts';

/** Days far from today, at limits of the calendar and of four-digit years. */
const DAYS = [
  '1900-01-01',
  '2000-02-29',
  '9998-02-28',
  '9998-12-31',
  '9999-01-31',
  '9999-12-01',
  '9999-12-31',
];
const READ_AS_DAYS = ['from', 'to', 'start_date', 'end_date', 'expiry_from', 'expiry_to'];
const READ_AS_SPANS = ['issued', 'sold', 'lost', 'trial_begun', 'trial_converted', 'trial_lost'];

for (const timeZone of ['America/Mexico_City', 'Pacific/Kiritimati']) {
  test(`every call accepts days in the far past and future, in ${timeZone}`, async () => {
    const t = await createTestApp({ env: { TIME_ZONE: timeZone } });
    await createLicense(t);
    const tried: string[] = [];
    const answers: string[] = [];
    for (const [path, { get }] of Object.entries(apiDocument(t.app).paths)) {
      const names = (get?.parameters ?? []).flatMap((parameter) =>
        'name' in parameter ? [parameter.name] : [],
      );
      const queries = [
        ...names
          .filter((name) => READ_AS_DAYS.includes(name))
          .flatMap((name) => DAYS.map((day) => `${name}=${day}`)),
        ...names
          .filter((name) => READ_AS_SPANS.includes(name))
          .flatMap((name) => DAYS.map((day) => `${name}=${day}..${day}`)),
        ...(names.includes('from') && names.includes('to') ? DAYS.map((day) => `from=${day}&to=${day}`) : []),
      ];
      for (const query of queries) {
        const { status, body } = await t.call('GET', `${path}?${query}`);
        tried.push(path);
        // Allowed errors: a period that is too long or ends before it begins, and a filter that refuses the last year,
        // in its field.
        const isRefused = status === 400 && Object.keys(body.errors).every((name) => names.includes(name));
        if (status !== 200 && !isRefused) answers.push(`${status} ${path}?${query}`);
      }
    }
    expect(answers).toEqual([]);
    expect(new Set(tried).size).toBeGreaterThan(20);
  });
}

test('a filter up to the last possible day finds licences that end before it', async () => {
  const t = await createTestApp();
  const { id } = await createLicense(t, { expiry_days: 30 });
  const { body } = await t.call('GET', '/licenses/api/licenses/?expiry_to=9999-12-31');
  expect(body.results.map((row: { id: number }) => row.id)).toEqual([id]);
});

test('a report of days after all data is empty, and one of the last possible day has its month', async () => {
  const t = await createTestApp();
  await createLicense(t);
  const { body } = await t.call('GET', '/licenses/api/reports/revenue/?from=9999-12-31');
  expect([body.from, body.to]).toEqual(['9999-12-31', '9999-12-31']);
  const { body: whole } = await t.call('GET', '/licenses/api/reports/revenue/?from=9999-02-01');
  expect([whole.from, whole.to]).toEqual(['9999-02-01', '9999-12-31']);
});
