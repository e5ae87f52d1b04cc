import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck, MailWarning, Send } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { MailSettings } from '../../../contract/mail/mail-settings.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { useOffers } from '../../api/offers.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { NoMailServer } from '../../components/mail/stored-mail.tsx';
import { ActionQuestion } from '../../components/record/action-question.tsx';
import { OVER_LIST, useCloseDialog } from '../../components/record/dialog-step.ts';
import { RecordState } from '../../components/record/record-state.tsx';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { DialogCode } from '../../components/screen/dialog-code.tsx';
import { useNavigate } from '../../navigation/hooks.ts';
import { mailServerTexts as texts } from '../../text/es-mail-server.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toasts } from '../../ui/toasts.ts';
import { mailServerQuery, useSaveMailServer, useSendWaiting, waitingMailsQuery } from './mail-server.api.ts';

const MailServerForm = lazyComponent(
  codeOf(() => import('./mail-server-form.tsx')),
  (module) => module.MailServerForm,
);
const MailServerTest = lazyComponent(
  codeOf(() => import('./mail-server-test.tsx')),
  (module) => module.MailServerTest,
);

/**
 * Above the list of 'Correos': the mail server, for those who may set it, and the mails that wait for one (DESK-07).
 * @param isOpen whether the address opens the form
 */
export function MailServerNotice({ isOpen }: { isOpen: boolean }) {
  const isOffered = useOffers();
  return (
    <>
      {isOffered('mail_server.save') ? <MailServerCard isOpen={isOpen} /> : <NoMailServer />}
      {isOffered('mails.send_waiting') && <WaitingMails />}
    </>
  );
}

function MailServerCard({ isOpen }: { isOpen: boolean }) {
  const query = useQuery(mailServerQuery);
  const navigate = useNavigate();
  const open = () =>
    void navigate({ to: '.', search: (now) => ({ ...now, servidor: '1' }), state: OVER_LIST });
  const close = useCloseDialog(
    () => void navigate({ to: '.', search: (now) => ({ ...now, servidor: undefined }), replace: true }),
  );
  return (
    <Card title={texts.title} action={query.data && <State settings={query.data} />}>
      <RecordState query={query} texts={texts}>
        {(settings) => (
          <>
            <ServerFacts settings={settings} onOpen={open} />
            {isOpen && (
              <DialogCode title={texts.title} size="lg" onClose={close}>
                <MailServerForm settings={settings} onClose={close} />
              </DialogCode>
            )}
          </>
        )}
      </RecordState>
    </Card>
  );
}

function State({ settings: { host, smtp_url } }: { settings: MailSettings }) {
  if (smtp_url) return <Badge tone="info">{texts.ofUrl}</Badge>;
  return host === '' ? (
    <Badge tone="warning">{texts.none}</Badge>
  ) : (
    <Badge tone="success">{texts.configured}</Badge>
  );
}

/** Where mails go, and what can be done about it. */
function ServerFacts({ settings, onOpen }: { settings: MailSettings; onOpen: () => void }) {
  const [asked, setAsked] = useState<'test' | 'remove' | null>(null);
  const { host, port, security, username, sender, smtp_url } = settings;
  const hasStored = host !== '';
  const stored = texts.serverWords(host, port, security);
  const leaves = smtp_url || hasStored;
  return (
    <div className="space-y-4">
      {smtp_url && (
        <p className="text-muted">
          {[texts.ofUrlText, hasStored && texts.ofUrlUnused(host)].filter(Boolean).join(' ')}
        </p>
      )}
      {!leaves && (
        <Banner tone="warning" icon={MailWarning}>
          {texts.noneText}
        </Banner>
      )}
      {leaves && (
        <Facts columns={3}>
          {!smtp_url && <Fact label={texts.server}>{stored}</Fact>}
          {!smtp_url && <Fact label={texts.user}>{username || texts.noUser}</Fact>}
          <Fact label={texts.sender}>{sender}</Fact>
        </Facts>
      )}
      <div className="flex flex-wrap gap-2">
        {!smtp_url && (
          <Button variant={hasStored ? 'secondary' : 'primary'} onClick={onOpen}>
            {hasStored ? texts.change : texts.configure}
          </Button>
        )}
        {leaves && (
          <Button icon={Send} onClick={() => setAsked('test')}>
            {texts.test}
          </Button>
        )}
        {hasStored && (
          <Button variant="ghost" onClick={() => setAsked('remove')}>
            {texts.remove}
          </Button>
        )}
      </div>
      {asked === 'test' && (
        <DialogCode title={texts.testTitle} size="md" onClose={() => setAsked(null)}>
          <MailServerTest onClose={() => setAsked(null)} />
        </DialogCode>
      )}
      {asked === 'remove' && <RemoveQuestion settings={settings} onClose={() => setAsked(null)} />}
    </div>
  );
}

function RemoveQuestion({ settings, onClose }: { settings: MailSettings; onClose: () => void }) {
  const save = useSaveMailServer();
  return (
    <ActionQuestion
      title={texts.removeTitle}
      text={texts.removeText(settings.host)}
      confirmLabel={texts.remove}
      busyLabel={texts.removing}
      tone="danger"
      run={async () => {
        await save.mutateAsync({ values: { host: '' }, headers: {}, updatedAt: settings.updated_at });
        toasts.success(texts.removed);
      }}
      failed={texts.removeFailed}
      onClose={onClose}
    />
  );
}

/** How often the waiting mails are counted until they are in the queue. */
const AGAIN_MS = 2000;

/** 'Enviar los N que esperan'; nothing if none waits. */
function WaitingMails() {
  const queryClient = useQueryClient();
  const [isSending, setSending] = useState(false);
  // They are put in the queue by a job, which may begin a moment later.
  const { data } = useQuery({ ...waitingMailsQuery, refetchInterval: isSending ? AGAIN_MS : false });
  const isStored = useMailIsStored();
  const [asked, setAsked] = useState(false);
  const send = useSendWaiting();
  const count = data?.count ?? 0;
  useEffect(() => {
    if (!isSending || count > 0) return;
    setSending(false);
    void refreshAfterChange(queryClient, 'licenses');
  }, [isSending, count, queryClient]);
  if (count === 0 || isSending) return null;
  if (isStored) return <p className="text-xs text-muted">{texts.waitingLater(count)}</p>;
  return (
    <>
      <Banner
        tone="warning"
        icon={MailCheck}
        title={texts.waiting(count)}
        action={
          <Button variant="primary" onClick={() => setAsked(true)}>
            {texts.send(count)}
          </Button>
        }
      >
        {texts.waitingText}
      </Banner>
      {asked && (
        <ActionQuestion
          title={texts.sendTitle(count)}
          text={texts.sendText}
          confirmLabel={texts.send(count)}
          busyLabel={texts.sending}
          tone="neutral"
          run={async () => {
            const answer = await send.mutateAsync();
            toasts.success(texts.sent(answer.count));
            setSending(true);
          }}
          failed={texts.sendFailed}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
