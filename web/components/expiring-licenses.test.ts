import { expect, test } from 'vitest';
import { expiringSoon } from './expiring-licenses.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const license = (id: number, expiry_date: string | null) => ({
  id,
  license_key: `KEY-${id}`,
  client_name: 'Ana',
  expiry_date,
});

test('D022 names what ends within thirty days, the nearest first', () => {
  const found = expiringSoon(
    [
      license(1, '2026-12-20T12:00:00Z'),
      license(2, '2026-11-22T05:59:59Z'),
      license(3, '2026-12-22T12:00:00Z'),
      license(4, '2026-11-20T05:59:59Z'),
      license(5, null),
    ],
    NOW,
  );
  expect(found.map(({ id }) => id)).toEqual([2, 1]);
});
