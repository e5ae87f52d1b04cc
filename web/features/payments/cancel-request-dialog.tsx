import { REASON_REQUIRED } from '../../../contract/base/required.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { ActionDialog } from '../../components/record/action-dialog.tsx';
import { ActionQuestion } from '../../components/record/action-question.tsx';
import { actions } from '../../text/es.ts';
import { formatPrice } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { rounded } from './amounts.ts';
import { useCancelRequest } from './payments.api.ts';
import { requestActions as texts } from './payments-texts.ts';

interface CancelRequestProps {
  request: PaymentRequest;
  onClose: () => void;
}

const WORDS = {
  title: texts.cancelTitle,
  submit: texts.cancelConfirm,
  busy: texts.cancelling,
  failed: texts.cancelFailed,
};

/** 'Cancelar cobro' (PAY-01). */
export function CancelQuestion({ request, onClose }: CancelRequestProps) {
  const cancel = useCancel(request);
  return (
    <ActionQuestion
      title={texts.cancelTitle}
      text={texts.cancelText(request.client.name)}
      confirmLabel={texts.cancelConfirm}
      busyLabel={texts.cancelling}
      tone="danger"
      run={() => cancel('')}
      failed={texts.cancelFailed}
      onClose={onClose}
    />
  );
}

/** 'Cancelar cobro' after a part of it came in: the payments stay, and somebody says why (MONEY-06). */
export function CancelPartialDialog({ request, onClose }: CancelRequestProps) {
  const cancel = useCancel(request);
  const { client, amount, due, currency } = request;
  return (
    <ActionDialog
      onClose={onClose}
      size="sm"
      words={WORDS}
      submitVariant="danger"
      closeLabel={actions.back}
      asksToDiscard={false}
      blank={{ reason: '' }}
      check={({ reason }) => (reason.trim() === '' ? { reason: REASON_REQUIRED } : {})}
      send={async ({ reason }) => {
        await cancel(reason);
        onClose();
      }}
    >
      {({ errors, field }) => (
        <>
          <Banner tone="warning" announce="note">
            {texts.cancelKeeps(formatPrice(rounded(amount - due), currency))}
          </Banner>
          <p className="text-muted">{texts.cancelText(client.name)}</p>
          <Field label={texts.reason} required help={texts.reasonHelp} error={errors.reason}>
            <TextInput autoComplete="off" {...field('reason')} />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}

function useCancel({ id, client }: PaymentRequest) {
  const { mutateAsync } = useCancelRequest(id);
  return async (reason: string) => {
    await mutateAsync({ reason });
    toasts.success(texts.cancelled, client.name);
  };
}
