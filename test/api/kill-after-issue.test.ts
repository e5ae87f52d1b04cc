import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DATABASE_FILE } from '../../server/db/open.ts';
import { POSTGRES_AT_NIGHT } from '../at-night.ts';
import { engineEnv, startForTest } from '../faults/engines.ts';
import { call, signIn } from '../faults/http.ts';
import { startSmtpPeer } from '../smtp-peer.ts';

/** The process is killed right after it confirmed a new licence (promises: nothing acknowledged is lost, Mail). */

const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

/** Moves the killed server's leases (half a minute) and the retry times (seconds) into the past. */
async function letTimePass(databaseUrl: string | undefined, dataDir: string): Promise<void> {
  const statement = 'update jobs set claimed_until = null, run_at = created_at';
  if (databaseUrl === undefined) {
    const database = new Database(join(dataDir, DATABASE_FILE));
    database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

test('after kill -9 right after the 201 of a licence, the licence is stored and its mail is delivered', {
  tags: [POSTGRES_AT_NIGHT],
  timeout: 180_000,
}, async () => {
  // Until the restart a mail server refuses the mail temporarily, so that it is not delivered before. It is another one:
  // one that changed its mind could still accept what the killed process sent.
  const [refusing, peer] = [await startSmtpPeer(), await startSmtpPeer()];
  onTestFinished(refusing.stop);
  onTestFinished(peer.stop);
  refusing.answers.message = () => ({ code: 451, text: 'más tarde' });
  const env = await engineEnv(engine);
  const server = await startForTest({ ...env, SMTP_URL: refusing.url, DEMO: '1' });
  let { token } = await signIn(server);
  const create = async (path: string, body: unknown) => {
    const answer = await call(server, 'POST', path, { token, body });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const client = await create('/licenses/api/clients/', {
    name: 'Ana',
    email: 'ana.despues@example.com',
    phone: '+525512345678',
  });
  const software = await create('/licenses/api/software/', { name: 'Resistente', version: '1.0' });
  const license = await create('/licenses/api/licenses/', {
    client: client.id,
    software: software.id,
    license_type: 'basic',
    price: 10,
  });
  await server.kill();

  await letTimePass(env.DATABASE_URL, server.dataDir);
  await server.restart({ SMTP_URL: peer.url });
  ({ token } = await signIn(server));
  const read = async () =>
    (await call(server, 'GET', `/licenses/api/licenses/${license.id}/`, { token })).body;
  expect(await read()).toMatchObject({ license_key: license.license_key, client_name: 'Ana' });

  await expect.poll(() => peer.accepted).toHaveLength(1);
  expect(peer.accepted[0]?.to).toEqual(['ana.despues@example.com']);
  expect(peer.accepted[0]?.email.text).toContain(license.license_key);
  await expect.poll(async () => (await read()).email_status).toBe('sent');
});
