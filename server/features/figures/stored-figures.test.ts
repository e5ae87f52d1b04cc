import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient } from '../../../test/factories.ts';
import { CALL_MS, duringCall } from '../../lib/call-time.ts';
import { type FigureKind, storedOrLive } from './stored-figures.ts';

/** Figures of tables with large stored counts. The first computation lasts until `end` or `fail` is called. */
async function slowFigures() {
  const t = await createTestApp();
  await createClient(t);
  await t.db.updateTable('row_counts').set({ n: 1_000_000 }).where('table_name', '=', 'clients').execute();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let made = 0;
  const kind: FigureKind<string> = {
    part: 'slow',
    measure: () => {
      made += 1;
      return made === 1 ? promise : Promise.resolve('later figures');
    },
  };
  return { t, kind, end: () => resolve('figures'), fail: () => reject(new Error('away')), times: () => made };
}

/** Requests the figures in a call whose time is over, so that the call waits only one second. */
const askedByCall = (t: TestApp, kind: FigureKind<string>) =>
  new Promise((resolve, reject) => {
    duringCall(CALL_MS, () => void storedOrLive(t.context, kind).then(resolve, reject));
  });

test('figures that take long are made once for all who ask, and a later call has them', async () => {
  const { t, kind, end, times } = await slowFigures();
  const pending = { status: 503, code: 'figures_pending', headers: { 'retry-after': '5' } };
  const calls = await Promise.allSettled([askedByCall(t, kind), askedByCall(t, kind)]);
  for (const call of calls) expect(call).toMatchObject({ status: 'rejected', reason: pending });
  await expect(askedByCall(t, kind)).rejects.toMatchObject(pending);
  end();
  expect(await storedOrLive(t.context, kind)).toMatchObject({ figures: 'figures' });
  expect(await askedByCall(t, kind)).toMatchObject({ figures: 'figures' });
  expect(times()).toBe(1);
});

test('figures that could not be made are made at the next call', async () => {
  const { t, kind, fail, times } = await slowFigures();
  await expect(askedByCall(t, kind)).rejects.toMatchObject({ code: 'figures_pending' });
  fail();
  expect(await storedOrLive(t.context, kind)).toMatchObject({ figures: 'later figures' });
  expect(times()).toBe(2);
});
