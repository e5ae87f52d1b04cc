import { PAYMENT_PROVIDER_LABELS } from '../../../contract/payments/payment-words.ts';
import { type Payment, paymentRefund } from '../../../contract/payments/payments.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { formatPaid, knownCurrency } from '../../components/payment/paid-amount.ts';
import { ActionDialog, messagesOf } from '../../components/record/action-dialog.tsx';
import { actions } from '../../text/es.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { leftOf } from './amounts.ts';
import { useRefund } from './payments.api.ts';
import { refundTexts as texts } from './payments-texts.ts';

interface RefundDialogProps {
  payment: Payment;
  onClose: () => void;
}

/** 'Reembolsar': requests a refund from the provider. The licence does not change (PAY-06). */
export function RefundDialog({ payment, onClose }: RefundDialogProps) {
  const refund = useRefund(payment.id);
  const unit = knownCurrency(payment.currency) ?? 'amount';
  const left = formatPaid(leftOf(payment), payment.currency);
  return (
    <ActionDialog
      onClose={onClose}
      size="sm"
      words={texts}
      submitVariant="danger"
      closeLabel={actions.back}
      asksToDiscard={false}
      blank={{ amount: String(leftOf(payment)) }}
      check={({ amount }) =>
        messagesOf(paymentRefund.safeParse({ amount: numberOf(amount, unit) ?? undefined }).error)
      }
      send={async ({ amount }) => {
        const typed = numberOf(amount, unit);
        // No amount is sent for a full refund, so that the server refunds everything that is left at that time.
        const isAll = typed === null || typed === leftOf(payment);
        await refund.mutateAsync(isAll ? {} : { amount: typed });
        onClose();
        toasts.success(texts.done, payment.client.name);
      }}
    >
      {({ errors, field }) => (
        <>
          <p className="text-muted">{texts.lead(PAYMENT_PROVIDER_LABELS[payment.provider])}</p>
          <Field label={texts.amount} help={texts.amountHelp(left)} error={errors.amount}>
            <NumberInput unit={unit} min={0} {...field('amount')} />
          </Field>
          <Banner tone="info">{texts.keeps}</Banner>
        </>
      )}
    </ActionDialog>
  );
}
