/** The progress in whole percent. 100 only when everything is done; with nothing to do it is 100. */
export const percentOf = (done: number, total: number): number =>
  total === 0 ? 100 : Math.floor((100 * Math.min(done, total)) / total);

/** The percentage announced to screen readers. It changes only at each quarter, to limit the announcements. */
export const spokenPercent = (done: number, total: number): number =>
  Math.floor(percentOf(done, total) / 25) * 25;

const UNITS = ['B', 'KB', 'MB'] as const;

/** '812 B', '4.2 MB', in the form used by file managers. */
export function formatBytes(bytes: number, format: (value: number) => string): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${format(Math.round(value * 10) / 10)} ${UNITS[unit]}`;
}
