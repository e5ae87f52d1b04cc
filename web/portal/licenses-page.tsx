import { type FormEvent, type ReactNode, useState } from 'react';
import type { PortalLicensePage, PortalLicenseRow } from '../../contract/portal/portal-licenses.ts';
import { endInWords, portalLicenseTexts as texts } from '../text/es-portal-licenses.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { call } from './call.ts';
import { DueAction } from './due-action.tsx';
import { LicensePage } from './license-page.tsx';
import { StateBadge, seatsInWords } from './license-parts.tsx';
import { dueActionOf } from './license-state.ts';
import { LoadFailure, Loading, Page } from './page.tsx';
import { PlaceLink } from './place-link.tsx';
import { Said } from './said.tsx';
import { useLoaded } from './use-loaded.ts';

const PAGE_SIZE = 20;
/** With fewer licences all are visible at once, so no search box is shown. */
const SEARCH_FROM = 6;

const readPage = (page: number, search: string) =>
  call<PortalLicensePage>(
    `licenses/?${new URLSearchParams({ page: String(page), page_size: String(PAGE_SIZE), ...(search !== '' && { search }) })}`,
  );

/** The list of the client's licences. If there is only one, it is opened at once. */
export function LicensesPage() {
  const [search, setSearch] = useState('');
  const [pages, setPages] = useState(1);
  const [last, setLast] = useState<PortalLicensePage | null>(null);
  const [most, setMost] = useState(0);
  const [said, setSaid] = useState<string | null>(null);
  const { loaded, reload } = useLoaded(`licenses ${pages} ${search}`, async () => {
    const read = await Promise.all(Array.from({ length: pages }, (_, index) => readPage(index + 1, search)));
    const all = { ...read[read.length - 1]!, results: read.flatMap(({ results }) => results) };
    setMost((before) => Math.max(before, all.count));
    setLast(all);
    return all;
  });
  if (loaded.state === 'failed') return <LoadFailure error={loaded.error} retry={reload} />;
  // The previous page stays visible until the answer arrives.
  const page = loaded.state === 'here' ? loaded.data : last;
  if (page === null) return <Loading />;
  const busy = loaded.state === 'loading';
  const [only] = page.results;
  if (most === 1 && only !== undefined) return <LicensePage id={only.id} alone />;
  const find = (text: string) => {
    setSearch(text);
    setPages(1);
  };
  const done = (text: string) => {
    setSaid(text);
    void reload();
  };
  return (
    <Page title={texts.list}>
      <Said text={said} />
      {most >= SEARCH_FROM && <SearchForm onSearch={find} />}
      <div aria-busy={busy} className={cx('space-y-3', busy && 'opacity-60')}>
        <Rows page={page} search={search} onDone={done} />
      </div>
      {page.next !== null && (
        <Button size="lg" className="w-full" busy={busy} onClick={() => setPages(pages + 1)}>
          {texts.more}
        </Button>
      )}
    </Page>
  );
}

function SearchForm({ onSearch }: { onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Field label={texts.search}>
          <TextInput
            type="search"
            enterKeyHint="search"
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              // When the box is emptied with its × button, all licences are shown again.
              if (target.value === '') onSearch('');
            }}
            className="h-12 text-base"
          />
        </Field>
      </form>
    </search>
  );
}

interface RowsProps {
  page: PortalLicensePage;
  search: string;
  /** Called with a message after an action was done. */
  onDone: (said: string) => void;
}

function Rows({ page, search, onDone }: RowsProps) {
  if (page.results.length === 0) {
    return (
      <div role="status" className="rounded-xl border border-border bg-surface px-5 py-8 text-center">
        <p className="text-base font-semibold">{search === '' ? texts.none : texts.notFound}</p>
        {search === '' && <p className="mt-1 text-muted">{texts.noneHint}</p>}
      </div>
    );
  }
  // One filled button on a view: with several, none is more urgent than the others.
  const isOnlyOne = page.results.filter((license) => dueActionOf(license) !== null).length === 1;
  return (
    <>
      <p role="status" className="text-muted">
        {texts.allShown(page.count)}
      </p>
      <ul className="space-y-3">
        {page.results.map((license) => (
          <li key={license.id}>
            <LicenseCard license={license}>
              {dueActionOf(license) !== null && (
                <div className="relative mt-3 space-y-3">
                  <DueAction
                    license={license}
                    variant={isOnlyOne ? 'primary' : 'secondary'}
                    of={nameOf(license)}
                    onDone={onDone}
                  />
                </div>
              )}
            </LicenseCard>
          </li>
        ))}
      </ul>
    </>
  );
}

const nameOf = (license: PortalLicenseRow) => `${license.software_name} ${license.software_version}`;

/** A licence in the list. The whole card opens it: its link covers all but the button that may stand in it. */
const LicenseCard = ({ license, children }: { license: PortalLicenseRow; children: ReactNode }) => (
  <div className="relative rounded-xl border border-border bg-surface p-4 shadow-edge transition-colors hover:border-border-strong">
    <PlaceLink
      to={{ name: 'license', id: license.id }}
      className="block rounded-lg after:absolute after:inset-0"
    >
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0 text-base font-semibold wrap-anywhere">
          <bdi>{nameOf(license)}</bdi>
        </span>
        <StateBadge license={license} />
      </span>
      <span className="mt-1.5 block text-muted">{endInWords(license)}</span>
      <span className="block text-muted">{seatsInWords(license)}</span>
      <span translate="no" className="mt-1 block font-mono text-xs text-muted wrap-anywhere">
        {license.license_key}
      </span>
    </PlaceLink>
    {children}
  </div>
);
