import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { graceUntil, licenseRefusal, shownState } from './license-state.ts';
import { LICENSE_STATUSES } from './licenses.fields.ts';

const ZONE = 'America/Mexico_City';
const NOW = new Date('2026-11-21T18:00:00.000Z');
const END_OF = (day: string) => `${day}T05:59:59.000Z`;

describe('the state that people read (D139)', () => {
  test.each([
    ['active', null, 0, 'active'],
    ['active', END_OF('2026-11-22'), 0, 'active'],
    ['active', END_OF('2026-11-21'), 0, 'over'],
    ['trial', END_OF('2026-11-21'), 0, 'over'],
    ['active', END_OF('2026-11-21'), 1, 'grace'],
    ['trial', END_OF('2026-11-19'), 3, 'grace'],
    ['active', END_OF('2026-11-19'), 2, 'over'],
    ['expired', END_OF('2027-01-01'), 0, 'expired'],
    ['expired', END_OF('2026-01-01'), 5, 'expired'],
    ['suspended', END_OF('2026-01-01'), 365, 'suspended'],
    ['cancelled', END_OF('2026-01-01'), 0, 'cancelled'],
    ['inactive', null, 0, 'inactive'],
  ] as const)(
    'a licence with status %s, end %s and %i days of grace is shown as %s',
    (status, expiry_date, grace_days, shown) => {
      expect(shownState({ status, expiry_date, grace_days }, NOW, ZONE)).toBe(shown);
    },
  );

  test('the shown state agrees with the answer of validation at any moment', () => {
    const usable = ['active', 'trial', 'grace'];
    fc.assert(
      fc.property(
        fc.constantFrom(...LICENSE_STATUSES),
        fc.option(fc.integer({ min: -400, max: 400 })),
        fc.integer({ min: 0, max: 365 }),
        (status, days, grace_days) => {
          const at = days === null ? null : new Date(NOW.getTime() + days * 86_400_000).toISOString();
          const state = { status, expiry_date: at, grace_days };
          const shown = shownState(state, NOW, ZONE);
          expect(usable.includes(shown)).toBe(licenseRefusal(state, NOW, ZONE) === null);
          expect(shown === 'grace').toBe(graceUntil(state, NOW, ZONE) !== null);
        },
      ),
    );
  });
});
