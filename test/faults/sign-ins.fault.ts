import { expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../contract/people/auth.ts';
import { pairKey } from '../../server/features/people/sign-in/sign-in-limits.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

const RIGHT = 100;
const WRONG = 200;
const OTHERS = 5;
/** One user's password is guessed while another user signs in. */
const GUESSED = { username: 'buscada', password: 'secreta1' };
const OTHER = { username: 'tercera', password: 'secreta1' };

test.for(ENGINES)(
  'of 100 right and 200 wrong concurrent sign-ins all right ones succeed, %s',
  async (engine, context) => {
    const env = { ...(await engineEnv(engine)), ...SHARED };
    const first = await startForTest(env);
    // On PostgreSQL two replicas share the counter.
    const servers = engine === 'postgres' ? [first, await startForTest(env)] : [first];
    const { token } = await signIn(first);
    for (const account of [GUESSED, OTHER]) {
      const body = { ...account, names: account.username, email: `${account.username}@example.com` };
      expect((await call(first, 'POST', '/api/auth/register/', { token, body })).status).toBe(201);
    }

    const statuses = async (tries: Promise<{ status: number }>[]) => {
      const answers = await Promise.all(tries);
      return Object.fromEntries(
        [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
      );
    };
    const tryAll = (count: number, body: { username: string; password: string }) =>
      statuses(
        Array.from({ length: count }, (_, index) =>
          call(servers[index % servers.length]!, 'POST', '/api/auth/login/', { body, timeoutMs: 120_000 }),
        ),
      );
    const start = performance.now();
    const timed = async (tries: Promise<Record<number, number>>) => {
      const counts = await tries;
      return { counts, seconds: ((performance.now() - start) / 1000).toFixed(1) };
    };
    const [right, wrong, others] = await Promise.all([
      timed(tryAll(RIGHT, DEMO_ACCOUNT)),
      timed(tryAll(WRONG, { ...GUESSED, password: 'equivocada' })),
      timed(tryAll(OTHERS, OTHER)),
    ]);
    record(context, {
      promise: '100 right and 200 wrong sign-ins at once: all right ones pass, ten wrong ones are checked',
      engine,
      tried: `${servers.length} process${servers.length > 1 ? 'es' : ''}; ${right.counts[200] ?? 0} right ones passed within ${right.seconds} s, ${wrong.counts[401] ?? 0} wrong ones were checked and ${wrong.counts[429] ?? 0} refused within ${wrong.seconds} s, ${OTHERS} of a third user passed within ${others.seconds} s`,
    });
    expect(right.counts).toEqual({ 200: RIGHT });
    expect(wrong.counts).toEqual({ 401: 10, 429: WRONG - 10 });
    expect(others.counts).toEqual({ 200: OTHERS });
    const guessed = pairKey(GUESSED.username, { ip: '127.0.0.1', requestId: null });
    const failures = await withDatabase(first, env, (db) =>
      db.selectFrom('throttles').select(['key', 'count', 'under_way']).where('key', '=', guessed).execute(),
    );
    expect(failures).toEqual([{ key: guessed, count: 10, under_way: 0 }]);
    // Afterwards, the correct password is refused only for the user whose password was guessed.
    expect(await tryAll(1, DEMO_ACCOUNT)).toEqual({ 200: 1 });
    expect(await tryAll(1, GUESSED)).toEqual({ 429: 1 });
  },
);
