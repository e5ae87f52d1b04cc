import { queryOptions } from '@tanstack/react-query';
import type { EventPage, EventType } from '../../../contract/events.ts';
import type { LicenseRow } from '../../../contract/licenses.ts';
import type { QueryValues } from '../../api/answer.ts';
import { request } from '../../api/http.ts';
import { allRows } from '../../api/list-page.ts';
import { KEYS } from '../../api/query-keys.ts';
import { EVENTS_PATH } from '../../components/history/history.api.ts';
import type { AuditSearch } from '../../paths.ts';
import { EVENT_TYPE_LABELS } from '../../text/es-audit.ts';

/** The types of events that an address names; unknown ones are left out. */
export const typesIn = ({ type }: Pick<AuditSearch, 'type'>): EventType[] =>
  (type?.split(',') ?? []).filter((name): name is EventType => Object.hasOwn(EVENT_TYPE_LABELS, name));

/** The filters of an address by their names on the wire. */
export const filtersOf = (search: AuditSearch): QueryValues => ({ ...search, type: typesIn(search) });

/** Someone who did something. */
export interface Person {
  id: number;
  name: string;
}

/** So many events are looked through for people; the server gives no more at once. */
const PEOPLE_FROM = 100;

/** The people who signed in or were registered lately, by name: the choices of the filter. */
export const peopleQuery = queryOptions({
  queryKey: [KEYS.events, 'people'],
  queryFn: async ({ signal }) => {
    const { results } = await request<EventPage>('GET', EVENTS_PATH, {
      query: { type: ['user.signed_in', 'user.registered'], limit: PEOPLE_FROM },
      signal,
    });
    const people = new Map<number, Person>();
    for (const { subject } of results) {
      if (subject.id !== null && !people.has(subject.id))
        people.set(subject.id, { id: subject.id, name: subject.name });
    }
    return [...people.values()].sort((one, other) => one.name.localeCompare(other.name, 'es'));
  },
});

/** A licence as the filter shows it. */
export type PickedLicense = Pick<LicenseRow, 'id' | 'license_key' | 'client_name'>;

const LICENSES_PATH = '/licenses/api/licenses/';
const MOST_FOUND = 10;

/** Licences that match a text, for the filter by licence. */
export const licensesFoundQuery = (search: string) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'found', search],
    queryFn: async ({ signal }) =>
      allRows<PickedLicense>(
        await request<unknown>('GET', LICENSES_PATH, {
          query: { search, page: 1, page_size: MOST_FOUND },
          signal,
        }),
      ),
  });

/** One licence's key, for a filter that has its id only. */
export const licenseNameQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'name', id],
    queryFn: ({ signal }) => request<PickedLicense>('GET', `${LICENSES_PATH}${id}/`, { signal }),
    retry: false,
  });
