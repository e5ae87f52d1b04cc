import { useQuery } from '@tanstack/react-query';
import { useTurnToTab } from '../../components/list/use-tab.ts';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { DetailsPage } from '../../components/record/details-page.tsx';
import { PageForm, usePageForm } from '../../components/record/page-form.tsx';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { useNavigate, useRecordId, useSearch } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { readClientPageSearch } from './clients-search.ts';
import { useClientPlace } from './use-client-place.tsx';
import { useFollowMerged } from './use-merge-place.tsx';

const form = codeOf(() => import('./clients-form.tsx'));
const ClientEditDialog = lazyComponent(form, (module) => module.ClientEditDialog);

/** /clients/{id}: 'Detalles del Cliente' as a page (SEED-2.7-02 to -26, DESK-05). */
export function ClientPage() {
  const id = useRecordId();
  const { tab = 'resumen', editar } = useSearch(readClientPageSearch);
  const { onEdit, onClose } = usePageForm(id);
  const { subject, content } = useClientPlace({ id, tab, onTab: useTurnToTab(), onEdit });
  const navigate = useNavigate();
  const query = useQuery(clientQuery(id));
  useFollowMerged(
    query.error,
    (into) => void navigate({ to: PATHS.client, params: { id: String(into) }, search: {}, replace: true }),
  );
  return (
    <>
      <DetailsPage
        kind="clients"
        query={query}
        texts={clientTexts}
        nameOf={({ name }) => name}
        subject={subject}
      >
        {content}
      </DetailsPage>
      <PageForm kind="clients" title={clientTexts.edit} open={editar === id} onClose={onClose}>
        <ClientEditDialog id={id} row={undefined} onClose={onClose} />
      </PageForm>
    </>
  );
}
