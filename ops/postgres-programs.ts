import { type ChildProcess, spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { CopyError } from './copy-error.ts';
import { withLibpqEnvironment } from './libpq-environment.ts';

/** What pg_dump, pg_restore and psql do for a copy. */

/** What belongs to a whole database, and not to the schema of one program. */
const OF_THE_DATABASE = ['--no-publications', '--no-subscriptions'];

/**
 * Copies one schema: others in the database are of other programs, and the role may have no right to read them.
 * @throws CopyError if pg_dump is missing or fails
 */
export const dumpPostgres = (url: string, schema: string, file: string): Promise<void> =>
  withLibpqEnvironment(url, async (env) => {
    const options = ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`];
    // A pattern, in which quotes make every character stand for itself.
    const one = [`--schema=${pg.escapeIdentifier(schema)}`, ...OF_THE_DATABASE];
    const dump = spawn('pg_dump', [...options, ...one], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const outcome = await outcomeOf('pg_dump', dump);
    if (outcome.hasFailed) throw failureOf([outcome]);
  });

/** Where a dump is restored, and the statements that go first. */
export type PlaceForDump = { schema: string; statements: string[] };

/**
 * Restores one schema of a dump in one transaction, which begins with `statements`: after any failure the database is
 * as it was. The dump itself would also make the schema, extensions and publications, which may exist already.
 * pg_restore alone could not drop in its transaction what the dump does not contain, so psql runs what it writes.
 */
export const restorePostgres = (
  url: string,
  file: string,
  { schema, statements }: PlaceForDump,
): Promise<void> =>
  withLibpqEnvironment(url, async (env) => {
    const options = ['--no-owner', '--no-privileges', '--file=-', `--schema=${schema}`, ...OF_THE_DATABASE];
    const reader = spawn('pg_restore', [...options, file], { stdio: ['ignore', 'pipe', 'pipe'] });
    const writer = spawn('psql', ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--file=-'], {
      env,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    // After an error psql reads no further; its exit status says so.
    writer.stdin.on('error', () => {});
    const begin = ['begin', 'set local client_min_messages = warning', ...statements];
    writer.stdin.write(begin.map((statement) => `${statement};\n`).join(''));
    const read = outcomeOf('pg_restore', reader);
    const written = outcomeOf('psql', writer);
    const passed = pipeline(reader.stdout, forOlderServers, writer.stdin, { end: false }).then(
      () => true,
      () => false,
    );
    // Without a commit psql's connection ends in the open transaction, which is rolled back.
    void Promise.all([read, passed]).then(([{ hasFailed }, isWhole]) =>
      writer.stdin.end(isWhole && !hasFailed ? 'commit;\n' : ''),
    );
    const failures = (await Promise.all([written, read])).filter(({ hasFailed }) => hasFailed);
    if (failures.length > 0) throw failureOf(failures);
  });

/** The first lines of a dump are its settings; all of them are in this many bytes. */
const HEAD_BYTES = 4096;

/** pg_restore 17 sets `transaction_timeout`, which older servers do not know: it is set only where it exists. */
async function* forOlderServers(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  const settled = (bytes: Buffer) =>
    Buffer.from(
      bytes
        .toString('latin1')
        .replace(
          /^SET transaction_timeout = 0;$/m,
          "SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name = 'transaction_timeout';",
        ),
      'latin1',
    );
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES) continue;
    yield settled(head);
    head = null;
  }
  if (head !== null) yield settled(head);
}

type Failure = { program: string; error?: Error | undefined; stderr: string };

/** Waits until a program has ended. */
export function outcomeOf(program: string, child: ChildProcess): Promise<Failure & { hasFailed: boolean }> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(0, 8000);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ program, error, stderr, hasFailed: true }));
    child.once('close', (code) => resolve({ program, stderr, hasFailed: code !== 0 }));
  });
}

export function failureOf(failures: Failure[]): CopyError {
  const missing = failures.find(({ error }) => error && 'code' in error && error.code === 'ENOENT');
  if (missing) {
    return new CopyError(
      `Falta ${missing.program}. Instala el cliente de PostgreSQL de la misma versión que el servidor o una posterior ` +
        '(Debian, Ubuntu: apt-get install postgresql-client; macOS: brew install libpq).',
    );
  }
  const texts = failures.map(
    ({ program, error, stderr }) => `${program} falló:\n${error?.message ?? stderr}`,
  );
  return new CopyError(texts.join('\n'));
}
