import { type ComponentProps, useCallback, useMemo } from 'react';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { ExpiryDistance, MailFailure, SeatsLeft } from '../../components/license/urgency.tsx';
import { Absent, namedColumn, statusColumn } from '../../components/list/columns.tsx';
import { CourtesyBadge, LicenseCategoryBadge, LicenseStateBadge } from '../../components/record/badges.tsx';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { RENEW_VERB, renewOf } from '../../text/es.ts';
import { withoutEnd } from '../../text/es-ends.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { formatDate, formatNumber } from '../../text/format.ts';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { TextButton } from '../../ui/text-button.tsx';
import type { RowVerb } from './license-menu-verbs.ts';

const { columns } = licenseTexts;

/** The columns of the licences (SEED-2.8-06 to -13). */
const LICENSE_COLUMNS: readonly Column<LicenseRowAnswer>[] = [
  {
    key: 'license',
    phone: 'title',
    sort: 'issued_date',
    header: columns.license,
    min: 14.375,
    max: 19.5,
    cell: (license) => <LicenseCell license={license} />,
  },
  namedColumn({
    key: 'client',
    phone: 'left',
    sort: 'client_name',
    header: columns.client,
    min: 7.125,
    name: (license) => license.client_name,
    second: (license) => license.client_email_shown ?? license.client_email,
  }),
  namedColumn({
    key: 'software',
    phone: 'right',
    sort: 'software_name',
    header: columns.software,
    min: 5.875,
    fold: 2,
    name: (license) => license.software_name,
    second: (license) => license.software_version,
  }),
  {
    key: 'type',
    phone: 'hidden',
    sort: 'license_type',
    header: columns.type,
    min: 6.5,
    fold: 4,
    cell: (license) => (
      <>
        <LicenseCategoryBadge category={license.license_type} />
        {license.license_type_name && (
          <p
            title={license.license_type_name}
            className="-mt-0.5 line-clamp-2 text-xs text-muted wrap-anywhere"
          >
            {license.license_type_name}
          </p>
        )}
      </>
    ),
  },
  statusColumn({
    sort: 'status',
    header: columns.status,
    badge: (license) => (
      <>
        <LicenseStateBadge license={license} />
        {license.complimentary && <CourtesyBadge />}
        <MailFailure license={license} />
      </>
    ),
  }),
  {
    key: 'installations',
    phone: 'third',
    sort: 'current_installations',
    header: columns.installations,
    align: 'end',
    min: 5.875,
    fits: true,
    fold: 3,
    cell: (license) => (
      <>
        <p
          data-short={licenseTexts.seats}
          className="@max-[36rem]/data-table:after:content-[attr(data-short)]"
        >
          {`${formatNumber(license.current_installations)}/`}
          <wbr />
          {formatNumber(license.max_installations)}
        </p>
        <SeatsLeft
          left={license.remaining_installations}
          seats={license.max_installations}
          className="block text-xs @max-[36rem]/data-table:hidden"
        />
      </>
    ),
  },
  {
    key: 'expiry',
    phone: 'third',
    sort: 'expiry_date',
    header: columns.expiry,
    min: 6,
    fold: 1,
    cell: (license) => <ExpiryCell license={license} />,
  },
];

/**
 * The columns of the list. If the list shows only licences that end soon, each row also has the button 'Renovar'.
 * @param onAct as in `useLicenseActions`
 */
export function useLicenseColumns(
  endsSoon: boolean,
  onAct: (license: LicenseRowAnswer, verb: RowVerb) => void,
): readonly Column<LicenseRowAnswer>[] {
  return useMemo(() => {
    if (!endsSoon) return LICENSE_COLUMNS;
    return LICENSE_COLUMNS.map((column) =>
      column.key === 'expiry'
        ? {
            ...column,
            cell: (license) => (
              <div className="flex flex-wrap items-center gap-x-3">
                <div className="@min-[36rem]/data-table:w-full">
                  <ExpiryCell license={license} />
                </div>
                {license.can.includes('renew') && (
                  <TextButton
                    data-print="hidden"
                    aria-label={renewOf(license.license_key)}
                    onClick={() => onAct(license, 'renew')}
                  >
                    {RENEW_VERB}
                  </TextButton>
                )}
              </div>
            ),
          }
        : column,
    );
  }, [endsSoon, onAct]);
}

const menu = codeOf(() => import('./license-row-menu.tsx'));
const LicenseRowMenu = lazyComponent(menu, (module) => module.LicenseRowMenu);
/** Every row has a menu, because everyone may ask why a licence works or not. */
const hasItems = () => true;
const loadMenu = () => void menu.fetch().catch(() => undefined);

/**
 * The buttons of a row, and its menu.
 * @param onAct called when a menu item was chosen; must be the same function in every render
 */
export function useLicenseActions(onAct: (license: LicenseRowAnswer, verb: RowVerb) => void) {
  // useCallback, because a new component at each render of the table would close an open menu.
  const Menu = useCallback(
    (props: Omit<ComponentProps<typeof LicenseRowMenu>, 'onAct'>) => (
      <LicenseRowMenu {...props} onAct={onAct} />
    ),
    [onAct],
  );
  return { header: columns.actions, min: 7.375, view: true, more: { load: loadMenu, hasItems, Menu } };
}

/**
 * The key and, below it, the day of issue. The key fits on one line: below 1440 px in small letters, with its button
 * beside the day. Only a longer imported key wraps.
 */
function LicenseCell({ license }: { license: LicenseRow }) {
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-1 @max-[36rem]/data-table:block @min-[70rem]/data-table:min-w-[16.125rem]">
      <Link
        to={PATHS.license}
        params={{ id: String(license.id) }}
        preload={false}
        className="flex min-h-6 items-center font-medium text-text hover:text-brand-text hover:underline @max-[70rem]/data-table:col-span-2"
      >
        <Code className="@min-[36rem]/data-table:@max-[70rem]/data-table:text-xs @min-[36rem]/data-table:@max-[70rem]/data-table:tracking-tighter @min-[70rem]/data-table:leading-none">
          {license.license_key}
        </Code>
      </Link>
      <time
        dateTime={license.issued_date}
        className="row-start-2 text-xs tracking-tight whitespace-nowrap text-muted @max-[36rem]/data-table:hidden"
      >
        {formatDate(license.issued_date)}
      </time>
      <span
        data-print="hidden"
        className="-my-1.5 @max-[36rem]/data-table:hidden @min-[70rem]/data-table:row-span-2 @min-[70rem]/data-table:row-start-1"
      >
        <CopyButton iconOnly text={license.license_key} label={licenseTexts.copyKey} />
      </span>
    </div>
  );
}

/** The date and its distance, or 'Sin expiración' (SEED-2.8-12). A narrow row shows only the distance. */
function ExpiryCell({ license }: { license: LicenseRow }) {
  if (license.expiry_date === null) return <Absent>{withoutEnd(license)}</Absent>;
  return (
    <>
      <p className="whitespace-nowrap @max-[36rem]/data-table:hidden">{formatDate(license.expiry_date)}</p>
      <ExpiryDistance license={license} className="block text-xs tracking-tight" />
    </>
  );
}
