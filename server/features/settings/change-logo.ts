import { LOGO_MESSAGES, LOGO_SIDE_MAX, LOGO_SIDE_MIN, type LogoType } from '../../../contract/system/logo.ts';
import type { SettingsAnswer } from '../../../contract/system/settings.ts';
import { fault, invalid, notFound, stale } from '../../errors.ts';
import { type Picture, readPicture } from '../../lib/picture.ts';
import { record } from '../../records/record-event.ts';
import { isExpected, nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { SETTINGS_SUBJECT } from './change-settings.ts';
import { deleteLogo, type Logo, readLogo, writeLogo } from './logo.queries.ts';
import { lockSettings, readSettings } from './settings.queries.ts';

/** A file as a caller sends it. */
type SentFile = { type: string; content: Buffer };

/**
 * Replaces the logo. The same file again changes nothing.
 * @returns the settings, which say when the logo was stored
 * @throws invalid (400) for a file that is no whole PNG or JPEG of its type and of a usual size; stale (412)
 */
export async function changeLogo(scope: Scope, { type, content }: SentFile): Promise<SettingsAnswer> {
  const picture = checkedPicture({ type, content });
  const before = await holdLogo(scope);
  const isSame = before?.content.equals(content) ?? false;
  const updated_at = isSame
    ? before!.updated_at
    : before
      ? nextVersion(before.updated_at, scope.now)
      : scope.now.toISOString();
  if (!isSame) {
    await writeLogo(scope.tx, { media_type: picture.type, content, updated_at });
    await recordChange(scope, before, inWords(picture));
  }
  return { ...(await readSettings(scope.tx)), logo_updated_at: updated_at };
}

/**
 * Removes the logo.
 * @throws notFound (404) where there is none; stale (412)
 */
export async function removeLogo(scope: Scope): Promise<void> {
  const before = await holdLogo(scope);
  if (!before) throw notFound(LOGO_MESSAGES.none);
  await deleteLogo(scope.tx);
  await recordChange(scope, before, null);
}

/** The logo, locked until the transaction ends by the row of the settings: a logo may not have a row of its own. */
async function holdLogo(scope: Scope): Promise<Logo | undefined> {
  await lockSettings(scope.tx);
  const logo = await readLogo(scope.tx);
  if (!isExpected(scope, logo?.updated_at ?? '')) {
    throw stale({ logo_updated_at: logo?.updated_at ?? null });
  }
  return logo;
}

function checkedPicture({ type, content }: SentFile): Picture {
  const picture = readPicture(content);
  if (!picture) throw invalid({ logo: [fault('invalid', LOGO_MESSAGES.broken)] });
  if (picture.type !== type) throw invalid({ logo: [fault('invalid', LOGO_MESSAGES.otherType)] });
  const sides = [picture.width, picture.height];
  if (sides.some((side) => side < LOGO_SIDE_MIN || side > LOGO_SIDE_MAX)) {
    throw invalid({ logo: [fault('out_of_range', LOGO_MESSAGES.side)] });
  }
  return picture;
}

const TYPE_NAMES: Record<LogoType, string> = { 'image/png': 'PNG', 'image/jpeg': 'JPEG' };

/** A picture in an event: 'PNG de 320 × 80 px'. */
const inWords = ({ type, width, height }: Picture) => `${TYPE_NAMES[type]} de ${width} × ${height} px`;

async function recordChange(scope: Scope, before: Logo | undefined, after: string | null): Promise<void> {
  const known = before && readPicture(before.content);
  const changes = { logo: { before: known ? inWords(known) : null, after } };
  await record(scope, { type: 'settings.updated', subject: SETTINGS_SUBJECT, changes });
}
