import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import { LICENSE_STATUS_LABELS } from '../../../contract/licenses/license-words.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { licenseQuery } from '../../components/license/licenses.api.ts';
import { readLicensesSearch } from '../../components/license/licenses-search.ts';
import { QUESTION_OF } from '../../components/license/next-action.ts';
import { defineListScreen } from '../../components/list/list-definition.ts';
import type { PassingDialog } from '../../components/list/list-dialogs.tsx';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { rowButton } from '../../components/list/row-focus.ts';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { useAskedByBrowser } from '../../components/list/use-removal.ts';
import { useTurnToTab } from '../../components/list/use-tab.ts';
import { SalesTabs } from '../../components/payment/sales-tabs.tsx';
import { clientPickerQuery, softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { choicesOf } from '../../components/record/choices.ts';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { useDeleteRecord } from '../../components/record/record-calls.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { actions, exportTexts, KIND_NOUNS, loadErrors, renewOf, toastTexts } from '../../text/es.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { FILTER_NAMES, READY_LICENSE_VIEWS } from '../../text/es-lists.ts';
import { whyTexts } from '../../text/es-why.ts';
import { useLicenseActions, useLicenseColumns } from './license-columns.tsx';
import { bulkFits, licensesAt, narrowingOf } from './license-list.ts';
import type { RowVerb } from './license-menu-verbs.ts';
import { useLicenseChips } from './licenses-chips.ts';
import { LicensesFilters } from './licenses-filters.tsx';
import type { IssuedBatch } from './licenses-form.tsx';
import { useAskInAddress } from './use-question.ts';
import type { Remedy } from './why-dialog.tsx';

const form = codeOf(() => import('./licenses-form.tsx'));
const details = codeOf(() => import('./licenses-details.tsx'));
const success = codeOf(() => import('./license-created.tsx'));
const batchSuccess = codeOf(() => import('./licenses-issued.tsx'));
const LicensesIssuedDialog = lazyComponent(batchSuccess, (module) => module.LicensesIssuedDialog);
const verbDialog = codeOf(() => import('./license-verb-dialog.tsx'));
const LicenseVerbDialog = lazyComponent(verbDialog, (module) => module.LicenseVerbDialog);
const why = codeOf(() => import('./why-dialog.tsx'));
const WhyDialog = lazyComponent(why, (module) => module.WhyDialog);
const LicenseNewDialog = lazyComponent(form, (module) => module.LicenseNewDialog);
const moreFilters = codeOf(() => import('./licenses-more-filters.tsx'));
const LicensesMoreFilters = lazyComponent(moreFilters, (module) => module.LicensesMoreFilters);
const LicenseEditDialog = lazyComponent(form, (module) => module.LicenseEditDialog);
const LicenseDetailsDialog = lazyComponent(details, (module) => module.LicenseDetailsDialog);
const LicenseCreatedDialog = lazyComponent(success, (module) => module.LicenseCreatedDialog);

const bulkActions = codeOf(() => import('./license-bulk-actions.tsx'));

/** The menu item that was chosen in a row. */
interface AskedOfRow {
  license: LicenseRowAnswer;
  verb: RowVerb;
}

const LICENSES = defineListScreen({
  kind: 'licenses',
  query: licensesAt,
  record: licenseQuery,
  filters: choicesOf(FILTER_NAMES),
  narrowing: narrowingOf,
  exports: { failure: exportTexts.licenses, fileName: 'licencias.csv' },
  bulk: {
    noun: KIND_NOUNS.licenses,
    nameOf: ({ license_key }) => license_key,
    fits: bulkFits,
    own: bulkActions,
    statuses: choicesOf(LICENSE_STATUS_LABELS).map((status) => ({
      label: LICENSE_STATUS_LABELS[status],
      fields: { status },
    })),
  },
  views: { screen: 'licenses', ready: READY_LICENSE_VIEWS },
  code: [form, details, success, batchSuccess, moreFilters, verbDialog, why, bulkActions],
  sizes: { form: 'lg', details: 'place' },
  texts: licenseTexts,
  loadFailed: loadErrors.licenses,
  icon: KeyRound,
  paging: { kind: 'line-below', noun: licenseTexts.noun },
});

/** /licenses (SEED-2.8-01 to -36). */
export function LicensesPage() {
  const screen = useListScreen(LICENSES, useSearch(readLicensesSearch));
  const { search, createRef, headingRef } = screen;
  const turnToTab = useTurnToTab();
  /** The menu item chosen in a row, whose dialog is open. */
  const [asked, setAsked] = useState<AskedOfRow | null>(null);
  const act = useCallback((license: LicenseRowAnswer, verb: RowVerb) => setAsked({ license, verb }), []);
  const removal = useAskedByBrowser(licenseTexts.confirmDelete, {
    nameOf: ({ license_key, client_name }: LicenseRowAnswer) => `${license_key} · ${client_name}`,
    texts: toastTexts.licenses,
    run: useDeleteRecord('licenses').mutateAsync,
    // The button is shown to those who may delete, so what is missing in `can` is refused for its payments (INPUT-18).
    isKept: (row, error) => !row.can.includes('delete') || error?.code === 'has_payments',
    onKept: (row) => act(row, 'paid'),
    headingRef,
  });
  /** The licence that was just created. It is not in the URL. */
  const [created, setCreated] = useState<License | null>(null);
  const [batch, setBatch] = useState<IssuedBatch | null>(null);
  const forget = () => {
    setCreated(null);
    setBatch(null);
  };
  useChoicesAhead();
  const navigate = useNavigate();
  const ask = useAskInAddress();
  const issued: PassingDialog | null = created && {
    title: licenseTexts.createdTitle,
    size: 'lg',
    onClose: forget,
    dialog: (
      <LicenseCreatedDialog
        license={created}
        onClose={forget}
        onAnother={() => {
          forget();
          screen.show({ kind: 'new' });
        }}
        onView={() => {
          forget();
          screen.show({ kind: 'details', id: created.id });
        }}
        finalFocus={() => createRef.current}
      />
    ),
  };
  const issuedTogether: PassingDialog | null = batch && {
    title: licenseTexts.batchTitle,
    size: 'lg',
    onClose: forget,
    dialog: <LicensesIssuedDialog batch={batch} onClose={forget} finalFocus={() => createRef.current} />,
  };
  const closeAsked = () => setAsked(null);
  const question: PassingDialog | null = asked && {
    title: asked.verb === 'why' ? whyTexts.title : actions.more,
    size: asked.verb === 'why' ? 'sm' : 'md',
    onClose: closeAsked,
    dialog: asked.verb === 'why' ? whyDialog(asked.license) : verbDialogOf(asked.license, asked.verb),
  };
  function verbDialogOf(license: LicenseRowAnswer, verb: Exclude<RowVerb, 'why'>) {
    const finalFocus = () => openerOf({ license, verb }) ?? headingRef.current;
    return <LicenseVerbDialog {...{ license, verb, finalFocus }} onAct={act} onClose={closeAsked} />;
  }
  function whyDialog(license: LicenseRowAnswer) {
    const mend = (remedy: Remedy) => {
      if (remedy === 'renew' || remedy === 'reinstate') return act(license, remedy);
      closeAsked();
      if (remedy === 'update') return screen.show({ kind: 'edit', id: license.id });
      // A machine is chosen in the details of the licence.
      void navigate({
        to: PATHS.licenses,
        search: { ...search, ver: license.id, accion: QUESTION_OF.release },
        state: OVER_LIST,
      });
    };
    const finalFocus = () => openerOf({ license, verb: 'why' }) ?? headingRef.current;
    return <WhyDialog {...{ license, finalFocus }} onMend={mend} onClose={closeAsked} />;
  }
  const list = (
    <ListScreen
      screen={screen}
      columns={useLicenseColumns(search.expiring_within !== undefined, act)}
      actions={useLicenseActions(act)}
      filters={<LicensesFilters search={search} onNarrow={screen.narrow} />}
      moreFilters={(given) => (
        <LicensesMoreFilters search={search} onNarrow={screen.narrow} onClear={screen.clear} {...given} />
      )}
      chips={useLicenseChips(search)}
      removal={removal}
      dialogs={{
        new: ({ onClose }) => (
          <LicenseNewDialog
            clientId={search.cliente}
            onClose={onClose}
            onSaved={(license) => {
              setCreated(license);
              onClose();
            }}
            onBatch={(licenses) => {
              setBatch(licenses);
              onClose();
            }}
          />
        ),
        edit: (given) => <LicenseEditDialog {...given} />,
        details: (given) => (
          <LicenseDetailsDialog
            tab={search.tab ?? 'resumen'}
            onTab={turnToTab}
            question={search.accion}
            onAnswered={() => ask(undefined)}
            onAsk={ask}
            {...given}
          />
        ),
      }}
      passing={issued ?? issuedTogether ?? question}
    />
  );
  return (
    <>
      <SalesTabs current="licenses" />
      {list}
    </>
  );
}

/** The button in the row that opened the dialog; undefined if the row has disappeared. */
const openerOf = ({ license: { id, license_key }, verb }: AskedOfRow) => {
  const own = verb === 'renew' ? renewOf(license_key) : verb === 'paid' ? actions.remove : actions.more;
  return rowButton(id, own) ?? rowButton(id, actions.more);
};

/** Prefetches the options of the form, so that its dialog opens complete (SEED-7.6-11). */
function useChoicesAhead() {
  const queryClient = useQueryClient();
  useEffect(() => {
    void queryClient.prefetchQuery(softwareOptionsQuery);
    void queryClient.prefetchQuery(clientPickerQuery(''));
  }, [queryClient]);
}
