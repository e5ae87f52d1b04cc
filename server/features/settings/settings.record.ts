import type { LogoType } from '../../../contract/settings/logo.ts';
import type { Settings, SettingsAnswer } from '../../../contract/settings/settings.ts';
import type { Changes } from '../../../contract/system/events.ts';
import type { Db } from '../../db/tables.ts';
import { readPicture } from '../../lib/picture.ts';
import type { RecordKind } from '../../records/save-record.ts';
import { keptZone } from './business-zone.queries.ts';
import { type Logo, logoVersion, NO_LOGO, readLogo } from './logo.queries.ts';
import { lockSettings, readSettings, type StoredSettings } from './settings.queries.ts';

/** The key of the settings and of the logo; there is exactly one of each. */
export const ONLY = 1;

const about = () => ({ subject: { id: null, name: 'Configuración' } });

/** The settings with what is stored beside them. */
export const completeAnswer = async (
  db: Db,
  { timeZone }: { timeZone: string },
  settings: Settings,
): Promise<SettingsAnswer> => ({
  ...settings,
  logo_updated_at: await logoVersion(db),
  business_timezone: (await keptZone(db)) ?? timeZone,
});

export const settingsRecord: RecordKind<StoredSettings, Settings, SettingsAnswer> = {
  name: 'settings',
  table: 'settings',
  lock: async (tx) => [await lockSettings(tx)],
  find: ({ tx }) => readSettings(tx),
  complete: ({ tx, timeZone }, settings) => completeAnswer(tx, { timeZone }, settings),
  written: ({ updated_at: _version, ...values }) => values,
  about,
};

/** The logo is a part of the settings. Its row may not exist, so the row of the settings is locked. */
export const logoRecord: RecordKind<Logo, Logo, Pick<SettingsAnswer, 'logo_updated_at'>> = {
  name: 'settings',
  table: 'vendor_logo',
  lock: async (tx) => {
    await lockSettings(tx);
    return [(await readLogo(tx)) ?? NO_LOGO];
  },
  find: async ({ tx }) => (await readLogo(tx)) ?? NO_LOGO,
  complete: async (_scope, { updated_at }) => ({ logo_updated_at: updated_at || null }),
  written: (logo) => ({ logo: inWords(logo) }),
  // Compared by content: two different logos may have the same type and size, and so the same text from `inWords`.
  changes: (before, after): Changes =>
    before.content.equals(after.content) ? {} : { logo: { before: inWords(before), after: inWords(after) } },
  about,
};

const TYPE_NAMES: Record<LogoType, string> = { 'image/png': 'PNG', 'image/jpeg': 'JPEG' };

/** The text for a logo in an event: 'PNG de 320 × 80 px'; null for none. */
function inWords({ content }: Logo): string | null {
  const picture = readPicture(content);
  return picture ? `${TYPE_NAMES[picture.type]} de ${picture.width} × ${picture.height} px` : null;
}
