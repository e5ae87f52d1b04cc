import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleX, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { graceUntil, licenseRefusal } from '../../../contract/licenses/license-state.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { errorMessage } from '../../api/api-error.ts';
import { withoutEnd } from '../../text/es-ends.ts';
import { paletteCard as texts } from '../../text/es-palette.ts';
import { activatedText, otherText, refusedText } from '../../text/es-verdicts.ts';
import { businessTimeZoneInUse, formatDate, formatSeats } from '../../text/format.ts';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PhoneText } from '../client/phone-text.tsx';
import { licenseQuery } from '../license/licenses.api.ts';
import { ExpiryDistance } from '../license/urgency.tsx';
import { nameOfMachine } from '../license/use-release-seat.ts';
import { clientQuery } from '../record/catalogue-queries.ts';
import { RelativeTime } from '../record/relative-time.tsx';
import type { NamedRecord } from './named-record.ts';

/**
 * What support asks first about the record that a search names: whether it works or why not, the last signal, what is
 * due, how to call back (DESK-10). It stands in the record's option, so it has no controls of its own.
 */
export const RecordCard = ({ named: { kind, hit } }: { named: NamedRecord }) =>
  kind === 'clients' ? (
    <ClientCard id={hit.id} />
  ) : (
    <LicenseCard
      id={kind === 'licenses' ? hit.id : hit.license}
      machine={kind === 'licenses' ? null : hit.id}
    />
  );

interface LicenseCardProps {
  id: number;
  /** The machine about which the card is, null for the licence itself. */
  machine: number | null;
}

function LicenseCard({ id, machine }: LicenseCardProps) {
  const { data: license, error } = useQuery(licenseQuery(id));
  if (license === undefined) return <Waiting error={error} />;
  const machines = license.installations ?? [];
  const own = machine === null ? newest(machines) : machines.find((one) => one.id === machine);
  return (
    <>
      <Verdict {...verdictOf(license, new Date())} />
      <Facts>
        {machine === null ? (
          <CardFact label={texts.seats}>
            {formatSeats(license.current_installations, license.max_installations)}
          </CardFact>
        ) : (
          <CardFact label={texts.license}>
            <span className="font-mono" translate="no">
              {license.license_key}
            </span>
          </CardFact>
        )}
        <LastSignal machine={own} isNamed={machine === null} />
        <CardFact label={texts.due}>
          <Due license={license} />
        </CardFact>
        <Phone phone={license.client_phone ?? ''} />
      </Facts>
    </>
  );
}

function ClientCard({ id }: { id: number }) {
  const { data: client, error } = useQuery(clientQuery(id));
  if (client === undefined) return <Waiting error={error} />;
  const { licenses = [], installations = [] } = client;
  const now = new Date();
  const [first] = licenses
    .filter(
      ({ expiry_date, ...license }) =>
        expiry_date !== null && refusalOf({ ...license, expiry_date }, now) === null,
    )
    .sort((one, other) => Date.parse(one.expiry_date!) - Date.parse(other.expiry_date!));
  return (
    <>
      <Verdict {...verdictOfAll(client, now)} />
      <Facts>
        <CardFact label={texts.machines}>{texts.ofLicenses(client)}</CardFact>
        <LastSignal machine={newest(installations)} isNamed />
        <CardFact label={texts.firstDue}>
          {first === undefined ? (
            texts.nothingDue
          ) : (
            <>
              <span className="block">{first.software_name}</span>
              <Due license={first} />
            </>
          )}
        </CardFact>
        <Phone phone={client.phone} />
      </Facts>
    </>
  );
}

/** The machine that sent a signal last, if any did. */
const newest = (machines: readonly Installation[]) =>
  machines.reduce<Installation | undefined>(
    (last, machine) => ((machine.last_heartbeat ?? '') > (last?.last_heartbeat ?? '') ? machine : last),
    undefined,
  );

const refusalOf = (license: Parameters<typeof licenseRefusal>[0], now: Date) =>
  licenseRefusal(license, now, businessTimeZoneInUse());

