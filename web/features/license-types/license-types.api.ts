import type { LicenseType } from '../../../contract/licenses/license-types.ts';
import { request } from '../../api/http.ts';
import { recordQuery, useRecordCall } from '../../components/record/record-calls.ts';
import { apiOf } from '../../record-kinds.ts';

export const licenseTypeQuery = (id: number) => recordQuery<LicenseType>('license_types', id);

/** Switches a type between active and inactive; the call has no body (SEED-4-16, D082). Returns the updated type. */
export const useToggleLicenseType = () =>
  useRecordCall('license_types', (id: number) =>
    request<LicenseType>('PATCH', `${apiOf('license_types', id)}toggle-status/`),
  );

/**
 * Takes a switch between active and inactive back. The version of the switched type goes with it, so that a change that
 * somebody made meanwhile is never undone with it (412).
 */
export const useRestoreLicenseType = () =>
  useRecordCall('license_types', ({ id, is_active, updated_at }: LicenseType) =>
    request<LicenseType>('PUT', apiOf('license_types', id), { body: { is_active: !is_active, updated_at } }),
  );
