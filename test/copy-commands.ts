import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { DATABASE_FILE, openDatabase } from '../server/db/open.ts';
import type { Tables } from '../server/db/tables.ts';
import type { ServerEnv } from './start-server.ts';

const root = join(import.meta.dirname, '..');

const startIn = (folder: string, script: 'backup' | 'restore', env: ServerEnv, args: string[]) =>
  spawn(process.execPath, [`ops/${script}.ts`, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });

/** Starts `npm run backup` or `npm run restore` like an operator. */
export const startCopy = (script: 'backup' | 'restore', env: ServerEnv, ...args: string[]) =>
  startIn(root, script, env, args);

/** Runs one of them to its end. */
export const runCopy = (script: 'backup' | 'restore', env: ServerEnv, ...args: string[]) =>
  runCopyIn(root, script, env, ...args);

/** Like {@link runCopy}, with the program in another folder. */
export async function runCopyIn(
  folder: string,
  script: 'backup' | 'restore',
  env: ServerEnv,
  ...args: string[]
) {
  const child = startIn(folder, script, env, args);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, output };
}

function open(env: ServerEnv): Kysely<Tables> {
  const db =
    env.DATABASE_URL !== undefined
      ? openDatabase({ kind: 'postgres', url: env.DATABASE_URL, pool: 2 }, () => {})
      : openDatabase({ kind: 'sqlite', file: join(String(env.DATA_DIR), DATABASE_FILE) }, () => {});
  return db;
}

const TABLES = [
  'users',
  'clients',
  'software',
  'license_types',
  'licenses',
  'installations',
  'outbox',
] as const;

export type Row = Record<string, unknown> & { id: number };
export type Content = Record<string, Row[]>;

/** All rows of user data, in a form that is equal on both engines. */
export async function contentOf(env: ServerEnv): Promise<Content> {
  const db = open(env);
  try {
    const content: Content = {};
    for (const table of TABLES) {
      const rows: Row[] = await db.selectFrom(table).selectAll().orderBy('id').execute();
      // Only the ids of messages are compared, because mails are delivered during the copy.
      content[table] = table === 'outbox' ? rows.map(({ id, message_id }) => ({ id, message_id })) : rows;
    }
    return content;
  } finally {
    await db.destroy();
  }
}
