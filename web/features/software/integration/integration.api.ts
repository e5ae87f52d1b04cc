import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { validationResult } from '../../../../contract/licenses/license-verdict.ts';
import type { License } from '../../../../contract/licenses/licenses.ts';
import type { Integration } from '../../../../contract/programs/integration.ts';
import { request } from '../../../api/http.ts';
import { KEYS } from '../../../api/query-keys.ts';
import { useSecretCall } from '../../../components/record/record-calls.ts';
import { apiOf } from '../../../record-kinds.ts';
import { type Reading, readFreshToken } from './read-token.ts';

/** The data that programs of this software contain. */
export const integrationQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.software, 'integration', id],
    queryFn: ({ signal }) => request<Integration>('GET', `${apiOf('software', id)}integration/`, { signal }),
    staleTime: 0,
  });

/** Issues the trial key of the developer kit. The lists that show it are refetched. */
export const useIssueTrial = (id: number) =>
  useSecretCall('licenses', () => request<License>('POST', `${apiOf('software', id)}trial_license/`));

const NONCE_BYTES = 16;

/** A new random text for each call. */
function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

export type CheckedKey = {
  answer: z.output<typeof validationResult>;
  /** The token as a program would read it; null if the browser cannot verify it. */
  reading: Reading | null;
};

/**
 * Validates a key like a program at its start. It does not take a seat.
 * @throws {ApiError}
 */
export async function checkKey(
  { software, keys }: Integration,
  asked: { license_key: string; machine_id: string },
): Promise<CheckedKey> {
  const nonce = newNonce();
  const answer = await request<CheckedKey['answer']>('POST', '/licenses/api/license/validate/', {
    body: { ...asked, software, nonce, require_seat: true },
  });
  const reading = window.isSecureContext
    ? await readFreshToken(answer.token ?? '', {
        keys: keys.map(({ public_jwk }) => public_jwk),
        software,
        machineId: asked.machine_id,
        licenseKey: asked.license_key,
        call: 'validate',
        nonce,
      })
    : null;
  return { answer, reading };
}
