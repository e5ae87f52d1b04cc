import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import { useOffers } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import type { LicenseQuestion, LicensesSearch } from '../../components/license/licenses-search.ts';
import { ExpiryDistance } from '../../components/license/urgency.tsx';
import { useResendMail } from '../../components/license/use-resend-mail.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { RENEW_VERB } from '../../text/es.ts';
import { releaseTexts } from '../../text/es-release.ts';
import { resendTexts } from '../../text/es-resend.ts';
import { formatSeats } from '../../text/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextButton, textButtonClass } from '../../ui/text-button.tsx';
import { NAMED, urgentQuery } from './dashboard.api.ts';
import { todayTexts } from './dashboard-texts.ts';

/** The kinds of tasks that list licences. */
export type TaskKind = 'ends' | 'mail' | 'seats';

interface TaskNamesProps {
  kind: TaskKind;
  label: string;
  search: LicensesSearch;
  /** Undefined while it is not known. */
  count: number | undefined;
}

/**
 * The most urgent licences of a task, each with its button. The space for three licences is reserved from the start,
 * so that nothing moves when they are loaded.
 */
export function TaskNames({ kind, label, search, count }: TaskNamesProps) {
  const may = useMay();
  const isAsked = count !== undefined && count > 0 && may('licenses:read');
  const { data, isError } = useQuery({ ...urgentQuery(search), enabled: isAsked });
  const isComing = count === undefined || (isAsked && data === undefined && !isError);
  return (
    <ul aria-label={label} className="min-h-48 min-w-0 flex-1 pointer-coarse:min-h-60 sm:min-h-33">
      {isComing
        ? Array.from({ length: Math.min(NAMED, count ?? NAMED) }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars are alike
            <li key={place} className={ITEM_CLASS}>
              <Skeleton className="h-4 w-32 max-w-full" />
            </li>
          ))
        : isAsked &&
          (data ?? []).filter(isTask[kind]).map((license) => (
            <li key={license.id} className={ITEM_CLASS}>
              <Name license={license}>
                <Detail kind={kind} license={license} />
              </Name>
              <Remedy kind={kind} license={license} />
            </li>
          ))}
    </ul>
  );
}

/** For 'seats' a licence for one machine is no task, because one taken seat is its normal use (D143). */
const isTask: Record<TaskKind, (license: LicenseRowAnswer) => boolean> = {
  ends: () => true,
  mail: () => true,
  seats: ({ max_installations }) => max_installations > 1,
};

/** A fixed height. On a phone the button is under the name. */
const ITEM_CLASS =
  'flex h-16 min-w-0 flex-col items-start justify-center pointer-coarse:h-20 sm:h-11 sm:flex-row sm:items-center sm:justify-between sm:gap-3';

const Name = ({
  license: { id, client_name },
  children,
}: {
  license: LicenseRowAnswer;
  children: ReactNode;
}) => (
  <div className="w-full min-w-0 sm:flex-1">
    <Link
      to={PATHS.license}
      params={{ id: String(id) }}
      title={client_name}
      className="block font-medium hover:text-brand-text hover:underline"
    >
      <bdi className="block truncate">{client_name}</bdi>
    </Link>
    {children}
  </div>
);

/** Why the licence is urgent. */
function Detail({ kind, license }: { kind: TaskKind; license: LicenseRowAnswer }) {
  if (kind === 'ends') return <ExpiryDistance license={license} className="block truncate text-xs/4" />;
  const { client_email, current_installations, max_installations, software_name } = license;
  const text =
    kind === 'mail'
      ? client_email
      : `${formatSeats(current_installations, max_installations)} · ${software_name}`;
  return (
    <div title={text} className="truncate text-xs/4 text-muted">
      {text}
    </div>
  );
}

/** The button that solves the task; nothing for people who may not use it. */
function Remedy({ kind, license }: { kind: TaskKind; license: LicenseRowAnswer }) {
  const mayRelease = useOffers()('installations.release');
  if (kind === 'mail') return license.can.includes('resend_email') && <Resend license={license} />;
  if (kind === 'seats')
    return mayRelease && <Ask license={license} verb={releaseTexts.release} asks="liberar" />;
  return license.can.includes('renew') && <Ask license={license} verb={RENEW_VERB} asks="renovar" />;
}

/** A link that opens the dialog over the details of the licence. */
const Ask = ({ license, verb, asks }: { license: LicenseRowAnswer; verb: string; asks: LicenseQuestion }) => (
  <Link
    to={PATHS.license}
    params={{ id: String(license.id) }}
    search={{ accion: asks }}
    aria-label={todayTexts.does(verb, license.client_name)}
    className={textButtonClass('inline-flex shrink-0 items-center')}
  >
    {verb}
  </Link>
);

function Resend({ license }: { license: LicenseRowAnswer }) {
  const [send, sending] = useResendMail(license);
  return (
    <TextButton
      aria-label={todayTexts.does(resendTexts.short, license.client_name)}
      aria-busy={sending || undefined}
      className="shrink-0 aria-busy:opacity-60"
      onClick={() => void send()}
    >
      {sending ? resendTexts.resending : resendTexts.short}
    </TextButton>
  );
}
