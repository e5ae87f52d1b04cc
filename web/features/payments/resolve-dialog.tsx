import { REASON_REQUIRED } from '../../../contract/base/required.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { CLOSED_ONLY, REVIEW_REASON_LABELS } from '../../../contract/payments/payment-words.ts';
import { useMay } from '../../api/permissions.ts';
import { ActionDialog } from '../../components/record/action-dialog.tsx';
import { REVIEW_ADVICE } from '../../text/es-payments.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { RadioChoices } from '../../ui/radio-choices.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useResolve } from './payments.api.ts';
import { requestActions as texts } from './payments-texts.ts';

interface ResolveDialogProps {
  request: PaymentRequest;
  onClose: () => void;
}

const CHOICES = [
  { value: 'apply', label: texts.apply, text: texts.applyText },
  { value: 'close', label: texts.close, text: texts.closeText },
] as const;

const WORDS = {
  title: texts.resolveTitle,
  submit: texts.resolveSubmit,
  busy: texts.resolving,
  failed: texts.resolveFailed,
};

/** 'Resolver': a person decides about a payment that needs a review (PAY-05). */
export function ResolveDialog({ request, onClose }: ResolveDialogProps) {
  const { review_reason: why } = request;
  const mayRenew = useMay()('licenses:renew');
  const mayApply = mayRenew && (why === null || !CLOSED_ONLY.includes(why));
  const resolve = useResolve(request.id);
  const choices = CHOICES.filter(({ value }) => value === 'close' || mayApply);
  return (
    <ActionDialog
      onClose={onClose}
      size="sm"
      words={WORDS}
      asksToDiscard={false}
      blank={{ action: mayApply ? '' : 'close', reason: '' }}
      check={({ action, reason }) => ({
        ...(action === '' && { action: texts.chooseDecision }),
        ...(reason.trim() === '' && { reason: REASON_REQUIRED }),
      })}
      send={async ({ action, reason }) => {
        await resolve.mutateAsync({ action: action === 'apply' ? 'apply' : 'close', reason });
        onClose();
        toasts.success(texts.resolved, request.client.name);
      }}
    >
      {({ values, errors, change, field }) => (
        <>
          {why !== null && (
            <Banner tone="warning" title={REVIEW_REASON_LABELS[why]} announce="note">
              {REVIEW_ADVICE[why]}
            </Banner>
          )}
          <RadioChoices
            label={texts.decision}
            choices={choices}
            value={choices.find(({ value }) => value === values.action)?.value ?? null}
            onChange={(action) => change({ action })}
            error={errors.action}
          />
          <Field label={texts.reason} required help={texts.reasonHelp} error={errors.reason}>
            <TextInput autoComplete="off" {...field('reason')} />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}
