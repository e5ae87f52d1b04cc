import { localHour } from '../../../contract/base/time.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';

/**
 * When a payment came in, by its typed day. Of an earlier day the hour is unknown, so noon is used. Without a day, and
 * for today, nothing is sent, and the server takes the present moment.
 */
export const paidAtOf = (day: string, today: string): { paid_at?: string } =>
  day === '' || day === today ? {} : { paid_at: localHour(day, 12, businessTimeZoneInUse()) };
