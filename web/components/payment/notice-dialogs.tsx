import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { localDay } from '../../../contract/base/time.ts';
import type { PaymentRequest, PaymentRequestDetails } from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import { numberOf, plainText } from '../../../contract/reading/numbers.ts';
import { registerTexts } from '../../text/es-charges.ts';
import { paymentTexts } from '../../text/es-payments.ts';
import { dismissTexts, noticeTexts, confirmTexts as texts } from '../../text/es-transfers.ts';
import { businessTimeZoneInUse, formatPrice } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { DateInput, TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { ActionDialog } from '../record/action-dialog.tsx';
import type { FormDialog } from '../record/form-dialog.tsx';
import { recordQuery } from '../record/record-calls.ts';
import { RecordState } from '../record/record-state.tsx';
import { paidAtOf } from './paid-at.ts';
import { useDismissNotice, useMarkPaid } from './request-call.ts';
import { RequestLink } from './request-link.tsx';

interface NoticeDialogProps {
  id: number;
  onClose: () => void;
  finalFocus?: ComponentProps<typeof FormDialog>['finalFocus'];
}

const RECORD_TEXTS = {
  loading: 'Cargando el cobro...',
  notFound: PAYMENT_MESSAGES.notFound,
  failed: registerTexts.failed,
};

/** 'Confirmar': records the transfer of which the client gave notice, filled in with what it said (MONEY-11). */
export function ConfirmTransferDialog({ id, ...frame }: NoticeDialogProps) {
  const query = useQuery(recordQuery<PaymentRequestDetails>('payment_requests', id));
  const { data } = query;
  if (data?.state === 'open') return <ConfirmForm key={data.id} request={data} {...frame} />;
  return (
    <Dialog open size="sm" title={texts.title} {...frame}>
      <RecordState query={query} texts={RECORD_TEXTS}>
        {() => (
          <>
            <Banner tone="info">{texts.over}</Banner>
            <p>
              <RequestLink id={id} onClick={frame.onClose}>
                {paymentTexts.see_one}
              </RequestLink>
            </p>
          </>
        )}
      </RecordState>
    </Dialog>
  );
}

function ConfirmForm({
  request,
  onClose,
  ...frame
}: Omit<NoticeDialogProps, 'id'> & { request: PaymentRequest }) {
  const { currency, due, transfer_notice: notice } = request;
  const [today] = useState(() => localDay(new Date(), businessTimeZoneInUse()));
  const confirm = useMarkPaid(request.id);
  return (
    <ActionDialog
      {...frame}
      onClose={onClose}
      size="sm"
      words={texts}
      blank={{
        amount: plainText(due),
        reference: notice?.reference ?? '',
        paid_at: notice?.paid_on ?? today,
      }}
      check={({ amount }) => {
        const came = numberOf(amount, currency);
        if (came === null || Number.isNaN(came) || came <= 0) return { amount: texts.amountWrong };
        return came > due ? { amount: texts.tooMuch } : {};
      }}
      send={async ({ amount, reference, paid_at: day }) => {
        const came = numberOf(amount, currency) ?? due;
        const done = await confirm.mutateAsync({
          method: 'transfer',
          reference,
          amount: came,
          ...paidAtOf(day, today),
        });
        onClose();
        if (done.state === 'review') toasts.error(texts.review);
        else toasts.success(done.state === 'open' ? texts.part : texts.done, request.client.name);
      }}
    >
      {({ values, errors, change, field }) => (
        <>
          <div>
            <p className="font-medium wrap-anywhere">{request.client.name}</p>
            <p className="text-2xl font-semibold">{formatPrice(due, currency)}</p>
            {notice !== null && <p className="text-muted wrap-anywhere">{noticeTexts.said(notice)}</p>}
          </div>
          <p className="text-muted">{noticeTexts.look}</p>
          <Field label={texts.amount} required error={errors.amount}>
            <NumberInput
              unit={currency}
              min={0}
              value={values.amount}
              onChange={({ target }) => change({ amount: target.value })}
            />
          </Field>
          <Field label={texts.reference} error={errors.reference}>
            <TextInput autoComplete="off" {...field('reference')} />
          </Field>
          <Field label={texts.paidOn} error={errors.paid_at}>
            <DateInput max={today} {...field('paid_at')} />
          </Field>
          <p>
            <RequestLink id={request.id} onClick={onClose}>
              {paymentTexts.see_one}
            </RequestLink>
          </p>
        </>
      )}
    </ActionDialog>
  );
}

interface DismissDialogProps extends NoticeDialogProps {
  /** The client, for the toast. */
  client: string;
}

/** 'No llegó': answers a notice for which no money came in. */
export function DismissNoticeDialog({ id, client, onClose, ...frame }: DismissDialogProps) {
  const dismiss = useDismissNotice(id);
  return (
    <ActionDialog
      {...frame}
      onClose={onClose}
      size="sm"
      words={dismissTexts}
      blank={{ reason: '' }}
      check={() => ({})}
      send={async ({ reason }) => {
        await dismiss.mutateAsync({ reason });
        onClose();
        toasts.success(dismissTexts.done, client);
      }}
    >
      {({ errors, field }) => (
        <>
          <p className="font-medium wrap-anywhere">{client}</p>
          <p className="text-muted">{dismissTexts.lead}</p>
          <Field label={dismissTexts.reason} help={dismissTexts.reasonHelp} error={errors.reason}>
            <TextInput autoComplete="off" {...field('reason')} />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}
