import { queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { DuplicatesQuery, duplicatesAnswer } from '../../../contract/clients/duplicates.ts';
import { request } from '../../api/http.ts';
import { useMay } from '../../api/permissions.ts';
import { KEYS } from '../../api/query-keys.ts';
import { PATHS } from '../../paths.ts';
import { apiOf } from '../../record-kinds.ts';
import { duplicateTexts as texts } from '../../text/es-duplicates.ts';
import { Banner } from '../../ui/banner.tsx';
import { useSettled } from '../record/use-settled.ts';

/** The clients that one with these data may be. */
export const duplicatesQuery = (typed: DuplicatesQuery, enabled: boolean) =>
  queryOptions({
    queryKey: [KEYS.clients, 'duplicates', typed],
    queryFn: ({ signal }) =>
      request<z.infer<typeof duplicatesAnswer>>('GET', `${apiOf('clients')}duplicates/`, {
        query: typed,
        signal,
      }),
    enabled,
    refetchOnWindowFocus: false,
    // A hint beside a form: without an answer the form says nothing.
    retry: false,
  });

/**
 * The clients that the typed one may be, with links, once the typing pauses (INPUT-19). It never hinders a save. A link
 * opens another tab, so that what was typed stays.
 */
export function LikelyDuplicates({ typed }: { typed: DuplicatesQuery }) {
  const may = useMay();
  const isSettled = useSettled(JSON.stringify(typed));
  const isAsked = Object.values(typed).some((text) => text !== undefined && text.trim() !== '');
  const { data } = useQuery(duplicatesQuery(typed, may('clients:read') && isSettled && isAsked));
  const found = isAsked ? (data?.results ?? []) : [];
  return (
    <div role="status">
      {found.length > 0 && (
        <Banner tone="warning" title={texts.title}>
          <ul>
            {found.map(({ id, name, why }) => (
              <li key={id}>
                <a
                  href={PATHS.client.replace('$id', String(id))}
                  target="_blank"
                  rel="noopener"
                  className="rounded-sm text-brand-text underline-offset-2 hover:underline"
                >
                  <bdi>{name}</bdi>
                </a>
                {` · ${texts.reasons[why]}`}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </div>
  );
}
