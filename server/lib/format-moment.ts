/** An instant as people in a time zone say it: '26 de noviembre de 2026, 3:00 a.m.'. */
export const formatMoment = (at: Date | string, timeZone: string): string =>
  new Date(at).toLocaleString('es-MX', { timeZone, dateStyle: 'long', timeStyle: 'short' });
