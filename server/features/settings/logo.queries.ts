import type { LogoType } from '../../../contract/settings/logo.ts';
import type { Db } from '../../db/tables.ts';

/** The vendor's logo for mails, certificates and the portal. */
export type Logo = { media_type: LogoType; content: Buffer; updated_at: string };

/** Stands for 'no logo': empty, and without a version. */
export const NO_LOGO: Logo = { media_type: 'image/png', content: Buffer.alloc(0), updated_at: '' };

/** The vendor's logo; undefined if there is none (MAIL-03). */
export async function readLogo(db: Db): Promise<Logo | undefined> {
  const row = await db.selectFrom('vendor_logo').selectAll().executeTakeFirst();
  if (!row) return undefined;
  return {
    media_type: row.media_type,
    content: Buffer.from(row.content, 'base64'),
    updated_at: row.updated_at,
  };
}

/** When the logo was stored; null if there is none. */
export async function logoVersion(db: Db): Promise<string | null> {
  const row = await db.selectFrom('vendor_logo').select('updated_at').executeTakeFirst();
  return row?.updated_at ?? null;
}

export async function writeLogo(db: Db, { media_type, content, updated_at }: Logo): Promise<void> {
  const row = { media_type, content: content.toString('base64'), updated_at };
  await db
    .insertInto('vendor_logo')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export async function deleteLogo(db: Db): Promise<void> {
  await db.deleteFrom('vendor_logo').execute();
}
