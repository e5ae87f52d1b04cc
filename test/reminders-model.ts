/**
 * Computes reminders and expiry events in another way than the jobs: day by day, in a time zone that is always six
 * hours behind UTC. The tests compare both (LIFE-07, LIFE-08).
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OFFSET = 6 * HOUR;

/** The number of a local day. */
export const dayOf = (instant: number) => Math.floor((instant - OFFSET) / DAY);
/** 09:00 of a local day. */
const nineOf = (day: number) => day * DAY + OFFSET + 9 * HOUR;

export type ModelSettings = {
  reminders_enabled: boolean;
  reminder_days: number[];
  trial_reminder_days: number[];
};

export type ModelLicense = {
  id: number;
  client: number;
  status: string;
  isTrial: boolean;
  ends: number;
  /** The times of its sales, the latest last; each has a unique number. */
  terms: { term: number; sold: number }[];
};

export class ReminderModel {
  licenses: ModelLicense[] = [];
  unwilling = new Set<number>();
  settings: ModelSettings = {
    reminders_enabled: true,
    reminder_days: [30, 7, 1, -1],
    trial_reminder_days: [3, 0],
  };
  settingsSince = 0;
  /** `before`: the settings on the last finished day. `readSettings`: the settings that the job has read, and when. */
  private before = this.settings;
  private readSettings = { settings: this.settings, since: 0 };
  private lastDay: number | null = null;
  private readonly sent = new Set<string>();
  private readonly mailed = new Set<string>();
  private readonly over = new Set<string>();

  /** Called at each run: the reminders that the job may send to each client now. */
  dueAt(now: number): Map<number, { license: ModelLicense; key: string }[]> {
    const today = dayOf(now);
    if (this.lastDay === null) {
      this.lastDay = now >= nineOf(today) ? today : today - 1;
      this.before = this.settings;
      this.readSettings = { settings: this.settings, since: this.settingsSince };
      return new Map();
    }
    if (JSON.stringify(this.settings) !== JSON.stringify(this.readSettings.settings)) {
      this.readSettings = { settings: this.settings, since: this.settingsSince };
    }
    const due = new Map<number, { license: ModelLicense; key: string }[]>();
    if (now < nineOf(today) || this.lastDay >= today) return due;
    for (const license of this.licenses) {
      const mark = this.latestMark(license, this.lastDay, today);
      if (mark === null || !['active', 'trial'].includes(license.status)) continue;
      const isOver = license.ends < now;
      if (isOver !== mark < 0) continue;
      const key = `${license.id} ${license.terms.at(-1)!.term} ${mark}`;
      if (this.sent.has(key) || this.unwilling.has(license.client)) continue;
      if (this.mailed.has(`${license.client} ${today}`)) continue;
      due.set(license.client, [...(due.get(license.client) ?? []), { license, key }]);
    }
    return due;
  }

  private latestMark(license: ModelLicense, after: number, today: number): number | null {
    let latest: number | null = null;
    for (let day = after + 1; day <= today; day += 1) {
      for (const mark of this.marksOf(this.readSettings.settings, license)) {
        if (dayOf(license.ends) - mark !== day) continue;
        const isKnown = this.marksOf(this.before, license).includes(mark);
        if (nineOf(day) <= license.terms.at(-1)!.sold) continue;
        if (isKnown || nineOf(day) > this.readSettings.since) latest = mark;
      }
    }
    return latest;
  }

  private marksOf(settings: ModelSettings, { isTrial }: ModelLicense): number[] {
    if (!settings.reminders_enabled) return [];
    return isTrial ? settings.trial_reminder_days : settings.reminder_days;
  }

  /** Called when a client got its mail of the day. */
  remind(client: number, now: number, keys: string[]): void {
    for (const key of keys) this.sent.add(key);
    this.mailed.add(`${client} ${dayOf(now)}`);
  }

  /** Called when the job has finished a day. */
  finishDay(now: number): void {
    const today = dayOf(now);
    if (now < nineOf(today) || this.lastDay === null || this.lastDay >= today) return;
    this.lastDay = today;
    this.before = this.readSettings.settings;
  }

  /** The licences whose expiry event must be written now. */
  overAt(now: number): ModelLicense[] {
    return this.licenses.filter(
      ({ id, ends, status }) =>
        ['active', 'trial'].includes(status) && ends < now && !this.over.has(`${id} ${ends}`),
    );
  }

  recordEnd({ id, ends }: ModelLicense): void {
    this.over.add(`${id} ${ends}`);
  }
}
