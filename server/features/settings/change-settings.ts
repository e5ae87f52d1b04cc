import type { SettingsAnswer, SettingsUpdate, SettingsValues } from '../../../contract/system/settings.ts';
import { changesBetween } from '../../records/record-event.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { completeSettings, writeSettings } from './settings.queries.ts';
import { ONLY, settingsRecord } from './settings.record.ts';

/** Changes that a stolen session or a key must not make (PEOPLE-05). */
const GUARDED: readonly (keyof SettingsValues)[] = [
  'require_mfa',
  'event_retention_days',
  'api_key_days_max',
];

/**
 * Changes the given settings and keeps the others (MAIL-03).
 * @param confirm asks for a password or a code of the last minutes where a change weakens what protects accounts or
 * takes away what tells of an attack; it refuses API keys
 * @throws stale (412) with the current settings; what `confirm` throws
 */
export function changeSettings(
  scope: Scope,
  { updated_at: _read, ...sent }: SettingsUpdate,
  confirm: () => void,
): Promise<SettingsAnswer> {
  return saveRecord(scope, settingsRecord, ONLY, async (stored, version) => {
    const before = completeSettings(stored);
    const values = complete(sent, before);
    const changes = changesBetween(pick(before, values), values);
    if (GUARDED.some((name) => name in changes)) confirm();
    if (changes.portal_enabled?.after === false) await endPortal(scope);
    return writeSettings(scope.tx, { ...stored.changed, ...pick(values, changes) }, version);
  });
}

/** A portal that is switched off ends every session; switching it on again brings none back (PORTAL-03). */
async function endPortal({ tx }: Scope): Promise<void> {
  await tx.deleteFrom('portal_sessions').execute();
  await tx.deleteFrom('portal_asks').execute();
}

/** The sent values; switches that a PUT does not name stay as they are (LISTS-01). */
const complete = (
  { portal_features, ...others }: Omit<SettingsUpdate, 'updated_at'>,
  before: SettingsValues,
): Partial<SettingsValues> =>
  portal_features === undefined
    ? others
    : { ...others, portal_features: { ...before.portal_features, ...portal_features } };

/** The values whose names are keys of `names`. */
const pick = (values: Partial<SettingsValues>, names: object): Partial<SettingsValues> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(names, name)));
