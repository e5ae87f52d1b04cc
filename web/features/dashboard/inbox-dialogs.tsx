import { useQuery } from '@tanstack/react-query';
import { Mail, Phone } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { greetingOf } from '../../../contract/clients/whatsapp.ts';
import type { TodayItem } from '../../../contract/desk/today.ts';
import { readTodayId } from '../../../contract/desk/today-kinds.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { WhatsAppLink } from '../../components/client/whatsapp-link.tsx';
import { LicenseActionDialog } from '../../components/license/license-action-dialog.tsx';
import { licenseQuery } from '../../components/license/licenses.api.ts';
import { ReleaseMachineDialog } from '../../components/license/release-machine-dialog.tsx';
import { ConfirmTransferDialog, DismissNoticeDialog } from '../../components/payment/notice-dialogs.tsx';
import { ActionDialog } from '../../components/record/action-dialog.tsx';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import type { FormDialog } from '../../components/record/form-dialog.tsx';
import { RecordLink } from '../../components/record/record-links.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { actions } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { recordPageTexts } from '../../text/es-record.ts';
import { releaseTexts } from '../../text/es-release.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { DateInput } from '../../ui/text-input.tsx';
import { VERB_WORDS } from '../../verbs/index.ts';
import { inboxTexts as texts } from './inbox-texts.ts';

interface InboxDialogProps {
  item: TodayItem;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

/** The dialog in which the button of a row acts: the same as in the details of the licence or the client. */
export function InboxActDialog(
  props: InboxDialogProps & {
    onDone: () => void;
    /** 'No llegó', in place of 'Confirmar'. */
    isDismissed: boolean;
  },
) {
  const { onDone, isDismissed, ...given } = props;
  const { action } = given.item;
  if (action === 'confirm_transfer') return <NoticeDialog {...given} isDismissed={isDismissed} />;
  if (action === 'answer_request' || action === 'explain_refusal') {
    return <AnswerDialog {...given} onDone={onDone} />;
  }
  if (action === 'release_machine') {
    return (
      <OfLicense {...given} title={releaseTexts.one}>
        {(license) => <ReleaseMachineDialog license={license} {...given} />}
      </OfLicense>
    );
  }
  return (
    <OfLicense {...given} title={VERB_WORDS.renew.title}>
      {(license) => <LicenseActionDialog license={license} action="renew" {...given} />}
    </OfLicense>
  );
}

/** The answer to a notice of a transfer (MONEY-11). */
function NoticeDialog({ item, isDismissed, ...frame }: InboxDialogProps & { isDismissed: boolean }) {
  const id = readTodayId(item.id)?.record ?? 0;
  return isDismissed ? (
    <DismissNoticeDialog id={id} client={item.client?.name ?? item.title} {...frame} />
  ) : (
    <ConfirmTransferDialog id={id} {...frame} />
  );
}

/** Fetches the licence of a row; until then, the frame of the dialog. */
function OfLicense({
  item,
  title,
  children,
  ...frame
}: InboxDialogProps & { title: string; children: (license: License) => ReactNode }) {
  const query = useQuery(licenseQuery(item.license?.id ?? 0));
  if (query.data !== undefined) return children(query.data);
  return (
    <Dialog open title={title} {...frame}>
      <RecordState query={query} texts={licenseTexts.record}>
        {() => null}
      </RecordState>
    </Dialog>
  );
}

/** What a client asked for in the portal, or cannot do with a licence, and the ways to write to the client. */
function AnswerDialog({ item, onDone, ...frame }: InboxDialogProps & { onDone: () => void }) {
  const query = useQuery(clientQuery(item.client?.id ?? 0));
  const { answerDialog } = texts;
  return (
    <Dialog
      open
      size="sm"
      title={item.action === 'explain_refusal' ? answerDialog.explainTitle : answerDialog.title}
      {...frame}
      footer={
        <>
          <Button onClick={frame.onClose}>{actions.close}</Button>
          <Button
            variant="primary"
            onClick={() => {
              frame.onClose();
              onDone();
            }}
          >
            {texts.done}
          </Button>
        </>
      }
    >
      <div>
        <p className="font-medium wrap-anywhere">{item.title}</p>
        <p className="mt-1 whitespace-pre-line text-muted wrap-anywhere">{item.detail}</p>
      </div>
      <RecordState query={query} texts={clientTexts.record}>
        {(client) => (
          <ul className="grid gap-3">
            <Way icon={<Phone aria-hidden className="size-4" />} label={recordPageTexts.phone}>
              <a href={`tel:${client.phone}`} className="text-brand-text hover:underline">
                {client.phone}
              </a>
              <WhatsAppLink
                look="text"
                phone={client.phone}
                client={client}
                text={`${greetingOf(client.name)} `}
              />
            </Way>
            <Way icon={<Mail aria-hidden className="size-4" />} label={DETAIL_LABELS.email}>
              <a href={`mailto:${client.email}`} className="text-brand-text wrap-anywhere hover:underline">
                {client.email}
              </a>
            </Way>
            <li className="flex flex-wrap gap-x-4">
              <RecordLink kind="clients" id={client.id}>
                {answerDialog.open}
              </RecordLink>
              {item.license !== null && (
                <RecordLink kind="licenses" id={item.license.id}>
                  {answerDialog.openLicense}
                </RecordLink>
              )}
            </li>
          </ul>
        )}
      </RecordState>
    </Dialog>
  );
}

const Way = ({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <span className="text-muted">{icon}</span>
    <span className="sr-only">{label}</span>
    {children}
  </li>
);

/** Asks for the day on which a row comes back. */
export function InboxLaterDialog({
  item,
  send,
  ...frame
}: InboxDialogProps & {
  /** @throws if the server refuses */
  send: (item: TodayItem, until: string) => Promise<void>;
}) {
  const tomorrow = addDays(localDay(new Date(), businessTimeZoneInUse()), 1);
  const words = texts.laterDialog;
  return (
    <ActionDialog
      {...frame}
      size="sm"
      words={words}
      blank={{ until: addDays(tomorrow, 6) }}
      asksToDiscard={false}
      check={({ until }) => (until < tomorrow ? { until: words.afterToday } : {})}
      send={async ({ until }) => {
        await send(item, until);
        frame.onClose();
      }}
    >
      {({ errors, field }) => (
        <>
          <p className="font-medium wrap-anywhere">{item.title}</p>
          <Field label={words.label} required error={errors.until}>
            <DateInput {...field('until')} name="until" min={tomorrow} />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}
