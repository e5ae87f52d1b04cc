import { expect, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { activate, createLicense } from '../../../test/factories.ts';

const seatsOf = async (testApp: Awaited<ReturnType<typeof createTestApp>>, licenseId: number) => {
  const rows = await testApp.db
    .selectFrom('installations')
    .select('id')
    .where('license_id', '=', licenseId)
    .execute();
  const counter = await testApp.db
    .selectFrom('licenses')
    .select('current_installations')
    .where('id', '=', licenseId)
    .executeTakeFirstOrThrow();
  return { rows: rows.length, counter: counter.current_installations };
};

const countStatuses = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, (answer) => answer.status)].map(([status, all]) => [status, all.length]),
  );

test('of 200 concurrent machines exactly 5 get one of 5 seats (D119, promises)', async () => {
  const testApp = await createTestApp();
  const license = await createLicense(testApp, { max_installations: 5 });

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => activate(testApp, license.license_key, `maquina-${index}`)),
  );

  expect(countStatuses(answers)).toEqual({ 201: 5, 409: 195 });
  expect(await seatsOf(testApp, license.id)).toEqual({ rows: 5, counter: 5 });
});

test('50 concurrent activations of one machine take one seat (promises)', async () => {
  const testApp = await createTestApp();
  const license = await createLicense(testApp, { max_installations: 5 });

  const answers = await Promise.all(
    Array.from({ length: 50 }, () => activate(testApp, license.license_key, 'la-misma')),
  );

  expect(countStatuses(answers)).toEqual({ 200: 49, 201: 1 });
  expect(await seatsOf(testApp, license.id)).toEqual({ rows: 1, counter: 1 });
});

test('the seat counter equals the rows after concurrent activations and removals (promises)', async () => {
  const testApp = await createTestApp();
  const license = await createLicense(testApp, { max_installations: 10 });
  const taken = await Promise.all(
    Array.from({ length: 10 }, (_, index) => activate(testApp, license.license_key, `primera-${index}`)),
  );

  await Promise.all([
    ...taken.map((answer) => testApp.call('DELETE', `/licenses/api/installations/${answer.body.id}/`)),
    ...Array.from({ length: 20 }, (_, index) => activate(testApp, license.license_key, `segunda-${index}`)),
  ]);

  const { rows, counter } = await seatsOf(testApp, license.id);
  expect(counter).toBe(rows);
  expect(rows).toBeLessThanOrEqual(10);
});
