import { historyTexts } from './es-events.ts';
import { capitalized } from './format.ts';

/** The days and times of a history, both in the browser's time zone (D107), so that each time is under its day. */

const LOCALE = 'es-MX';
const DAY_MS = 24 * 60 * 60 * 1000;

const sameDay = (one: Date, other: Date) =>
  one.getFullYear() === other.getFullYear() &&
  one.getMonth() === other.getMonth() &&
  one.getDate() === other.getDate();

/** Noon of the day before. At noon, clock changes cannot move the result to another day. */
const dayBefore = (instant: Date) =>
  new Date(new Date(instant.getFullYear(), instant.getMonth(), instant.getDate(), 12).getTime() - DAY_MS);

/** 'Hoy', 'Ayer', or 'Sábado, 21 de noviembre de 2026'. */
function dayHeading(instant: Date, now: Date): string {
  if (sameDay(instant, now)) return historyTexts.today;
  if (sameDay(instant, dayBefore(now))) return historyTexts.yesterday;
  const text = new Intl.DateTimeFormat(LOCALE, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(instant);
  return capitalized(text);
}

/** '18:05'. */
export const timeOfDay = (instant: Date): string =>
  new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);

/** Events grouped by their day, in the given order. */
export function byDay<Happened extends { at: string }>(
  events: readonly Happened[],
  now: Date,
): { day: string; events: Happened[] }[] {
  const days: { day: string; events: Happened[] }[] = [];
  for (const event of events) {
    const day = dayHeading(new Date(event.at), now);
    const last = days.at(-1);
    if (last?.day === day) last.events.push(event);
    else days.push({ day, events: [event] });
  }
  return days;
}
