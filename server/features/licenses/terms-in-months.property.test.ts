import { beforeAll, describe, expect, test } from 'vitest';
import { type License, licenseCreate, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { asSystem } from '../../../test/scope.ts';
import type { Scope } from '../../scope.ts';
import { changeLicense } from './change-license.ts';
import { extendLicense } from './extend-license.ts';
import { issueLicense } from './issue-license.ts';
import { previewRenewal, renewLicense } from './renew-license.ts';
import { undoRenewal } from './undo-renewal.ts';

/**
 * Random histories of terms in months and in days, in zones that change their clocks at midnight, against a calendar
 * that is written here and knows nothing of the program's (MONEY-10).
 */

// Santiago, Asunción, Havana and Beirut change at midnight; Kiritimati and Pago Pago lie at the ends of the day.
const ZONES = [
  'America/Mexico_City',
  'America/Santiago',
  'America/Asuncion',
  'America/Havana',
  'Asia/Beirut',
  'Africa/Cairo',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'UTC',
];

type Day = { y: number; m: number; d: number };

const isLeap = (y: number) => y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0);
const lengthOf = (y: number, m: number) =>
  m === 2 ? (isLeap(y) ? 29 : 28) : [4, 6, 9, 11].includes(m) ? 30 : 31;

/** The day so many months on that has the wanted date, or is the last of a shorter month. */
function monthsOn({ y, m }: Day, months: number, requested: number): Day {
  let [year, month] = [y, m];
  for (let count = 0; count < months; count += 1) {
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return { y: year, m: month, d: Math.min(requested, lengthOf(year, month)) };
}

function daysOn({ y, m, d }: Day, days: number): Day {
  let [year, month, date] = [y, m, d + days];
  while (date > lengthOf(year, month)) {
    date -= lengthOf(year, month);
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return { y: year, m: month, d: date };
}

const isBefore = (a: Day, b: Day) =>
  a.y - b.y < 0 || (a.y === b.y && (a.m < b.m || (a.m === b.m && a.d < b.d)));

/** The days from one day to a later one, counted one by one. */
function daysApart(from: Day, to: Day): number {
  let count = 0;
  for (let day = from; isBefore(day, to); day = daysOn(day, 1)) count += 1;
  return count;
}

const text = ({ y, m, d }: Day) =>
  `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;

/** What a clock in the zone shows at an instant: 'AAAA-MM-DD HH:MM:SS'. */
function shown(instant: string | number, timeZone: string): string {
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return form.format(new Date(instant)).replace('\u202f', ' ');
}

function today(now: number, timeZone: string): Day {
  const [y, m, d] = shown(now, timeZone).slice(0, 10).split('-').map(Number) as [number, number, number];
  return { y, m, d };
}

/**
 * What the licence should be. `row` is the day of the month of the terms in a row, null where none go on; `began` is
 * the first day of the present term, and `rowBefore` the row that went on with it.
 */
type Model = {
  end: Day;
  months: number | null;
  row: number | null;
  began: Day;
  rowBefore: number | null;
};

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');

const months = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(1, 1, 2, 3, 6, 12, 24, 36) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 120 }) },
);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('months' as const),
      months,
      from: fc.constantFrom(undefined, undefined, undefined, 'today' as const, 'expiry' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('same' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('days' as const), days: fc.integer({ min: 1, max: 400 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('extend' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('put' as const), months }) },
  // Before the end, and after it.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      part: fc.double({ min: 0, max: 1.6, noNaN: true }),
    }),
  },
);

/** First days that are the hard ones: 29 February, the 28th to the 31st, and any other. */
const firstDay = fc.oneof(
  fc.constantFrom(
    '2028-02-29',
    '2028-02-28',
    '2027-02-28',
    '2026-01-31',
    '2026-08-31',
    '2027-12-31',
    '2026-04-30',
  ),
  fc.integer({ min: 0, max: 1500 }).map((days) => new Date(START + days * DAY_MS).toISOString().slice(0, 10)),
);

type Asked = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Of<Kind extends Asked['do']> = Extract<Asked, { do: Kind }>;

let t: TestApp;
let client: number;
let software: number;
beforeAll(async () => {
  t = await createTestApp({ now: '2026-01-01T12:00:00.000Z', closeAfterTest: false });
  client = (await createClient(t)).id;
  software = (await createSoftware(t)).id;
  return t.close;
});

const issueIn = (scope: Scope, count: number): Promise<License> =>
  issueLicense(
    scope,
    licenseCreate.parse({ client, software, license_type: 'premium', price: 10, expiry_months: count }),
  );

/** A licence, and what it should be. */
class History {
  now: number;
  readonly timeZone: string;
  readonly issued: Day;
  license!: License;
  model!: Model;
  /** The states before the renewals that can still be undone. */
  undoable: Model[] = [];

  constructor(now: number, timeZone: string) {
    this.now = now;
    this.timeZone = timeZone;
    this.issued = today(now, timeZone);
  }

  at<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result> {
    const { now, timeZone } = this;
    return asSystem(t, (scope) => work({ ...scope, now: new Date(now), timeZone }));
  }

  get isOver(): boolean {
    return isBefore(this.model.end, today(this.now, this.timeZone));
  }

  async issue(count: number) {
    const { issued } = this;
    this.license = await this.at((scope) => issueIn(scope, count));
    const end = monthsOn(issued, count, issued.d);
    this.model = { end, months: count, row: issued.d, began: issued, rowBefore: null };
  }

  wait({ part }: Of<'wait'>) {
    const left = Math.max(40, daysApart(today(this.now, this.timeZone), this.model.end));
    this.now += Math.floor(left * part) * DAY_MS;
  }

  async undo() {
    const before = this.undoable.pop();
    if (!before) return;
    this.license = await this.at((scope) => undoRenewal(scope, this.license.id));
    this.model = before;
  }

  async extend({ days }: Of<'extend'>) {
    const from = this.isOver ? today(this.now, this.timeZone) : this.model.end;
    const fields = { days, reason: 'x', notify: false };
    const extended = await this.at((scope) => extendLicense(scope, this.license.id, fields)).catch(
      () => null,
    );
    // Once in a term.
    if (!extended) return;
    this.license = extended;
    this.model = { ...this.model, end: daysOn(from, days), row: null };
    this.undoable = [];
  }

  async put({ months: count }: Of<'put'>) {
    const change = licenseUpdate.parse({ expiry_months: count });
    this.license = await this.at((scope) => changeLicense(scope, this.license.id, change));
    const { months: before, began, rowBefore } = this.model;
    if (count === before) return;
    const row = rowBefore ?? began.d;
    this.model = { ...this.model, end: monthsOn(began, count, row), months: count, row };
    this.undoable = [];
  }

  async renew(asked: Of<'months'> | Of<'days'> | Of<'same'>) {
    const { model } = this;
    const from = asked.do === 'months' ? asked.from : undefined;
    const goesOn = from === undefined ? !this.isOver : from === 'expiry';
    const began = goesOn ? model.end : today(this.now, this.timeZone);
    const rowBefore = goesOn && model.months !== null ? model.row : null;
    const anchor = rowBefore ?? began.d;
    const sold = asked.do === 'days' ? null : asked.do === 'months' ? asked.months : model.months;
    // Without a length the last term is sold again; of one in days that is tested elsewhere.
    if (asked.do === 'same' && sold === null) return;
    const end = asked.do === 'days' ? daysOn(began, asked.days) : monthsOn(began, sold!, anchor);
    const input = {
      ...(asked.do === 'months' && { expiry_months: asked.months }),
      ...(asked.do === 'days' && { expiry_days: asked.days }),
      ...(from !== undefined && { from }),
    };
    const { id } = this.license;
    const preview = await this.at((scope) => previewRenewal(scope, id, { kind: 'renewal', ...input }));
    expect(shown(preview.ends, this.timeZone)).toBe(`${text(end)} 23:59:59`);
    const fields = VERBS.renew.body.parse({ ...input, notify: false });
    this.license = await this.at((scope) => renewLicense(scope, id, fields));
    this.undoable.push(model);
    this.model = { end, months: sold, row: sold === null ? null : anchor, began, rowBefore };
  }

  check() {
    const { license, model } = this;
    expect(shown(license.expiry_date!, this.timeZone)).toBe(`${text(model.end)} 23:59:59`);
    expect(license.expiry_months).toBe(model.months);
    expect(license.expiry_days).toBe(daysApart(this.issued, model.end));
  }

  async do(asked: Asked) {
    if (asked.do === 'wait') this.wait(asked);
    else if (asked.do === 'undo') await this.undo();
    else if (asked.do === 'extend') await this.extend(asked);
    else if (asked.do === 'put') await this.put(asked);
    else await this.renew(asked);
  }
}

describe('terms in months', () => {
  test('never drift from their day of the month, and give and lose no day', async () => {
    const histories = fc.record({
      timeZone: fc.constantFrom(...ZONES),
      first: firstDay,
      // No step lies in the second after the end of a day.
      hour: fc.integer({ min: 0, max: 22 }),
      months,
      steps: fc.array(step, { minLength: 1, maxLength: 14 }),
    });
    await fc.assert(
      fc.asyncProperty(histories, async ({ timeZone, first, hour, months: count, steps }) => {
        const history = new History(
          Date.parse(`${first}T${String(hour).padStart(2, '0')}:30:00.000Z`),
          timeZone,
        );
        await history.issue(count);
        history.check();
        for (const asked of steps) {
          await history.do(asked);
          history.check();
        }
      }),
      { numRuns: triesOf(150) },
    );
  });

  test('ten years of renewals of a month each end on the day that they began on, with the 31st and 29 February', async () => {
    for (const [timeZone, first] of [
      ['America/Santiago', '2026-08-31'],
      ['America/Havana', '2028-02-29'],
      ['Asia/Beirut', '2026-01-30'],
    ] as const) {
      const history = new History(Date.parse(`${first}T15:00:00.000Z`), timeZone);
      await history.issue(1);
      const { issued } = history;
      for (let count = 2; count <= 120; count += 1) {
        // Each in the last hour of the term before.
        history.now = Date.parse(history.license.expiry_date!) - 3_600_000;
        const fields = VERBS.renew.body.parse({ notify: false });
        history.license = await history.at((scope) => renewLicense(scope, history.license.id, fields));
        const expected = monthsOn(issued, count, issued.d);
        expect(shown(history.license.expiry_date!, timeZone)).toBe(`${text(expected)} 23:59:59`);
      }
      expect(history.license.expiry_date!.slice(0, 4)).toBe(String(issued.y + 10));
    }
  });
});
