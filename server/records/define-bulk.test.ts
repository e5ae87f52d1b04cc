import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { quiet } from '../../test/deliver-mail.ts';
import { asSystem } from '../../test/scope.ts';
import { notFound } from '../errors.ts';
import { defineBulk } from './define-bulk.ts';

const bulkThat = (fails: () => Error) =>
  defineBulk({
    name: 'clients',
    read: 'clients:read',
    list: {} as never,
    actions: { touch: {} },
    verbs: { touch: { permission: 'clients:write', writes: [], run: () => Promise.reject(fails()) } },
  });

test('a bulk call stops when the database cannot be reached, and continues after a record that fails (LIST-01)', async () => {
  const t = await createTestApp();
  const asked = { action: 'touch', fields: {} };
  const runEach = (fails: () => Error) =>
    asSystem(t, (scope) => bulkThat(fails).runEach(scope, [1, 2], asked, quiet));
  const lost = Object.assign(new Error('lost'), { code: 'ECONNREFUSED' });
  await expect(runEach(() => lost)).rejects.toBe(lost);
  expect((await runEach(() => notFound('Nadie'))).failed).toEqual([
    { id: 1, code: 'not_found', message: 'Nadie' },
    { id: 2, code: 'not_found', message: 'Nadie' },
  ]);
});
