import type { SettingsAnswer, SettingsUpdate, SettingsValues } from '../../../contract/system/settings.ts';
import { stale } from '../../errors.ts';
import { changesBetween, record } from '../../records/record-event.ts';
import { isExpected, nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { logoVersion } from './logo.queries.ts';
import { completeSettings, lockSettings, type StoredSettings, writeSettings } from './settings.queries.ts';

/** Changes that a stolen session or a key must not make (PEOPLE-05). */
const GUARDED: readonly (keyof SettingsValues)[] = [
  'require_mfa',
  'event_retention_days',
  'api_key_days_max',
];

/** The subject of each event of the settings: there is one set, without an id. */
export const SETTINGS_SUBJECT = { id: null, name: 'Configuración' };

/**
 * Changes the given settings and keeps the others (MAIL-03).
 * @param confirm asks for a password or a code of the last minutes where a change weakens what protects accounts or
 * takes away what tells of an attack; it refuses API keys
 * @throws stale (412) with the current settings; what `confirm` throws
 */
export async function changeSettings(
  scope: Scope,
  { updated_at: _read, ...values }: SettingsUpdate,
  confirm: () => void,
): Promise<SettingsAnswer> {
  const { tx, now } = scope;
  const stored = await lockSettings(tx);
  const logo_updated_at = await logoVersion(tx);
  const before = completeSettings(stored);
  if (!isExpected(scope, stored.updated_at)) throw stale({ ...before, logo_updated_at });

  const changes = changesBetween(pick(before, values), values);
  if (Object.keys(changes).length === 0) return { ...before, logo_updated_at };
  if (GUARDED.some((name) => name in changes)) confirm();
  const changed = { ...stored.changed, ...pick(values, changes) };
  const saved: StoredSettings = { changed, updated_at: nextVersion(stored.updated_at, now) };
  await writeSettings(tx, saved.changed, saved.updated_at);
  await record(scope, { type: 'settings.updated', subject: SETTINGS_SUBJECT, changes });
  return { ...completeSettings(saved), logo_updated_at };
}

/** The values whose names are keys of `names`. */
const pick = (values: Partial<SettingsValues>, names: object): Partial<SettingsValues> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(names, name)));
