import { expect, test } from 'vitest';
import { createTestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { watchStatements } from '../plans/statements.ts';

/** A sale without a payment asks the database no more than before a payment could be part of it (MONEY-05). */

/** As many as in version 0.2.0; PostgreSQL also begins and ends the transaction. */
const BEFORE = process.env.TEST_ENGINE === 'postgres' ? 16 : 14;

test('a sale without a payment needs no more statements than before, with and without a type', async () => {
  const watch = watchStatements();
  const t = await createTestApp();
  const { id: client } = await createClient(t);
  const { id: software } = await createSoftware(t);
  const { id: license_type_config } = await createLicenseType(t);
  for (const values of [{}, { license_type_config }]) {
    const counts: number[] = [];
    while (counts.length < 6) {
      const before = watch.timesOf('');
      watch.during('sale');
      await createLicense(t, { client, software, ...values });
      watch.during(null);
      counts.push(watch.timesOf('') - before);
    }
    // What is read once in a while, and a job that begins meanwhile, is not of the sale.
    const needed = Math.min(...counts);
    expect(needed).toBeGreaterThan(5);
    expect(needed).toBeLessThanOrEqual(BEFORE);
  }
});
