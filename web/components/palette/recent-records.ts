import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { UNSPECIFIED } from '../../../contract/base/limits.ts';
import type { Client } from '../../../contract/clients/clients.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import type { Software } from '../../../contract/software/software.ts';
import { ApiError } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { readStored, writeStored } from '../../api/storage.ts';
import { ID_PATTERN } from '../../paths.ts';
import { type MainKind, RECORD_KINDS } from '../../record-kinds.ts';
import { choicesOf } from '../record/choices.ts';
import { recordQuery } from '../record/record-calls.ts';
import { RECENT_KEY } from './recent-key.ts';

/** The most recently opened records, stored in the browser for the palette. */

const KEPT = 6;

export interface RecentRecord {
  kind: MainKind;
  id: number;
  title: string;
  detail: string;
  /** True for a licence that could be renewed when it was opened. */
  renewable?: boolean;
}

/** The client's company; null if it is missing or equal to the client's name. */
export const namedCompany = ({ name, company }: Pick<Client, 'name' | 'company'>): string | null =>
  company === '' || company === UNSPECIFIED || company === name ? null : company;

/** The texts with which a record is listed. */
const NAMES: { [Kind in MainKind]: (data: unknown) => Omit<RecentRecord, 'kind' | 'id'> } = {
  clients: (data) => {
    const { name, company, email } = data as Client;
    return { title: name, detail: namedCompany({ name, company }) ?? email };
  },
  licenses: (data) => {
    const license = data as LicenseRowAnswer;
    return {
      title: license.license_key,
      detail: `${license.client_name} · ${license.software_name}`,
      renewable: license.can.includes('renew'),
    };
  },
  software: (data) => {
    const { name, version } = data as Software;
    return { title: name, detail: version };
  },
  license_types: (data) => ({ title: (data as LicenseType).name, detail: '' }),
};

/**
 * The records that this user opened most recently, newest first. Records of another user of this browser are not
 * returned.
 */
export function recentRecords(): RecentRecord[] {
  try {
    const { user, records } = JSON.parse(readStored(RECENT_KEY) ?? '{}');
    const isOwn = user !== undefined && user === useSession.getState().user?.id;
    return isOwn && Array.isArray(records) ? records.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** Rejects values that another version of the console stored in another form. */
function isRecent(value: Partial<RecentRecord> | null): value is RecentRecord {
  return (
    typeof value?.kind === 'string' &&
    Object.hasOwn(NAMES, value.kind) &&
    ID_PATTERN.test(String(value.id)) &&
    typeof value.title === 'string' &&
    typeof value.detail === 'string'
  );
}

function store(records: RecentRecord[]): void {
  const user = useSession.getState().user?.id;
  if (user !== undefined) writeStored(RECENT_KEY, JSON.stringify({ user, records }));
}

const others = (kind: MainKind, id: number) =>
  recentRecords().filter((record) => record.kind !== kind || record.id !== id);

/** Stores each record whose details are opened, once its data is loaded. A deleted record is removed. */
export function useRememberOpened(): void {
  const queryClient = useQueryClient();
  const opened = useLocation({
    select: ({ pathname, search }) => {
      const kind = choicesOf(NAMES).find((name) => pathname.startsWith(RECORD_KINDS[name].list));
      const id = /^\/[^/]+\/(\d+)$/.exec(pathname)?.[1] ?? (search as { ver?: number }).ver;
      return kind === undefined || id === undefined ? null : `${kind}/${id}`;
    },
  });
  useEffect(() => {
    if (opened === null) return;
    const [kind, id] = [opened.split('/')[0] as MainKind, Number(opened.split('/')[1])];
    const cache = queryClient.getQueryCache();
    const look = () => {
      const { data, error } = cache.find({ queryKey: recordQuery(kind, id).queryKey })?.state ?? {};
      if (error instanceof ApiError && error.status === 404) {
        store(others(kind, id));
        return true;
      }
      if (data === undefined) return false;
      store([{ kind, id, ...NAMES[kind](data) }, ...others(kind, id)].slice(0, KEPT));
      return true;
    };
    if (look()) return;
    const stop = cache.subscribe(() => {
      if (look()) stop();
    });
    return stop;
  }, [opened, queryClient]);
}
