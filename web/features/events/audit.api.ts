import { queryOptions } from '@tanstack/react-query';
import type { Page } from '../../../contract/base/page.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { StaffUser } from '../../../contract/people/users.ts';
import type { EventPage, EventType } from '../../../contract/system/events.ts';
import type { QueryValues } from '../../api/answer.ts';
import { request } from '../../api/http.ts';
import { allRows } from '../../api/list-page.ts';
import { may } from '../../api/permissions.ts';
import { KEYS } from '../../api/query-keys.ts';
import { EVENTS_PATH } from '../../components/history/history.api.ts';
import { apiOf } from '../../record-kinds.ts';
import { EVENT_TYPE_LABELS } from '../../text/es-audit.ts';
import { fullName } from '../../text/format.ts';
import type { AuditSearch } from './audit-search.ts';

/** The event types in an address; unknown ones are omitted. */
export const typesIn = ({ type }: Pick<AuditSearch, 'type'>): EventType[] =>
  (type?.split(',') ?? []).filter((name): name is EventType => Object.hasOwn(EVENT_TYPE_LABELS, name));

/** The filters of an address by their API names. */
export const filtersOf = (search: AuditSearch): QueryValues => ({ ...search, type: typesIn(search) });

/** A user who can be an actor. */
interface Person {
  id: number;
  name: string;
}

/**
 * How many events are searched for people, and how many users are read in one call: the most that the server returns.
 */
const PEOPLE_FROM = 100;

/** All users, for people who may see the list of users. */
async function allPeople(signal: AbortSignal): Promise<Person[]> {
  const people: Person[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, page_size: PEOPLE_FROM };
    const found = await request<Page<StaffUser>>('GET', apiOf('users'), { query, signal });
    people.push(
      ...found.results.map(({ id, names, last_name, email }) => ({
        id,
        name: fullName(names, last_name) || email,
      })),
    );
    if (found.next === null) return byName(people);
  }
}

const byName = (people: Person[]) => people.sort((one, other) => one.name.localeCompare(other.name, 'es'));

/**
 * The choices of the filter by user, sorted by name: all users, or those who signed in or were registered recently.
 */
export const peopleQuery = queryOptions({
  queryKey: [KEYS.events, 'people'],
  queryFn: async ({ signal }) => {
    if (may('users:manage')) return allPeople(signal);
    const { results } = await request<EventPage>('GET', EVENTS_PATH, {
      query: { type: ['user.signed_in', 'user.registered'], limit: PEOPLE_FROM },
      signal,
    });
    const people = new Map<number, Person>();
    for (const { subject } of results) {
      if (subject.id !== null && !people.has(subject.id))
        people.set(subject.id, { id: subject.id, name: subject.name });
    }
    return byName([...people.values()]);
  },
});

/** The fields of a licence that the filter shows. */
export type PickedLicense = Pick<LicenseRow, 'id' | 'license_key' | 'client_name'>;

const MOST_FOUND = 10;

/** Licences that match a text, for the filter by licence. */
export const licensesFoundQuery = (search: string) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'found', search],
    queryFn: async ({ signal }) =>
      allRows<PickedLicense>(
        await request<unknown>('GET', apiOf('licenses'), {
          query: { search, page: 1, page_size: MOST_FOUND },
          signal,
        }),
      ),
  });

/** The key of one licence, for a filter that only has its id. */
export const licenseNameQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'name', id],
    queryFn: ({ signal }) => request<PickedLicense>('GET', apiOf('licenses', id), { signal }),
    retry: false,
  });
