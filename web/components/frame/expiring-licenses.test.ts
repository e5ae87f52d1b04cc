import { expect, test } from 'vitest';
import type { LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import { expiringSoon } from './expiring-licenses.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const license = (id: number, expiry_date: string | null, status: LicenseStatus = 'active') => ({
  id,
  license_key: `KEY-${id}`,
  client_name: 'Ana',
  status,
  expiry_date,
});

test('usable licences and trials that end within thirty days are listed, the nearest end first (D022)', () => {
  const found = expiringSoon(
    [
      license(1, '2026-12-20T12:00:00Z'),
      license(2, '2026-11-22T05:59:59Z'),
      license(3, '2026-12-22T12:00:00Z'),
      license(4, '2026-11-20T05:59:59Z'),
      license(5, null),
      license(6, '2026-12-01T05:59:59Z', 'trial'),
      license(7, '2026-12-01T05:59:59Z', 'suspended'),
      license(8, '2026-11-20T05:59:59Z', 'trial'),
    ],
    NOW,
  );
  expect(found.map(({ id }) => id)).toEqual([2, 6, 1]);
});