interface Said {
  tone: 'good' | 'warning' | 'bad';
  title: string;
  text: string;
}

/** Whether a licence works, and why not, as '¿Por qué?' answers it. */
function verdictOf(license: License, now: Date): Said {
  const reason = refusalOf(license, now);
  if (reason !== null) return { tone: 'bad', ...refusedText({ reason, message: '' }) };
  const { max_installations, current_installations, remaining_installations } = license;
  const isFull = remaining_installations <= 0;
  const other = otherText({ other: { valid: !isFull }, max_installations, current_installations });
  const until = graceUntil(license, now, businessTimeZoneInUse());
  if (until !== null) {
    const usable = activatedText({ activated: { grace_until: until } }, current_installations);
    return { tone: 'warning', ...usable };
  }
  if (current_installations === 0) return { tone: 'good', ...other };
  const { title } = activatedText({ activated: {} }, current_installations);
  return { tone: 'good', title, text: isFull ? other.title : other.text };
}

/** Whether the licences of a client work, and why the first ones do not. Cancelled ones are over for good. */
function verdictOfAll({ licenses = [] }: ClientDetails, now: Date): Said {
  const usable = licenses.filter(({ status }) => status !== 'cancelled');
  const refused = usable.flatMap((license) => {
    const reason = refusalOf(license, now);
    return reason === null ? [] : [{ license, title: refusedText({ reason, message: '' }).title }];
  });
  if (usable.length === 0) return { tone: 'warning', title: texts.noLicense, text: '' };
  if (refused.length === 0) return { tone: 'good', title: texts.allWork(usable.length), text: '' };
  return {
    tone: refused.length === usable.length ? 'bad' : 'warning',
    title: texts.someRefused(refused.length, usable.length),
    text: refused
      .slice(0, REASONS_MAX)
      .map(({ license, title }) => `${license.software_name}: ${title.replace(/^.*: /, '')}`)
      .join(' · '),
  };
}

const REASONS_MAX = 2;

const LOOKS: Record<Said['tone'], { icon: LucideIcon; className: string }> = {
  good: { icon: CircleCheck, className: 'text-success-text' },
  warning: { icon: CircleAlert, className: 'text-warning-text' },
  bad: { icon: CircleX, className: 'text-critical-text' },
};

function Verdict({ tone, title, text }: Said) {
  const { icon: Icon, className } = LOOKS[tone];
  return (
    <span className="flex gap-2">
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', className)} />
      <span className="min-w-0">
        <span className={cx('block font-medium', className)}>{title}</span>
        {text && <span className="block text-xs text-muted">{text}</span>}
      </span>
    </span>
  );
}

const Facts = ({ children }: { children: ReactNode }) => (
  <span className="mt-2.5 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">{children}</span>
);

const CardFact = ({ label, children }: { label: string; children: ReactNode }) => (
  <span className="min-w-0 text-xs wrap-anywhere">
    <span className="block text-muted">{label}</span>
    <span className="block text-text">{children}</span>
  </span>
);

const LastSignal = ({ machine, isNamed }: { machine: Installation | undefined; isNamed: boolean }) => (
  <CardFact label={texts.lastSignal}>
    <RelativeTime value={machine?.last_heartbeat} fallback={texts.noSignal} className="block" />
    {isNamed && machine?.last_heartbeat && <span className="block text-muted">{nameOfMachine(machine)}</span>}
  </CardFact>
);

const Due = ({ license }: { license: License }) =>
  license.expiry_date === null ? (
    withoutEnd(license)
  ) : (
    <>
      <span className="block">{formatDate(license.expiry_date)}</span>
      <ExpiryDistance license={license} className="block" />
    </>
  );

const Phone = ({ phone }: { phone: string }) =>
  phone === '' ? null : (
    <CardFact label={texts.phone}>
      <PhoneText phone={phone} />
    </CardFact>
  );

const Waiting = ({ error }: { error: Error | null }) =>
  error === null ? (
    <Skeleton className="h-20 w-full" />
  ) : (
    <span className="block text-xs text-critical-text">{errorMessage(error)}</span>
  );
