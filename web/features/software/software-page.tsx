import { Package } from 'lucide-react';
import type { Software } from '../../../contract/software/software.ts';
import { onePage } from '../../api/list-page.ts';
import { chipsOf } from '../../components/list/filter-chips.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { useAskedByBrowser } from '../../components/list/use-removal.ts';
import { useTurnToTab } from '../../components/list/use-tab.ts';
import { useDeleteRecord } from '../../components/record/record-calls.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { useSearch } from '../../navigation/hooks.ts';
import { activeLabel, exportTexts, KIND_NOUNS, loadErrors, toastTexts } from '../../text/es.ts';
import { counted, FILTER_NAMES, importNumber } from '../../text/es-lists.ts';
import { softwareTexts } from '../../text/es-software.ts';
import { narrowingOf, softwareAt, softwareItemQuery } from './software.api.ts';
import { SoftwareGrid } from './software-grid.tsx';
import { readSoftwareSearch, type SoftwareSearch } from './software-search.ts';

const form = codeOf(() => import('./software-form.tsx'));
const details = codeOf(() => import('./software-details.tsx'));
const SoftwareFormDialog = lazyComponent(form, (module) => module.SoftwareFormDialog);
const SoftwareEditDialog = lazyComponent(form, (module) => module.SoftwareEditDialog);
const SoftwareDetailsDialog = lazyComponent(details, (module) => module.SoftwareDetailsDialog);

const { all, active, inactive } = softwareTexts.active;

const SOFTWARE = defineListScreen({
  kind: 'software',
  query: (search: SoftwareSearch) => ({ ...softwareAt(search), select: onePage<Software> }),
  record: softwareItemQuery,
  filters: ['active', 'import'],
  narrowing: narrowingOf,
  exports: { failure: exportTexts.software, fileName: 'software.csv' },
  bulk: {
    noun: KIND_NOUNS.software,
    nameOf: ({ name, version }) => `${name} (${version})`,
    statuses: [true, false].map((is_active) => ({ label: activeLabel(is_active), fields: { is_active } })),
  },
  code: [form, details],
  sizes: { form: 'md', details: 'lg' },
  texts: softwareTexts,
  loadFailed: loadErrors.software,
  icon: Package,
  layout: 'cards',
  paging: { kind: 'none', count: (total) => counted(total, KIND_NOUNS.software) },
});

/** /software and /software/{id} (SEED-2.10-01 to -11, D024). */
export function SoftwarePage() {
  const screen = useListScreen(SOFTWARE, useSearch(readSoftwareSearch));
  const { search, headingRef } = screen;
  const turnToTab = useTurnToTab();
  const removal = useAskedByBrowser(softwareTexts.confirmDelete, {
    nameOf: ({ name, version }: Software) => `${name} ${version}`,
    texts: toastTexts.software,
    run: useDeleteRecord('software').mutateAsync,
    headingRef,
  });
  return (
    <ListScreen
      screen={screen}
      selects={{
        active: {
          name: FILTER_NAMES.active,
          label: softwareTexts.activeFilter,
          all,
          choices: { true: active, false: inactive },
        },
      }}
      chips={chipsOf(FILTER_NAMES, { import: importNumber(search.import) })}
      removal={removal}
      dialogs={{
        new: (given) => <SoftwareFormDialog software={null} {...given} />,
        edit: (given) => <SoftwareEditDialog {...given} />,
        details: (given) => (
          <SoftwareDetailsDialog tab={search.tab ?? 'resumen'} onTab={turnToTab} {...given} />
        ),
      }}
    >
      {(list) => <SoftwareGrid list={list} />}
    </ListScreen>
  );
}
