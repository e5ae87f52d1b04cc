/**
 * Days and moments in workbooks: a number of days since an epoch, with the time of the day as its fraction. They have no
 * zone; a moment here is milliseconds of a UTC date with the digits that the cell shows.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
/** 1899-12-30: of the days from 1 March 1900 on, the day with the number 0. */
const EPOCH = Date.UTC(1899, 11, 30);
/** The number of 29 February 1900, a day that Excel has and the calendar does not; the days before it are one lower. */
const LEAP_BUG = 60;
/** In the system of old Macs the day 0 is 1 January 1904. */
const SINCE_1904 = 1462;
/** 31 December 9999, the last day of a workbook. */
const LAST = 2_958_465;

/** The number of a moment in the system of 1900, to the millisecond. */
export const toSerial = (moment: number): number => (moment - EPOCH) / DAY_MS;

/**
 * The moment of a number, rounded to the millisecond.
 * @returns null for a number that is no day of a workbook
 */
function fromSerial(serial: number, is1904: boolean): number | null {
  const days = is1904 ? serial + SINCE_1904 : serial < LEAP_BUG ? serial + 1 : serial;
  if (!(serial >= 0) || days >= LAST + 1) return null;
  return EPOCH + Math.round(days * DAY_MS);
}

/** The time of a moment as HH:MM:SS, with milliseconds where it has some. */
const timeOf = (iso: string) => iso.slice(11, iso.endsWith('.000Z') ? 19 : 23);

/**
 * What a cell with a day shows: AAAA-MM-DD, with the time where there is one.
 * @param serial the cell's number
 * @param shows what its format shows; a time alone is HH:MM:SS, a duration its hours
 * @returns null for a number that is no day of a workbook
 */
export function dayText(serial: number, shows: 'day' | 'time' | 'duration', is1904: boolean): string | null {
  const time = Math.round(Math.abs(serial) * DAY_MS);
  if (shows === 'duration') {
    const hours = Math.floor(time / 3_600_000);
    return `${serial < 0 ? '-' : ''}${hours}${new Date(time % 3_600_000).toISOString().slice(13, 19)}`;
  }
  if (shows === 'time' && serial >= 0 && time < DAY_MS) return timeOf(new Date(time).toISOString());
  const moment = fromSerial(serial, is1904);
  if (moment === null) return null;
  const iso = new Date(moment).toISOString();
  const day = iso.slice(0, 10);
  return moment % DAY_MS === 0 ? day : `${day} ${timeOf(iso)}`;
}
