import { HEARTBEAT_WINDOW_MS } from './limits.ts';

/**
 * Pure rules about time. A day is text 'AAAA-MM-DD' in a business time zone; an instant is ISO 8601 in UTC.
 * `now` is always an argument, so that every rule can be tested at any moment.
 */

const DAY_MS = 24 * 60 * 60 * 1000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter is slow, so one is cached for each zone. A running server uses one zone. */
function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Clock changes happen only at full quarters of an hour, so the offset is constant within a quarter. */
const QUARTER_MS = 15 * 60 * 1000;
const DAYS_MAX = 100_000;
/** The offset of a zone in milliseconds, by zone and UTC day; null for days on which the clock changes. */
const offsets = new Map<string, Map<number, number | null>>();

/** The local time of the zone at an instant, as milliseconds of a UTC date with the same digits. */
export function wallClock(instant: number, timeZone: string): number {
  let ofZone = offsets.get(timeZone);
  if (!ofZone) {
    ofZone = new Map();
    offsets.set(timeZone, ofZone);
  }
  const day = Math.floor(instant / DAY_MS);
  let offset = ofZone.get(day);
  if (offset === undefined) {
    const atStart = readOffset(day * DAY_MS, timeZone);
    offset = atStart === readOffset((day + 1) * DAY_MS, timeZone) ? atStart : null;
    // The cache is emptied when it is full, so that it cannot grow without limit.
    if (ofZone.size >= DAYS_MAX) ofZone.clear();
    ofZone.set(day, offset);
  }
  return instant + (offset ?? readOffset(Math.floor(instant / QUARTER_MS) * QUARTER_MS, timeZone));
}

function readOffset(instant: number, timeZone: string): number {
  return readWallClock(instant, timeZone) - instant;
}

function readWallClock(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const part of formatterFor(timeZone).formatToParts(instant)) {
    if (part.type !== 'literal') parts[part.type] = Number(part.value);
  }
  return Date.UTC(parts.year!, parts.month! - 1, parts.day!, parts.hour!, parts.minute!, parts.second!);
}

/** The local day of an instant in a time zone, as 'AAAA-MM-DD'. */
export function localDay(instant: Date | string, timeZone: string): string {
  return new Date(wallClock(new Date(instant).getTime(), timeZone)).toISOString().slice(0, 10);
}

/**
 * The last second of a local day as an instant: a licence ends at the end of a day (D071). On a day when the clock
 * goes back at midnight, that second occurs twice, and the later one is returned.
 */
export function endOfLocalDay(day: string, timeZone: string): string {
  const moments = momentsOf(`${day}T23:59:59.000Z`, timeZone);
  return new Date(Math.max(...moments)).toISOString();
}

/** The first second of a local day as an instant. If summer time skips midnight, the first instant after the gap. */
export function startOfLocalDay(day: string, timeZone: string): string {
  const moments = momentsOf(`${day}T00:00:00.000Z`, timeZone);
  return new Date(Math.min(...moments)).toISOString();
}

/** The last instant whose year has four digits. Both database engines compare and store only such texts correctly. */
const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

/** The instant at which a local day has ended: the start of the next day, at most {@link LAST_INSTANT}. */
export function startOfNextLocalDay(day: string, timeZone: string): string {
  const after = Date.parse(`${day}T00:00:00.000Z`) + DAY_MS;
  if (after > Date.parse(LAST_INSTANT)) return LAST_INSTANT;
  return startOfLocalDay(addDays(day, 1), timeZone);
}

/**
 * The first instant of a local day at which the clock shows `hour`. If summer time skips that hour, the first instant
 * after the gap.
 */
export const localHour = (day: string, hour: number, timeZone: string): string =>
  localMoment(day, `${String(hour).padStart(2, '0')}:00`, timeZone);

/** Like {@link localHour}, for a time 'HH:MM'. */
export function localMoment(day: string, time: string, timeZone: string): string {
  const moments = momentsOf(`${day}T${time}:00.000Z`, timeZone);
  return new Date(Math.min(...moments)).toISOString();
}

/**
 * The instants at which the zone's clock shows a time. There are two if the clock goes back over that time. If the
 * clock skips the time, the result is the instant after the gap.
 */
function momentsOf(wallTime: string, timeZone: string): number[] {
  const target = Date.parse(wallTime);
  const offsetAt = (instant: number) => wallClock(instant, timeZone) - instant;
  // Clocks change at most once in two days, so these two are the offsets before and after a possible change.
  const before = target - offsetAt(target - DAY_MS);
  const after = target - offsetAt(target + DAY_MS);
  const shown = [before, after].filter((instant) => wallClock(instant, timeZone) === target);
  return shown.length > 0 ? shown : [before];
}

/** The day `count` days after (or before, when negative) a day. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** The number of days from one day to another; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** The end of a licence that is issued at `issuedDate` and valid for `days` days: the end of a local day (D071). */
export function endAfterDays(issuedDate: string, days: number, timeZone: string): string {
  return endOfLocalDay(addDays(localDay(issuedDate, timeZone), days), timeZone);
}

/** True if the expiry date is before now (SEED-4-11). A licence without an expiry date never expires. */
export function isExpired(expiryDate: string | null, now: Date): boolean {
  return expiryDate !== null && Date.parse(expiryDate) < now.getTime();
}

/** How many seconds the local time of a zone is ahead of UTC at an instant. */
export const utcOffset = (instant: Date, timeZone: string): number =>
  Math.round((wallClock(instant.getTime(), timeZone) - instant.getTime()) / 1000);

/** Local days from today to the expiry day, at least 0; null without an expiry date (D072). */
export function daysRemaining(expiryDate: string | null, now: Date, timeZone: string): number | null {
  if (expiryDate === null) return null;
  const dayOf = (instant: number) => Math.floor(wallClock(instant, timeZone) / DAY_MS);
  return Math.max(0, dayOf(Date.parse(expiryDate)) - dayOf(now.getTime()));
}

/**
 * The start of the local day after the next `days` days. A licence that ends from now until before this instant has at
 * most `days` {@link daysRemaining} (D136).
 */
export const afterDays = (now: Date, days: number, timeZone: string): string =>
  startOfLocalDay(addDays(localDay(now, timeZone), days + 1), timeZone);

/** The start of the local day that is `days` days before today. The counterpart of {@link afterDays} for the past. */
export const daysBefore = (now: Date, days: number, timeZone: string): string =>
  startOfLocalDay(addDays(localDay(now, timeZone), -days), timeZone);

/** Active when the last heartbeat was under 24 hours ago (SEED-4-12, D109). */
export function isInstallationActive(lastHeartbeat: string | null, now: Date): boolean {
  return lastHeartbeat !== null && now.getTime() - Date.parse(lastHeartbeat) < HEARTBEAT_WINDOW_MS;
}
