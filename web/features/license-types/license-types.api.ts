import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { request } from '../../api/http.ts';
import { recordQuery, useRecordCall } from '../../components/record/record-calls.ts';
import { apiOf } from '../../record-kinds.ts';

export const licenseTypeQuery = (id: number) => recordQuery<LicenseType>('license_types', id);

/** Switches a type between active and inactive. The call has no body (SEED-4-16, D082). Returns the changed type. */
export const useToggleLicenseType = () =>
  useRecordCall('license_types', (id: number) =>
    request<LicenseType>('PATCH', `${apiOf('license_types', id)}toggle-status/`),
  );

/**
 * Undoes a switch between active and inactive. It sends the version of the switched type, so that a later change by
 * another person is not undone too (412).
 */
export const useRestoreLicenseType = () =>
  useRecordCall('license_types', ({ id, is_active, updated_at }: LicenseType) =>
    request<LicenseType>('PUT', apiOf('license_types', id), { body: { is_active: !is_active, updated_at } }),
  );
