import { useQuery } from '@tanstack/react-query';
import { Merge } from 'lucide-react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { useOffers } from '../../api/offers.ts';
import { duplicatesQuery } from '../../components/client/likely-duplicates.tsx';
import { RecordLink } from '../../components/record/record-links.tsx';
import { duplicateTexts } from '../../text/es-duplicates.ts';
import { Button } from '../../ui/button.tsx';
import { mergeTexts, sameClientTexts as texts } from './merge-texts.ts';

interface SameClientProps {
  client: ClientDetails;
  /** 'Fusionar' beside another client was pressed. */
  onMerge: (other: number, opener: HTMLElement) => void;
}

/** The clients that may be the same: by mail without +tag, tax id or name, each with 'Fusionar' (MERGE-01). */
export function SameClient({ client, onMerge }: SameClientProps) {
  const isOffered = useOffers();
  const isAsked = isOffered('clients.merge') && isOffered('clients.edit') && !client.is_system;
  const { name, email, tax_id } = client;
  const { data } = useQuery(duplicatesQuery({ name, email, ...(tax_id && { tax_id }) }, isAsked));
  const others = isAsked ? (data?.results ?? []).filter(({ id }) => id !== client.id) : [];
  if (others.length === 0) return null;
  return (
    <section className="border-t border-border pt-5" aria-label={texts.title}>
      <h3 className="mb-1 text-sm font-semibold">{texts.title}</h3>
      <ul className="divide-y divide-border">
        {others.map((other) => (
          <li key={other.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
              <RecordLink kind="clients" id={other.id} className="inline-block py-0.5">
                {other.name}
              </RecordLink>
              <span className="text-muted">{` · ${duplicateTexts.reasons[other.why]}`}</span>
            </span>
            <Button
              size="sm"
              icon={Merge}
              aria-label={texts.merge(other.name)}
              onClick={({ currentTarget }) => onMerge(other.id, currentTarget)}
            >
              {mergeTexts.submit}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
