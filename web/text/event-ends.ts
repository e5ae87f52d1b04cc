import type { Event } from '../../contract/system/events.ts';
import { formatDate } from './format.ts';

/** The new end of the licence in an event; null if it contains none. */
export const endOf = ({ changes }: Event): string | null => {
  const end = changes.expiry_date?.after;
  return typeof end === 'string' ? formatDate(end) : null;
};

/** ' hasta el 21/11/2027', if the event contains the new end. */
export function untilEnd(event: Event): string {
  const end = endOf(event);
  return end === null ? '' : ` hasta el ${end}`;
}
