/** An instant as a text for people, in a time zone: '26 de noviembre de 2026, 3:00 a.m.'. */
export const formatMoment = (at: Date | string, timeZone: string): string =>
  new Date(at).toLocaleString('es-MX', { timeZone, dateStyle: 'long', timeStyle: 'short' });
