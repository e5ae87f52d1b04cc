/** Texts of relative times (SEED-4-24, SEED-4-25, D074, D108). Pure functions; `now` is an argument. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;

interface Unit {
  /** The unit is used from this distance on. */
  from: number;
  length: number;
  /** The largest count of this unit: 360 days are 11 months, not 12 (D108). */
  most: number;
  one: string;
  many: string;
}

/** From the largest to the smallest unit; the first that applies is used. */
const UNITS: readonly Unit[] = [
  { from: YEAR, length: YEAR, most: Number.POSITIVE_INFINITY, one: '1 año', many: 'años' },
  { from: MONTH, length: MONTH, most: 11, one: '1 mes', many: 'meses' },
  { from: DAY, length: DAY, most: 29, one: '1 día', many: 'días' },
  { from: HOUR, length: HOUR, most: 23, one: '1 hora', many: 'horas' },
  { from: MINUTE, length: MINUTE, most: 59, one: '1 minuto', many: 'minutos' },
];

/** 'Hace 3 días', 'Hace un momento', 'En 364 días'. Counts are rounded down. */
export function relativeTime(instant: Date, now: Date): string {
  const distance = now.getTime() - instant.getTime();
  const words = distance >= 0 ? 'Hace' : 'En';
  const unit = UNITS.find(({ from }) => Math.abs(distance) >= from);
  if (unit === undefined) return `${words} un momento`;
  const count = Math.min(Math.floor(Math.abs(distance) / unit.length), unit.most);
  return count === 1 ? `${words} ${unit.one}` : `${words} ${count} ${unit.many}`;
}

/** 'Vence en 5 días', 'Venció hace 3 días': the text about the end of a licence. */
export function expiryLabel(end: Date, now: Date): string {
  const distance = relativeTime(end, now);
  const verb = end.getTime() < now.getTime() ? 'Venció' : 'Vence';
  return `${verb} ${distance.charAt(0).toLowerCase()}${distance.slice(1)}`;
}

/** For how many milliseconds the text stays correct; after that a visible text must be updated. */
export function relativeTimeLasts(instant: Date, now: Date): number {
  const age = Math.abs(now.getTime() - instant.getTime());
  if (age < HOUR) return MINUTE / 2;
  return age < DAY ? 10 * MINUTE : HOUR;
}
