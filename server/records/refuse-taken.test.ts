import { expect, test } from 'vitest';
import { createTestApp } from '../../test/app.ts';
import { fault } from '../errors.ts';
import { refuseTaken } from './refuse-taken.ts';

test('a taken value becomes an error at its field, and any other error is passed on unchanged', async () => {
  const { db } = await createTestApp();
  const proof = { id: 1, proof: 'x' };
  const taken = { name: [fault('taken', 'Ya existe')] };
  const insert = () => db.insertInto('secret_proof').values(proof).execute().catch(refuseTaken(taken));
  await expect(insert()).rejects.toMatchObject({ status: 400, faults: taken });
  await db.schema.dropTable('secret_proof').execute();
  await expect(insert()).rejects.toThrow('secret_proof');
});
