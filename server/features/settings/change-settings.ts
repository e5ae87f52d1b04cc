import type { SettingsAnswer, SettingsUpdate, SettingsValues } from '../../../contract/settings/settings.ts';
import { changesBetween } from '../../records/record-event.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { completeSettings, writeSettings } from './settings.queries.ts';
import { ONLY, settingsRecord } from './settings.record.ts';

/** Settings that nobody may change with a stolen session or an API key (PEOPLE-05). */
const GUARDED: readonly (keyof SettingsValues)[] = [
  'require_mfa',
  'event_retention_days',
  'api_key_days_max',
];

/**
 * Changes the given settings and leaves the others unchanged (MAIL-03).
 * @param confirm requires a recently entered password or code. It is called if a change weakens the protection of
 * accounts or deletes the traces of an attack; it refuses API keys
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

/** Disabling the portal ends all its sessions; enabling it again does not restore them (PORTAL-03). */
async function endPortal({ tx }: Scope): Promise<void> {
  await tx.deleteFrom('portal_sessions').execute();
  await tx.deleteFrom('portal_asks').execute();
}

/** The sent values; portal features that are not in a PUT stay unchanged (LISTS-01). */
const complete = (
  { portal_features, ...others }: Omit<SettingsUpdate, 'updated_at'>,
  before: SettingsValues,
): Partial<SettingsValues> =>
  portal_features === undefined
    ? others
    : { ...others, portal_features: { ...before.portal_features, ...portal_features } };

/** The values whose names are also keys of `names`. */
const pick = (values: Partial<SettingsValues>, names: object): Partial<SettingsValues> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(names, name)));
