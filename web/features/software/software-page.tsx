import { Package } from 'lucide-react';
import type { Software } from '../../../contract/licenses/software.ts';
import { onePage } from '../../api/list-page.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { chipsOf } from '../../components/list/filter-chips.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { useAskedByBrowser } from '../../components/list/use-removal.ts';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { activeLabel, exportTexts, loadErrors, toastTexts } from '../../text/es.ts';
import { counted, FILTER_NAMES, importNumber, SOFTWARE_NOUN } from '../../text/es-lists.ts';
import { softwareTexts } from '../../text/es-software.ts';
import {
  narrowingOf,
  SOFTWARE_PATH,
  softwareAt,
  softwareItemQuery,
  useDeleteSoftware,
} from './software.api.ts';
import { SoftwareGrid } from './software-grid.tsx';
import { readSoftwareSearch, type SoftwareSearch, type SoftwareTab } from './software-search.ts';

const form = codeOf(() => import('./software-form.tsx'));
const details = codeOf(() => import('./software-details.tsx'));
const SoftwareFormDialog = lazyComponent(form, (module) => module.SoftwareFormDialog);
const SoftwareEditDialog = lazyComponent(form, (module) => module.SoftwareEditDialog);
const SoftwareDetailsDialog = lazyComponent(details, (module) => module.SoftwareDetailsDialog);

const { all, active, inactive } = softwareTexts.active;

const SOFTWARE = defineListScreen({
  path: PATHS.software,
  subject: 'software',
  recordPath: PATHS.softwareItem,
  query: (search: SoftwareSearch) => ({ ...softwareAt(search), select: onePage<Software> }),
  record: softwareItemQuery,
  filters: ['active', 'import'],
  bulk: {
    path: SOFTWARE_PATH,
    resource: 'software',
    noun: SOFTWARE_NOUN,
    nameOf: ({ name, version }) => `${name} (${version})`,
    actions: { set_status: 'software.bulk.set_status', delete: 'software.bulk.delete' },
    statuses: [true, false].map((is_active) => ({ label: activeLabel(is_active), fields: { is_active } })),
    filters: narrowingOf,
    exports: { failure: exportTexts.software, fileName: 'software.csv' },
  },
  code: [form, details],
  sizes: { form: 'md', details: 'lg' },
  texts: softwareTexts,
  loadFailed: loadErrors.software,
  icon: Package,
  layout: 'cards',
  paging: { kind: 'none', count: (total) => counted(total, SOFTWARE_NOUN) },
});

/** /software and /software/{id} (SEED-2.10-01 to -11, D024). */
export function SoftwarePage() {
  const screen = useListScreen(SOFTWARE, useSearch(readSoftwareSearch));
  const { search, headingRef } = screen;
  const navigate = useNavigate();
  const turnToTab = (tab: SoftwareTab) =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, tab: tab === 'resumen' ? undefined : tab }),
      state: true,
      replace: true,
    });
  const removal = useAskedByBrowser(softwareTexts.confirmDelete, {
    nameOf: ({ name, version }: Software) => `${name} ${version}`,
    texts: toastTexts.software,
    run: useDeleteSoftware().mutateAsync,
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
      exports={{
        path: `${SOFTWARE_PATH}export/`,
        query: narrowingOf(search),
        failure: exportTexts.software,
        fileName: 'software.csv',
      }}
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
