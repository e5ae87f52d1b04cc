import { addDays, localDay } from '../../contract/base/time.ts';
import { historyTexts } from './es-events.ts';
import { businessTimeZoneInUse, capitalized } from './format.ts';

/** The days and times of a history, both in the business time zone (INPUT-17), so that each time is under its day. */

const LOCALE = 'es-MX';

/** 'Hoy', 'Ayer', or 'Sábado, 21 de noviembre de 2026'. */
function dayHeading(instant: Date, now: Date, timeZone: string): string {
  const [day, today] = [localDay(instant, timeZone), localDay(now, timeZone)];
  if (day === today) return historyTexts.today;
  if (day === addDays(today, -1)) return historyTexts.yesterday;
  const text = new Intl.DateTimeFormat(LOCALE, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(instant);
  return capitalized(text);
}

/** '18:05'. */
export const timeOfDay = (instant: Date): string =>
  new Intl.DateTimeFormat(LOCALE, {
    timeZone: businessTimeZoneInUse(),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(instant);

/** Events grouped by their day, in the given order. */
export function byDay<Happened extends { at: string }>(
  events: readonly Happened[],
  now: Date,
): { day: string; events: Happened[] }[] {
  const timeZone = businessTimeZoneInUse();
  const days: { day: string; events: Happened[] }[] = [];
  for (const event of events) {
    const day = dayHeading(new Date(event.at), now, timeZone);
    const last = days.at(-1);
    if (last?.day === day) last.events.push(event);
    else days.push({ day, events: [event] });
  }
  return days;
}
