import { describe, expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import {
  type Asked,
  graceUntil,
  licenseRefusal,
  REFUSALS,
  type Refusal,
  refusalOf,
  shownState,
  type Usable,
} from './license-state.ts';
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

describe('the guards of a call', () => {
  const fine = { status: 'active', expiry_date: null, grace_days: 0, updates_until: '2026-01-31' } as const;
  /** What is wrong for each reason: facts about the licence, and other facts. */
  const WRONG: Record<Refusal, { of?: Partial<Usable> | null } & Omit<Asked, 'license'>> = {
    not_found: { of: null },
    wrong_software: { isOther: true },
    inactive: { of: { status: 'inactive' } },
    suspended: { of: { status: 'suspended' } },
    cancelled: { of: { status: 'cancelled' } },
    expired: { of: { expiry_date: '2026-01-01T00:00:00.000Z' } },
    updates_ended: { released_on: '2026-02-01' },
    installation_limit: { seats: { taken: 3, max: 3 } },
    not_activated: { require_seat: true },
  };
  const refusalWith = (reasons: Refusal[]) => {
    const wrong = reasons.map((reason) => WRONG[reason]);
    const license = wrong.some(({ of }) => of === null)
      ? null
      : Object.assign({}, fine, ...wrong.map(({ of }) => of));
    return refusalOf({ ...Object.assign({}, ...wrong), license }, NOW, ZONE);
  };

  test('nothing wrong refuses nothing, and so does a call that asks nothing', () => {
    expect(refusalWith([])).toBeNull();
    expect(refusalOf({}, NOW, ZONE)).toBeNull();
  });

  test.each(REFUSALS)('%s comes before every reason after it', (reason) => {
    expect(refusalWith([reason])).toBe(reason);
    const states = ['inactive', 'suspended', 'cancelled'];
    for (const later of REFUSALS.slice(REFUSALS.indexOf(reason) + 1)) {
      // A licence has one status.
      if (states.includes(reason) && states.includes(later)) continue;
      expect([later, refusalWith([later, reason])]).toEqual([later, reason]);
    }
  });

  test('a machine that holds a seat is refused neither for full seats nor for none', () => {
    const full = { license: fine, seats: { taken: 3, max: 3 }, require_seat: true };
    expect(refusalOf({ ...full, hasSeat: true }, NOW, ZONE)).toBeNull();
    expect(refusalOf({ ...full, hasSeat: false }, NOW, ZONE)).toBe('installation_limit');
  });
});
