import {
  BadgeCheck,
  ChevronRight,
  CreditCard,
  FileDown,
  type LucideIcon,
  Mail,
  MessageSquare,
} from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { PortalLicense } from '../../contract/portal/portal-licenses.ts';
import { portalActionTexts as texts } from '../text/es-portal-licenses.ts';
import { Failure } from '../ui/banner.tsx';
import { Card } from '../ui/card.tsx';
import { FileQuestion } from './ask-file.tsx';
import { RequestQuestion } from './ask-request.tsx';
import { type CallError, call } from './call.ts';
import { dueActionOf } from './license-state.ts';
import { PlaceLink } from './place-link.tsx';
import { refusalOf } from './refusal.ts';
import { useSession } from './session.ts';
import { usePayment } from './use-payment.ts';
import { useWork } from './use-work.ts';

interface ActionsProps {
  license: PortalLicense;
  /** Called with a message after an action was done. */
  onDone: (said: string) => void;
}

/**
 * The actions that `can` of the licence contains; others are not offered (PORTAL-05). Each is a row that explains
 * itself. What a licence near its end needs is a button under its state instead (DueAction).
 */
export function LicenseActions({ license, onDone }: ActionsProps) {
  const [open, setOpen] = useState<'none' | 'request' | 'file'>('none');
  const due = dueActionOf(license);
  const can = new Set(license.can);
  const offered = (['pay', 'request', 'resend', 'file', 'certificate'] as const).filter(
    (verb) => can.has(verb) && !(verb === 'pay' && due === 'pay'),
  );
  if (offered.length === 0) return null;
  const close = () => setOpen('none');
  const done = (said: string) => {
    close();
    onDone(said);
  };
  const rows: Record<(typeof offered)[number], ReactNode> = {
    pay: <PayRow license={license} />,
    request: (
      <ActionRow
        icon={MessageSquare}
        title={texts.request}
        about={due === null ? texts.requestAbout : texts.requestOtherAbout}
        onClick={() => setOpen('request')}
      />
    ),
    resend: <ResendRow id={license.id} onDone={done} />,
    file: (
      <ActionRow icon={FileDown} title={texts.file} about={texts.fileAbout} onClick={() => setOpen('file')} />
    ),
    certificate: <CertificateRow id={license.id} />,
  };
  return (
    <Card title={texts.title}>
      <ul className="-my-3 divide-y divide-border">
        {offered.map((verb) => (
          <li key={verb}>{rows[verb]}</li>
        ))}
      </ul>
      {open === 'request' && <RequestQuestion license={license} first={null} onClose={close} onDone={done} />}
      {open === 'file' && <FileQuestion license={license} onClose={close} onDone={done} />}
    </Card>
  );
}

interface RowProps {
  icon: LucideIcon;
  /** One line that explains the action. */
  about: string;
  /** The id of this line, which describes the button. */
  aboutId: string;
  /** The button or link, named by the title of the action. */
  children: ReactNode;
  error?: CallError | null;
}

/** An action as a row. Its button covers the row, and is described by the line below it. */
const Row = ({ icon: Icon, about, aboutId, children, error = null }: RowProps) => (
  <>
    <div className="relative flex min-h-14 items-center gap-3 rounded-lg py-3 transition-colors hover:bg-sunken">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {children}
        <p id={aboutId} className="text-muted">
          {about}
        </p>
      </div>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
    </div>
    {error !== null && (
      <div className="pb-3">
        <Failure text={refusalOf(error)} />
      </div>
    )}
  </>
);

const COVERS =
  'text-left text-base font-medium wrap-anywhere after:absolute after:inset-0 disabled:opacity-50';

interface ActionRowProps extends Pick<RowProps, 'icon' | 'about' | 'error'> {
  title: string;
  onClick?: () => void;
  busy?: boolean;
  busyTitle?: string;
}

function ActionRow({ title, busyTitle = title, busy = false, onClick, ...row }: ActionRowProps) {
  const { readOnly } = useSession();
  const aboutId = useId();
  return (
    <Row {...row} aboutId={aboutId}>
      <button
        type="button"
        aria-describedby={aboutId}
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        disabled={readOnly}
        onClick={() => !busy && onClick?.()}
        className={COVERS}
      >
        {busy ? busyTitle : title}
      </button>
    </Row>
  );
}

/** To pay before it is due. */
function PayRow({ license }: { license: PortalLicense }) {
  const { busy, error, pay } = usePayment(license.id);
  return (
    <ActionRow
      icon={CreditCard}
      title={texts.payEarly}
      about={texts.payEarlyAbout}
      busy={busy}
      busyTitle={texts.opening}
      error={error}
      onClick={pay}
    />
  );
}

function ResendRow({ id, onDone }: { id: number; onDone: (said: string) => void }) {
  const { busy, error, run } = useWork();
  const send = () =>
    run(() => call(`licenses/${id}/resend/`, { method: 'POST' }).then(() => onDone(texts.resent)));
  return (
    <ActionRow
      icon={Mail}
      title={texts.resend}
      about={texts.resendAbout}
      busy={busy}
      busyTitle={texts.resending}
      error={error}
      onClick={send}
    />
  );
}

function CertificateRow({ id }: { id: number }) {
  const { readOnly } = useSession();
  const aboutId = useId();
  const row = { icon: BadgeCheck, about: texts.certificateAbout };
  if (readOnly) return <ActionRow {...row} title={texts.certificate} />;
  return (
    <Row {...row} aboutId={aboutId}>
      <PlaceLink to={{ name: 'certificate', id }} aria-describedby={aboutId} className={COVERS}>
        {texts.certificate}
      </PlaceLink>
    </Row>
  );
}
