import { Tags } from 'lucide-react';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { onePage } from '../../api/list-page.ts';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useAskedInDialog } from '../../components/list/use-asked-in-dialog.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { licenseTypesQuery } from '../../components/record/catalogue-queries.ts';
import { useDeleteRecord } from '../../components/record/record-calls.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { useSearch } from '../../navigation/hooks.ts';
import { infoStrip, loadErrors, states, toastTexts } from '../../text/es.ts';
import { licenseTypeTexts } from '../../text/es-license-types.ts';
import { areMixed } from '../../text/format.ts';
import { InfoStrip } from '../../ui/banner.tsx';
import { LICENSE_TYPE_ACTIONS, licenseTypeColumns } from './license-type-columns.tsx';
import { licenseTypeQuery } from './license-types.api.ts';
import { type LicenseTypesSearch, readLicenseTypesSearch } from './license-types-search.ts';

const form = codeOf(() => import('./license-types-form.tsx'));
const details = codeOf(() => import('./license-types-details.tsx'));
const LicenseTypeFormDialog = lazyComponent(form, (module) => module.LicenseTypeFormDialog);
const LicenseTypeEditDialog = lazyComponent(form, (module) => module.LicenseTypeEditDialog);
const LicenseTypeDetailsDialog = lazyComponent(details, (module) => module.LicenseTypeDetailsDialog);

const LICENSE_TYPES = defineListScreen({
  kind: 'license_types',
  query: ({ q }: LicenseTypesSearch) => ({ ...licenseTypesQuery(q), select: onePage<LicenseType> }),
  record: licenseTypeQuery,
  code: [form, details],
  sizes: { form: 'lg', details: 'md' },
  texts: licenseTypeTexts,
  loadFailed: loadErrors.license_types,
  icon: Tags,
});

/** /license-types (SEED-2.9-01 to -16): all types on one page (D054). */
export function LicenseTypesPage() {
  const screen = useListScreen(LICENSE_TYPES, useSearch(readLicenseTypesSearch));
  const { search, page, list, busy, headingRef } = screen;
  const removal = useAskedInDialog(
    {
      title: licenseTypeTexts.confirmDeleteTitle,
      text: (type: LicenseType) => licenseTypeTexts.confirmDelete(type.name),
    },
    {
      texts: toastTexts.license_types,
      nameOf: ({ name }: LicenseType) => name,
      run: useDeleteRecord('license_types').mutateAsync,
      headingRef,
    },
  );
  const state = list.error ? states.failed : page && !busy ? states.loaded : states.loading;
  return (
    <ListScreen
      screen={screen}
      columns={licenseTypeColumns(
        ({ id }) => screen.show({ kind: 'details', id }),
        areMixed(screen.rows ?? []),
      )}
      actions={LICENSE_TYPE_ACTIONS}
      notice={
        <InfoStrip>{infoStrip(search.q ?? '', list.error ? null : (page?.total ?? null), state)}</InfoStrip>
      }
      removal={removal}
      dialogs={{
        new: (given) => <LicenseTypeFormDialog type={null} {...given} />,
        edit: (given) => <LicenseTypeEditDialog {...given} />,
        details: (given) => <LicenseTypeDetailsDialog {...given} />,
      }}
    />
  );
}
