import { type FormEvent, useState } from 'react';
import type { PortalInstallation, PortalLicense } from '../../contract/portal/portal-licenses.ts';
import { RELEASE_REASONS, type ReleaseReason } from '../../contract/portal/portal-words.ts';
import { portalLicenseTexts, RELEASE_WHY, portalMachineTexts as texts } from '../text/es-portal-licenses.ts';
import { formatDate } from '../text/format.ts';
import { relativeTime } from '../text/relative-time.ts';
import { Failure } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { type CallError, call } from './call.ts';
import { Choices } from './choices.tsx';
import { seatsInWords } from './license-parts.tsx';
import { isUsable } from './license-state.ts';
import { Question, QuestionButtons } from './question.tsx';
import { useSession } from './session.ts';
import { useWork } from './use-work.ts';

interface MachinesProps {
  license: PortalLicense;
  /** Called with a message after a machine was released. */
  onReleased: (said: string) => void;
}

/** The machines that use the licence, each with a button to release it (PORTAL-05). */
export function Machines({ license, onReleased }: MachinesProps) {
  const [asked, setAsked] = useState<PortalInstallation | null>(null);
  const { installations, current_installations, max_installations, can } = license;
  // A monthly limit applies to the whole licence, so it is shown only once.
  const limited = installations.find(({ release_refusal }) => release_refusal === 'release_limit');
  const isFull = current_installations >= max_installations && isUsable(license);
  const full = can.includes('release') ? portalLicenseTexts.full : portalLicenseTexts.fullNoRelease;
  return (
    <Card title={portalLicenseTexts.seats} subtitle={seatsInWords(license)}>
      {isFull && <p className="mb-3 rounded-lg bg-warning-tint px-4 py-3 text-warning-text">{full}</p>}
      {limited !== undefined && (
        <p className="mb-3 rounded-lg bg-sunken px-4 py-3">{texts.limit(limited.available_from)}</p>
      )}
      {installations.length === 0 && (
        <p className="text-muted">
          {isUsable(license) ? portalLicenseTexts.noMachines : portalLicenseTexts.noMachinesOver}
        </p>
      )}
      <ul className="divide-y divide-border">
        {installations.map((machine) => (
          <li key={machine.id} className="py-4 first:pt-0 last:pb-0">
            <Machine machine={machine} onAsk={() => setAsked(machine)} />
          </li>
        ))}
      </ul>
      {asked !== null && (
        <ReleaseQuestion
          machine={asked}
          onClose={() => setAsked(null)}
          onReleased={() => {
            setAsked(null);
            onReleased(texts.released(asked.machine_name));
          }}
        />
      )}
    </Card>
  );
}

function Machine({ machine, onAsk }: { machine: PortalInstallation; onAsk: () => void }) {
  const { readOnly } = useSession();
  const { machine_name, machine_id, installation_date, last_heartbeat, can_release } = machine;
  const { release_refusal, available_from } = machine;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-base font-medium wrap-anywhere">
          <bdi>{machine_name}</bdi>
        </p>
        <p className="text-muted">
          <span translate="no" className="font-mono text-xs">
            {machine_id}
          </span>
          {` · ${texts.since(formatDate(installation_date))}`}
        </p>
        <p className="text-muted">
          {last_heartbeat === null
            ? texts.noSignal
            : texts.lastSignal(relativeTime(new Date(last_heartbeat), new Date()).toLowerCase())}
        </p>
      </div>
      {can_release && (
        <Button
          size="lg"
          disabled={readOnly}
          aria-label={texts.releaseOf(machine_name)}
          onClick={onAsk}
          className="max-sm:w-full"
        >
          {texts.release}
        </Button>
      )}
      {release_refusal === 'file_issued' && (
        <p className="w-full rounded-lg bg-sunken px-4 py-3">{texts.fileIssued(available_from)}</p>
      )}
    </div>
  );
}

interface ReleaseProps {
  machine: PortalInstallation;
  onClose: () => void;
  onReleased: () => void;
}

function ReleaseQuestion({ machine, onClose, onReleased }: ReleaseProps) {
  const { busy, error, run } = useWork();
  const [why, setWhy] = useState<ReleaseReason | null>(null);
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (why === null) return;
    void run(() =>
      call(`installations/${machine.id}/release/`, { method: 'POST', body: { why } }).then(onReleased),
    );
  };
  return (
    <Question title={texts.question(machine.machine_name)} onClose={onClose}>
      <p className="mt-1 text-muted">{texts.effect}</p>
      <form noValidate onSubmit={submit} className="mt-4 space-y-4">
        <Choices
          label={texts.why}
          choices={WHY}
          value={why}
          onChange={setWhy}
          error={tried && why === null ? texts.whyRequired : undefined}
        />
        <Failure text={error && refusalOf(error)} />
        <QuestionButtons busy={busy} label={texts.confirm} busyLabel={texts.releasing} onClose={onClose} />
      </form>
    </Question>
  );
}

/** In the order of the contract. */
const WHY = Object.fromEntries(RELEASE_REASONS.map((reason) => [reason, RELEASE_WHY[reason]])) as Record<
  ReleaseReason,
  string
>;

/** The text why a machine could not be released, with the day from which it can be. */
function refusalOf({ code, availableFrom, message }: CallError): string {
  if (code === 'release_limit') return texts.limit(availableFrom);
  if (code === 'file_issued') return texts.fileIssued(availableFrom);
  return code === 'rate_limited' ? texts.tooMany : message;
}
