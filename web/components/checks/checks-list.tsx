import { queryOptions, useQuery } from '@tanstack/react-query';
import { Radio } from 'lucide-react';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Check } from '../../../contract/programs/checks.ts';
import { request } from '../../api/http.ts';
import { type Offer, useOffers } from '../../api/offers.ts';
import { KEYS } from '../../api/query-keys.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { apiOf } from '../../record-kinds.ts';
import { actions } from '../../text/es.ts';
import { CALL_LABELS, reasonText, checkTexts as texts } from '../../text/es-checks.ts';
import { releaseTexts } from '../../text/es-release.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { VERB_WORDS } from '../../verbs/index.ts';
import { LicenseLink } from '../record/record-links.tsx';
import { RelativeTime } from '../record/relative-time.tsx';
import { LoadError } from '../screen/load-error.tsx';
import { type CheckedLicense, remedyOf } from './check-remedy.ts';
import { type ChecksOf, checksQuery } from './checks.api.ts';

/** What the button beside a refusal does with the licence. */
export type CheckMending = 'renew' | 'reinstate' | 'release' | 'update';

interface ChecksListProps {
  of: ChecksOf;
  /** The current data of the licences to which the checks belong. */
  licenses: readonly CheckedLicense[];
  onMend: (license: CheckedLicense, mending: CheckMending) => void;
}

/**
 * Calls of installed programs and their results (SELL-07): first the refusals, each with its remedy, then the
 * successes.
 */
export function ChecksList({ of, licenses, onMend }: ChecksListProps) {
  const { data: checks, error, refetch, isFetching } = useQuery(checksQuery(of));
  if (checks === undefined) {
    return error === null ? (
      <div role="status">
        <span className="sr-only">{texts.loading}</span>
        <Skeleton className="h-40 w-full" />
      </div>
    ) : (
      <LoadError title={texts.failed} error={error} onRetry={() => void refetch()} retrying={isFetching} />
    );
  }
  if (checks.length === 0) return <EmptyState icon={Radio} title={texts.empty} hint={texts.emptyHint} />;
  const parts = [
    { title: texts.refused, rows: checks.filter(({ reason }) => reason !== null) },
    { title: texts.accepted, rows: checks.filter(({ reason }) => reason === null) },
  ];
  const named = 'client' in of;
  return (
    <div className="space-y-6">
      <p className="text-xs text-muted">{texts.lead}</p>
      {parts
        .filter(({ rows }) => rows.length > 0)
        .map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1 text-sm font-semibold">{title}</h3>
            <ul className="divide-y divide-border">
              {rows.map((check) => (
                <li key={keyOf(check)} className="py-3">
                  <CheckRow
                    check={check}
                    known={licenses.find(({ id }) => id === check.license)}
                    {...{ named, onMend }}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
    </div>
  );
}

/** A success has one row for each machine and call. A refusal has one row for each day; these rows differ in `at`. */
const keyOf = ({ license, machine_id, call, reason, at }: Check) =>
  [license, machine_id, call, reason, reason === null ? '' : at].join(' ');

interface CheckRowProps extends Pick<ChecksListProps, 'onMend'> {
  check: Check;
  /** Undefined if it is not among the newest licences that the client's details hold. */
  known: CheckedLicense | undefined;
  /** True if the row shows which licence it is about. */
  named: boolean;
}

/** Of a client with many licences or machines, the details hold the newest; the licence of another check is read. */
const checkedQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'of check', id],
    queryFn: ({ signal }) => request<License>('GET', apiOf('licenses', id), { signal }),
    staleTime: 0,
  });

const isWhole = ({ installations = [], current_installations }: CheckedLicense) =>
  installations.length >= (current_installations ?? 0);

function CheckRow({ check, known, named, onMend }: CheckRowProps) {
  const isMissing = named && (known === undefined || !isWhole(known));
  const { data: read } = useQuery({ ...checkedQuery(check.license), enabled: isMissing });
  const license: CheckedLicense | undefined = read ?? known;
  const { call, machine_id, reason, at, count, app_version, ip } = check;
  const machine = license?.installations?.find((one) => one.machine_id === machine_id);
  const details = [
    machine && machine.machine_name !== machine_id && machine_id,
    app_version && texts.version(app_version),
    texts.fromIp(ip),
    texts.times(count),
  ].filter(Boolean);
  return (
    <article className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={reason === null ? 'success' : 'danger'}>{CALL_LABELS[call]}</Badge>
          {reason !== null && <span className="font-medium">{reasonText(reason)}</span>}
        </p>
        <p className="mt-1 wrap-anywhere">
          {machine?.machine_name || machine_id || texts.noMachine} ·{' '}
          <RelativeTime value={at} className="text-muted" />
        </p>
        <p className="text-xs text-muted wrap-anywhere">{details.join(' · ')}</p>
        {named && license && (
          <p className="text-xs">
            <LicenseLink id={license.id} licenseKey={license.license_key} />
          </p>
        )}
      </div>
      {license && <Remedy {...{ check, license, onMend }} />}
    </article>
  );
}

const MENDINGS: Record<CheckMending, { label: string; offer: Offer }> = {
  renew: { label: VERB_WORDS.renew.label, offer: 'licenses.renew' },
  reinstate: { label: VERB_WORDS.reinstate.label, offer: 'licenses.reinstate' },
  release: { label: releaseTexts.one, offer: 'installations.release' },
  update: { label: actions.edit, offer: 'licenses.edit' },
};

/** The button with the remedy for a refusal, shown to people who may use it. */
function Remedy({
  check,
  license,
  onMend,
}: Pick<CheckRowProps, 'check' | 'onMend'> & { license: CheckedLicense }) {
  const isOffered = useOffers();
  const remedy = remedyOf(check, license, new Date(), businessTimeZoneInUse());
  switch (remedy) {
    case null:
      return null;
    case 'settled':
      return <span className="text-xs text-muted">{texts.settled}</span>;
    case 'key':
      return <CopyButton text={license.license_key} size="sm" label={texts.copyKey} />;
    case 'others':
      return isOffered('clients.portal.view') ? (
        <Link
          to={PATHS.client}
          params={{ id: String(license.client.id) }}
          search={{ tab: 'licencias' }}
          className={buttonClass('secondary', 'sm')}
        >
          {texts.allLicenses}
        </Link>
      ) : null;
    case 'new':
      return isOffered('licenses.create') ? (
        <Link
          to={PATHS.licenses}
          search={{ nuevo: '1', cliente: license.client.id }}
          className={buttonClass('secondary', 'sm')}
        >
          {texts.newLicense}
        </Link>
      ) : null;
    default: {
      const { label, offer } = MENDINGS[remedy];
      return isOffered(offer) ? (
        <Button size="sm" onClick={() => onMend(license, remedy)}>
          {label}
        </Button>
      ) : null;
    }
  }
}
