import { useQuery } from '@tanstack/react-query';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { DetailsDialog } from '../../components/record/details-dialog.tsx';
import { OpenPageLink } from '../../components/record/open-page-link.tsx';
import { useNavigate } from '../../navigation/hooks.ts';
import { clientTexts } from '../../text/es-clients.ts';
import type { ClientTab } from './clients-search.ts';
import { useClientPlace } from './use-client-place.tsx';
import { useFollowMerged } from './use-merge-place.tsx';

interface ClientDetailsDialogProps {
  id: number;
  tab: ClientTab;
  onTab: (tab: ClientTab) => void;
  onEdit: () => void;
  onClose: () => void;
}

/** The dialog 'Detalles del Cliente' over the list (SEED-2.7-01 to -26). */
export function ClientDetailsDialog({ id, tab, onTab, onEdit, onClose }: ClientDetailsDialogProps) {
  const { subject, content } = useClientPlace({ id, tab, onTab, onEdit });
  const navigate = useNavigate();
  const query = useQuery(clientQuery(id));
  useFollowMerged(
    query.error,
    // The cast is safe: only the record of the dialog changes.
    (into) =>
      void navigate({
        to: '.',
        search: (now) => ({ ...now, ver: into }) as typeof now,
        state: true,
        replace: true,
      }),
  );
  return (
    <DetailsDialog
      query={query}
      size="place"
      steady
      texts={clientTexts}
      nameOf={({ name }) => name}
      subject={(client) => subject(client, <OpenPageLink kind="clients" id={id} tab={tab} />)}
      onClose={onClose}
    >
      {content}
    </DetailsDialog>
  );
}
