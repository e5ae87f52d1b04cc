import type { NotNull } from 'kysely';
import type { Db } from '../db/tables.ts';

/** Webhooks that the server disabled and that nobody has enabled again; they are few. */
export const disabledWebhooks = (db: Db) =>
  db
    .selectFrom('webhooks')
    .where('disabled_at', 'is not', null)
    .select(['id', 'url', 'disabled_at as at'])
    .$narrowType<{ at: NotNull }>();
