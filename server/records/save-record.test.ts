import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { createClient, createLicense } from '../../test/factories.ts';

test('the event of a save is never earlier than the one before, also when the clock of the replica is late (EVENT-01)', async () => {
  const t = await createTestApp({ now: '2026-11-21T19:00:00.000Z' });
  const { id } = await createClient(t);
  const rename = (name: string) => t.call('PATCH', `/licenses/api/clients/${id}/`, { body: { name } });
  t.clock.set('2026-11-21T19:01:00.000Z');
  await rename('Antes');
  // A replica whose clock is 50 s behind.
  t.clock.set('2026-11-21T19:00:10.000Z');
  await rename('Después');
  const { body } = await t.call('GET', `/licenses/api/events/?client=${id}&type=client.updated`);
  expect(
    body.results.map(({ at, changes }: { at: string; changes: { name: { after: string } } }) => [
      changes.name.after,
      at,
    ]),
  ).toEqual([
    ['Después', '2026-11-21T19:01:00.000Z'],
    ['Antes', '2026-11-21T19:01:00.000Z'],
  ]);
});

const FEATURES = { modulo_nomina: true, usuarios: 25, edicion: 'pro' };
test('another value in a reordered object is a change, and its event has the whole field', async () => {
  const t = await createTestApp();
  const { id } = await createLicense(t, { features: FEATURES });
  const features = { edicion: 'pro', usuarios: 30, modulo_nomina: true };
  await t.call('PUT', `/licenses/api/licenses/${id}/`, { body: { features } });
  const { body } = await t.call('GET', `/licenses/api/events/?license=${id}&type=license.updated`);
  expect(body.results).toMatchObject([{ changes: { features: { before: FEATURES, after: features } } }]);
});
