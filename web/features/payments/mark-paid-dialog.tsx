import { useState } from 'react';
import { localDay, localHour } from '../../../contract/base/time.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { MANUAL_METHODS, PAYMENT_METHOD_LABELS } from '../../../contract/payments/payment-words.ts';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { businessTimeZoneInUse, formatPrice } from '../../text/format.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useMarkPaid } from './payments.api.ts';
import { requestActions as texts } from './payments-texts.ts';
import { useRequestForm } from './use-request-form.ts';

interface MarkPaidDialogProps {
  request: PaymentRequest;
  onClose: () => void;
}

/** 'Registrar pago': records a payment that came in another way, and renews the licences (PAY-01). */
export function MarkPaidDialog({ request, onClose }: MarkPaidDialogProps) {
  const [today] = useState(() => localDay(new Date(), businessTimeZoneInUse()));
  const markPaid = useMarkPaid(request.id);
  const { values, errors, change, dialog } = useRequestForm({
    blank: { method: '', reference: '', paid_at: today },
    check: ({ method }) => ({ method: method === '' ? texts.chooseMethod : undefined }),
    send: async ({ method, reference, paid_at: day }) => {
      const chosen = MANUAL_METHODS.find((word) => word === method);
      if (chosen === undefined) return;
      // For an earlier day the hour is unknown, so noon is used. For today it is now.
      const at = day === '' || day === today ? undefined : localHour(day, 12, businessTimeZoneInUse());
      const done = await markPaid.mutateAsync({ method: chosen, reference, ...(at && { paid_at: at }) });
      onClose();
      if (done.state === 'review') toasts.error(texts.paidReview);
      else toasts.success(texts.paid, request.client.name);
    },
    failed: texts.payFailed,
  });
  return (
    <FormDialog
      {...dialog}
      size="sm"
      title={texts.payTitle}
      submitLabel={texts.paySubmit}
      busyLabel={texts.paying}
      onClose={onClose}
    >
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
        <TextInput
          autoComplete="off"
          value={values.reference}
          onChange={({ target }) => change({ reference: target.value })}
        />
      </Field>
      <Field label={texts.paidOn} error={errors.paid_at}>
        <DateInput
          max={today}
          value={values.paid_at}
          onChange={({ target }) => change({ paid_at: target.value })}
        />
      </Field>
    </FormDialog>
  );
}
