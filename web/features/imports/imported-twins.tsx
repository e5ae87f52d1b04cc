import { queryOptions, useQuery } from '@tanstack/react-query';
import type { MergeCandidates } from '../../../contract/clients/merge.ts';
import type { ImportProgress } from '../../../contract/imports/imports.ts';
import { request } from '../../api/http.ts';
import { useOffers } from '../../api/offers.ts';
import { KEYS } from '../../api/query-keys.ts';
import { RecordLink } from '../../components/record/record-links.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { apiOf } from '../../record-kinds.ts';
import { duplicateTexts } from '../../text/es-duplicates.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { twinTexts as texts } from './imports-texts.ts';

const candidatesQuery = (id: number, enabled: boolean) =>
  queryOptions({
    queryKey: [KEYS.clients, 'merge-candidates', id],
    queryFn: ({ signal }) =>
      request<MergeCandidates>('GET', `${apiOf('clients')}merge_candidates/`, {
        query: { import: id },
        signal,
      }),
    enabled,
    retry: false,
  });

/** After an import: the clients that may be the same as others, each with 'Fusionar' (MERGE-01). */
export function ImportedTwins({ progress }: { progress: ImportProgress }) {
  const { id, kind, state, result } = progress;
  const isOffered = useOffers();
  const hasClients = state !== 'undone' && (kind === 'clients' || (result?.new_clients ?? 0) > 0);
  const isAsked = hasClients && isOffered('clients.merge') && isOffered('clients.edit');
  const { data } = useQuery(candidatesQuery(id, isAsked));
  const pairs = isAsked ? (data?.results ?? []) : [];
  if (pairs.length === 0) return null;
  return (
    <Banner tone="warning" title={texts.title} announce="status">
      <ul className="mt-1 divide-y divide-border">
        {pairs.map(({ client, other, why }) => (
          <li
            key={`${client.id} ${other.id}`}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-1.5"
          >
            <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
              <RecordLink kind="clients" id={client.id} className="inline-block py-0.5">
                {client.name}
              </RecordLink>
              {texts.and}
              <RecordLink kind="clients" id={other.id} className="inline-block py-0.5">
                {other.name}
              </RecordLink>
              <span className="text-muted">{` · ${duplicateTexts.reasons[why]}`}</span>
            </span>
            <Link
              to={PATHS.client}
              params={{ id: String(client.id) }}
              search={{ fusionar: other.id }}
              aria-label={texts.merge(client.name, other.name)}
              className={buttonClass('secondary', 'sm')}
            >
              {texts.open}
            </Link>
          </li>
        ))}
      </ul>
    </Banner>
  );
}
