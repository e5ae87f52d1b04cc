import { LOGO_MESSAGES, LOGO_SIDE_MAX, LOGO_SIDE_MIN } from '../../../contract/settings/logo.ts';
import type { SettingsAnswer } from '../../../contract/settings/settings.ts';
import { fault, invalid, notFound } from '../../errors.ts';
import { type Picture, readPicture } from '../../lib/picture.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { deleteLogo, NO_LOGO, writeLogo } from './logo.queries.ts';
import { readSettings } from './settings.queries.ts';
import { completeAnswer, logoRecord, ONLY } from './settings.record.ts';

/** A file as sent by the caller. */
type SentFile = { type: string; content: Buffer };

/**
 * Replaces the logo. Sending the same file again changes nothing.
 * @returns the settings, which contain when the logo was stored
 * @throws invalid (400) for a file that is not a complete PNG or JPEG of its declared type and an allowed size; stale
 * (412)
 */
export async function changeLogo(scope: Scope, { type, content }: SentFile): Promise<SettingsAnswer> {
  const { type: media_type } = checkedPicture({ type, content });
  await saveRecord(scope, logoRecord, ONLY, (_row, updated_at) =>
    writeLogo(scope.tx, { media_type, content, updated_at }),
  );
  return completeAnswer(scope.tx, scope, await readSettings(scope.tx));
}

/**
 * Removes the logo.
 * @throws notFound (404) if there is none; stale (412)
 */
export async function removeLogo(scope: Scope): Promise<void> {
  await saveRecord(scope, logoRecord, ONLY, (row) => {
    if (row.updated_at === NO_LOGO.updated_at) throw notFound(LOGO_MESSAGES.none);
    return deleteLogo(scope.tx);
  });
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
