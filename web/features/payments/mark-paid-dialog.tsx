import { useState } from 'react';
import { localDay, localHour } from '../../../contract/base/time.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { MANUAL_METHODS, PAYMENT_METHOD_LABELS } from '../../../contract/payments/payment-words.ts';
import { ActionDialog } from '../../components/record/action-dialog.tsx';
import { businessTimeZoneInUse, formatPrice } from '../../text/format.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useMarkPaid } from './payments.api.ts';
import { requestActions as texts } from './payments-texts.ts';

interface MarkPaidDialogProps {
  request: PaymentRequest;
  onClose: () => void;
}

const WORDS = { title: texts.payTitle, submit: texts.paySubmit, busy: texts.paying, failed: texts.payFailed };

/** 'Registrar pago': records a payment that came in another way, and renews the licences (PAY-01). */
export function MarkPaidDialog({ request, onClose }: MarkPaidDialogProps) {
  const [today] = useState(() => localDay(new Date(), businessTimeZoneInUse()));
  const markPaid = useMarkPaid(request.id);
  return (
    <ActionDialog
      onClose={onClose}
      size="sm"
      words={WORDS}
      asksToDiscard={false}
      blank={{ method: '', reference: '', paid_at: today }}
      check={({ method }) => (method === '' ? { method: texts.chooseMethod } : {})}
      send={async ({ method, reference, paid_at: day }) => {
        const chosen = MANUAL_METHODS.find((word) => word === method);
        if (chosen === undefined) return;
        // For an earlier day the hour is unknown, so noon is used. For today it is now.
        const at = day === '' || day === today ? undefined : localHour(day, 12, businessTimeZoneInUse());
        const done = await markPaid.mutateAsync({ method: chosen, reference, ...(at && { paid_at: at }) });
        onClose();
        if (done.state === 'review') toasts.error(texts.paidReview);
        else toasts.success(texts.paid, request.client.name);
      }}
    >
      {({ values, errors, change, field }) => (
        <>
          <p className="text-2xl font-semibold">{formatPrice(request.amount, request.currency)}</p>
          <p className="text-muted">{texts.payLead}</p>
          <Field label={texts.method} required error={errors.method}>
            <Select
              value={values.method}
              onChange={({ target }) => change({ method: target.value })}
              none={texts.chooseMethod}
              choices={MANUAL_METHODS.map((method) => [method, PAYMENT_METHOD_LABELS[method]])}
            />
          </Field>
          <Field label={texts.reference} help={texts.referenceHelp} error={errors.reference}>
            <TextInput autoComplete="off" {...field('reference')} />
          </Field>
          <Field label={texts.paidOn} error={errors.paid_at}>
            <DateInput max={today} {...field('paid_at')} />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}
