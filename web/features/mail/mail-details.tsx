import { useQuery } from '@tanstack/react-query';
import { Ban, Send } from 'lucide-react';
import { useState } from 'react';
import { MAIL_KIND_LABELS, type Mail, ONE_TIME_MAIL_KINDS } from '../../../contract/mail/mails.ts';
import { MASK, maskKey } from '../../../contract/reading/license-keys.ts';
import { mailIsStored, useWasStored } from '../../api/email-transport.ts';
import { WhatsAppLink } from '../../components/client/whatsapp-link.tsx';
import { MailFrame } from '../../components/mail/mail-frame.tsx';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { DetailsDialog, Moment } from '../../components/record/details-dialog.tsx';
import { LicenseLink, RecordLink } from '../../components/record/record-links.tsx';
import { useAction } from '../../components/record/use-action.ts';
import { Offered } from '../../components/screen/offered.tsx';
import { mailTexts as texts } from '../../text/es-mail.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { formatNumber } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toasts } from '../../ui/toasts.ts';
import { MailStatusBadge } from './mail-badge.tsx';
import { mailQuery, untilSent, useCancelMail, useResendMail } from './mails.api.ts';

interface MailDetailsDialogProps {
  id: number;
  onClose: () => void;
  /** Opens another mail instead: the copy that was sent again. */
  onOther: (id: number) => void;
}

/** A mail as it was sent: headers, HTML and text. It can be sent again, or cancelled while it waits (MAIL-04). */
export function MailDetailsDialog({ id, onClose, onOther }: MailDetailsDialogProps) {
  const query = useQuery({
    ...mailQuery(id),
    refetchInterval: ({ state }) => untilSent(state.data && [state.data]),
  });
  return (
    <DetailsDialog
      query={query}
      size="lg"
      texts={texts}
      nameOf={({ subject }) => subject}
      subject={(mail) => ({
        name: mail.subject,
        state: <MailStatusBadge mail={mail} />,
        actions: <MailActions mail={mail} onOther={onOther} />,
      })}
      onClose={onClose}
    >
      {(found) => <MailContent mail={found} />}
    </DetailsDialog>
  );
}

function MailContent({ mail }: { mail: Mail }) {
  const isStored = useWasStored(mail.transport);
  return (
    <>
      <Delivery mail={mail} />
      <Facts columns={3}>
        <Fact label={texts.to}>
          {mail.to_name && <span className="block font-medium">{mail.to_name}</span>}
          {mail.to_shown ?? mail.to}
          {mail.contact && <span className="block text-xs text-muted">{texts.toContact}</span>}
        </Fact>
        <Fact label={texts.kind}>{MAIL_KIND_LABELS[mail.kind]}</Fact>
        <Fact label={texts.attempts}>{formatNumber(mail.attempts)}</Fact>
        <Fact label={texts.created}>
          <Moment value={mail.created_at} />
        </Fact>
        <Fact label={isStored ? outboxTexts.date : texts.sent}>
          {mail.sent_at === null ? (
            <span className="text-muted">{mail.status === 'queued' ? texts.notSent : texts.neverSent}</span>
          ) : (
            <Moment value={mail.sent_at} />
          )}
        </Fact>
        {mail.client && (
          <Fact label={texts.client}>
            <RecordLink kind="clients" id={mail.client.id}>
              {mail.client.name}
            </RecordLink>
          </Fact>
        )}
        {mail.license && (
          <Fact label={texts.license} wide>
            <LicenseLink id={mail.license.id} licenseKey={mail.license.license_key} />
          </Fact>
        )}
      </Facts>
      <Parts mail={mail} />
    </>
  );
}

/** The last answer of the mail server, as text. */
function Delivery({ mail: { status, last_error } }: { mail: Mail }) {
  if (last_error === null || status === 'sent' || status === 'cancelled') return null;
  const failed = status === 'failed';
  return (
    <Banner tone={failed ? 'critical' : 'warning'} title={failed ? texts.failedTitle : texts.retryingTitle}>
      <p>
        {`${texts.lastError} `}
        <span className="wrap-anywhere">{last_error}</span>
      </p>
      {failed && <p className="mt-1">{texts.failedHint}</p>}
    </Banner>
  );
}

function Parts({ mail: { html, text, kind } }: { mail: Mail }) {
  const [part, setPart] = useState<'message' | 'text'>('message');
  if (ONE_TIME_MAIL_KINDS.includes(kind)) return <Banner tone="info">{texts.contentHidden}</Banner>;
  if (html === null || text === null) return <Banner tone="info">{texts.contentGone}</Banner>;
  return (
    <>
      {text.includes(MASK) && <p className="text-xs text-muted">{texts.masked}</p>}
      <Tabs
        label={texts.content}
        value={part}
        onChange={setPart}
        tabs={[
          {
            key: 'message',
            label: texts.message,
            content: (
              <div className="overflow-hidden rounded-lg border border-border">
                <MailFrame html={html} title={texts.frame} width="full" />
              </div>
            ),
          },
          {
            key: 'text',
            label: texts.text,
            content: <pre className="font-mono text-xs/5 whitespace-pre-wrap wrap-anywhere">{text}</pre>,
          },
        ]}
      />
    </>
  );
}

interface MailActionsProps {
  mail: Mail;
  onOther: (id: number) => void;
}

function MailActions({ mail, onOther }: MailActionsProps) {
  const resend = useResendMail();
  const cancel = useCancelMail();
  const [send, sending] = useAction(texts.resendFailed, async () => {
    const again = await resend.mutateAsync(mail.id);
    if (mailIsStored()) toasts.warning(texts.resent, outboxTexts.stored);
    else toasts.success(texts.resent, texts.resentText(again.to));
    if (again.id !== mail.id) onOther(again.id);
  });
  const [hold, holding] = useAction(texts.cancelFailed, async () => {
    await cancel.mutateAsync(mail.id);
    toasts.success(texts.cancelled);
  });
  const isOneTime = ONE_TIME_MAIL_KINDS.includes(mail.kind);
  return (
    <>
      {!isOneTime && mail.client && mail.text !== null && (
        <WhatsAppToClient client={mail.client.id} text={withKey(mail.text, mail.license)} />
      )}
      {!isOneTime && mail.text !== null && (
        <Offered what="mails.resend">
          <Button size="sm" icon={Send} busy={sending} busyLabel={texts.resending} onClick={send}>
            {texts.resend}
          </Button>
        </Offered>
      )}
      {mail.status === 'queued' && (
        <Offered what="mails.cancel">
          <Button size="sm" icon={Ban} busy={holding} busyLabel={texts.cancelling} onClick={hold}>
            {texts.cancel}
          </Button>
        </Offered>
      )}
    </>
  );
}

/** The text of a mail with the key of its licence, which whoever may read licences sees beside it. */
function withKey(text: string, license: Mail['license']): string {
  const mask = license === null ? MASK : maskKey(license.license_key);
  return license === null || mask === MASK ? text : text.replaceAll(mask, license.license_key);
}

/**
 * A link to a WhatsApp chat with the client that contains the mail's text; null for a text of which the client could
 * not use a masked part.
 */
function WhatsAppToClient({ client: id, text }: { client: number; text: string }) {
  const { data: client } = useQuery(clientQuery(id));
  return client && !text.includes(MASK) ? (
    <WhatsAppLink phone={client.phone} client={client} text={text} size="sm" />
  ) : null;
}
