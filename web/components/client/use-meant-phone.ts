import { useQuery } from '@tanstack/react-query';
import { clientQuery } from '../record/catalogue-queries.ts';
import { usePhones } from './use-phones.ts';

/** The client of a phone: the country, or the id by which it is asked for if it is needed. */
export type PhoneClient = { country: string } | { id: number };

/**
 * The number that was meant instead of one that does not exist: what a chat is offered with before it opens one with a
 * stranger or with nobody (INPUT-02).
 * @returns E.164; null if the phone is possible, or nothing can be meant by it
 */
export function useMeantPhone(phone: string, client: PhoneClient): string | null {
  const phones = usePhones(phone !== '');
  const isImpossible = phones !== null && phone !== '' && !phones.isPossiblePhone(phone);
  const id = 'id' in client ? client.id : 0;
  const { data } = useQuery({ ...clientQuery(id), enabled: isImpossible && id > 0 });
  const country = 'country' in client ? client.country : data?.country;
  return isImpossible && country !== undefined ? phones.phoneIn(phone, country) : null;
}
