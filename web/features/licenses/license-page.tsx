import { useQuery } from '@tanstack/react-query';
import { licenseQuery } from '../../components/license/licenses.api.ts';
import { readLicensePageSearch } from '../../components/license/licenses-search.ts';
import { useTurnToTab } from '../../components/list/use-tab.ts';
import { DetailsPage } from '../../components/record/details-page.tsx';
import { PageForm, usePageForm } from '../../components/record/page-form.tsx';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { useRecordId, useSearch } from '../../navigation/hooks.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { licensePlace } from './license-place.tsx';
import { useAskInAddress } from './use-question.ts';

const form = codeOf(() => import('./licenses-form.tsx'));
const LicenseEditDialog = lazyComponent(form, (module) => module.LicenseEditDialog);

/** /licenses/{id}: 'Detalles de la Licencia' as a page (SEED-2.8-21 to -24, DESK-05). */
export function LicensePage() {
  const id = useRecordId();
  const { tab = 'resumen', editar, accion } = useSearch(readLicensePageSearch);
  const { onEdit, onClose } = usePageForm(id);
  const onTab = useTurnToTab();
  const ask = useAskInAddress();
  const { subject, content } = licensePlace({
    tab,
    onTab,
    question: accion,
    onAnswered: () => ask(undefined),
    onAsk: ask,
    onEdit,
  });
  return (
    <>
      <DetailsPage
        kind="licenses"
        query={useQuery(licenseQuery(id))}
        texts={licenseTexts}
        nameOf={({ license_key }) => license_key}
        subject={subject}
      >
        {content}
      </DetailsPage>
      <PageForm kind="licenses" title={licenseTexts.edit} open={editar === id} onClose={onClose}>
        <LicenseEditDialog id={id} row={undefined} onClose={onClose} />
      </PageForm>
    </>
  );
}
