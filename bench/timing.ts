import { request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { DATABASE_FILE } from '../server/db/open.ts';
import { connections, percentile } from '../test/faults/http.ts';
import { startServer } from '../test/start-server.ts';

// node bench/timing.ts [tries]: measures whether response times reveal who has an account. It makes 1,000 attempts of
// signing in and of 'password/forgot' for known, unknown and invited people, alternately on a real server, and prints
// the ratio of their medians. The spread shows the effect of chance alone: the ratios of random halves of one group.

const tries = Number(process.argv[2] ?? 1000);
/** Each person is used only once, because a second link within a minute is not sent. */
const PEOPLE = 2 * tries;
const KINDS = ['known', 'unknown', 'invited'] as const;
type Kind = (typeof KINDS)[number];

const server = await startServer({ TRUST_PROXY: '1', AUTH_ERRORS: 'generic' });
const agent = connections(1);

/** Adds users that have the administrator's password, and invited users. */
function addPeople(): void {
  const database = new Database(join(server.dataDir, DATABASE_FILE), { timeout: 10_000 });
  const insert = database.prepare(`insert into users
    (username, username_key, password_hash, names, last_name, email, is_active, role, created_at, updated_at)
    select @name, @name, case when @invited then '' else password_hash end, @name, '', @name || '@example.com', 1, 'viewer',
      created_at, created_at from users where id = 1`);
  for (let number = 0; number < PEOPLE; number += 1) {
    insert.run({ name: `known${number}`, invited: 0 });
    insert.run({ name: `invited${number}`, invited: 1 });
  }
  database.close();
}

let calls = 0;

/** Milliseconds from the last byte of the request to the end of the answer. Each call comes from another address. */
function timeOf(path: string, body: object): Promise<number> {
  calls += 1;
  const payload = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}/api/auth/${path}/`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        'x-forwarded-for': `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
      },
    });
    const start = performance.now();
    outgoing.once('response', (incoming) => {
      incoming.resume();
      incoming.once('end', () => resolve(performance.now() - start));
    });
    outgoing.once('error', reject);
    outgoing.end(payload);
  });
}

const median = (samples: readonly number[]) => percentile(samples, 0.5);

/** The range of the middle nine tenths of the ratios between the medians of random halves of a group. */
function spreadOf(samples: readonly number[]): [number, number] {
  const ratios = Array.from({ length: 400 }, () => {
    const shuffled = samples.map((value) => ({ value, at: Math.random() })).sort((a, b) => a.at - b.at);
    const values = shuffled.map(({ value }) => value);
    const half = Math.floor(values.length / 2);
    return median(values.slice(0, half)) / median(values.slice(half));
  });
  return [percentile(ratios, 0.05), percentile(ratios, 0.95)];
}

async function compare(
  what: string,
  kinds: readonly Kind[],
  tryOnce: (kind: Kind, number: number) => Promise<number>,
) {
  const samples: Record<Kind, number[]> = { known: [], unknown: [], invited: [] };
  for (let number = 0; number < tries; number += 1) {
    // The kinds take turns, and each kind follows every other kind equally often.
    for (let step = 0; step < kinds.length; step += 1) {
      const kind = kinds[(step + number) % kinds.length]!;
      samples[kind].push(await tryOnce(kind, number));
    }
  }
  const [low, high] = spreadOf(samples.unknown);
  for (const kind of kinds) {
    const ratio = median(samples[kind]) / median(samples.unknown);
    console.log(
      `${what}, ${kind}: median ${median(samples[kind]).toFixed(2)} ms, ratio to unknown ${ratio.toFixed(3)} ` +
        `(chance: ${low.toFixed(3)} to ${high.toFixed(3)}), ${tries} tries`,
    );
  }
}

try {
  addPeople();
  for (let number = 0; number < 20; number += 1) await timeOf('password/forgot', { email: 'calienta' });
  const who = (kind: Kind, number: number) => `${kind}${number % PEOPLE}`;
  await compare('forgot', KINDS, (kind, number) =>
    timeOf('password/forgot', { email: `${who(kind, number)}@example.com` }),
  );
  await compare('the call after forgot', KINDS, async (kind, number) => {
    await timeOf('password/forgot', { email: `${who(kind, number + tries)}@example.com` });
    return timeOf('password/forgot', { email: 'nadie' });
  });
  await compare('sign-in', KINDS, (kind, number) =>
    timeOf('login', { username: who(kind, number), password: 'no es esta' }),
  );
} finally {
  agent.destroy();
  await server.stop();
}
