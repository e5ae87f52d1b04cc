import type { License } from '../../../contract/licenses/licenses.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import type { Scope } from '../../scope.ts';
import { renewWaitingMails } from '../mail/resend-mail.ts';
import { createLicenseKey } from './issue-license.ts';
import { actOnLicense, type Verb } from './license-actions.ts';
import { licenseText, updateLicense } from './licenses.queries.ts';

/**
 * Replaces the key of a licence: the old key is invalid at once, and the seats stay (LIFE-04). Mails that still wait
 * get the new key.
 * @throws as {@link actOnLicense}
 */
function replaceKey(
  scope: Scope,
  id: number,
  { reason, notify }: ActionFields<'replace_key'>,
): Promise<License> {
  return actOnLicense(
    scope,
    id,
    'replace_key',
    { reason, notify },
    async ({ external_id, client_id }, version) => {
      const license_key = createLicenseKey();
      const search_text = licenseText({ license_key, external_id });
      await updateLicense(scope.tx, id, { license_key, search_text }, version);
      await renewWaitingMails(scope, id, client_id);
    },
  );
}

export const replaceKeyVerb: Verb<'replace_key'> = {
  summary: 'Cambiar la clave de una licencia',
  event: {
    when: 'The old key is unknown from now on',
    changes: '`license_key`',
  },
  run: replaceKey,
};
