import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/open.ts';
import { apiDocument } from './http/openapi.ts';
import type { ApiDocument } from './http/openapi-document.ts';
import { createSecretBox } from './lib/secret-box.ts';
import { mailerOf } from './mailer.ts';

/**
 * The API's document, from an application that is built but answers no call: its database is never opened, and it
 * sends nothing.
 */
export async function buildApiDocument(config: Config): Promise<ApiDocument> {
  const db = openDatabase({ kind: 'sqlite', file: ':memory:' }, () => {});
  const app = await buildApp({
    config: { ...config, metrics: 'off', logLevel: 'silent' },
    db,
    forLongWork: db,
    readLately: (work) => work(db, null),
    mailer: mailerOf(config),
    now: () => new Date(),
    secrets: createSecretBox('no secret is read or written here'),
    publish: async () => {},
    lookUp: async () => [],
    nudgeJobs: () => {},
    isDraining: () => false,
  });
  await app.ready();
  const document = apiDocument(app);
  await app.close();
  await db.destroy();
  return document;
}
