import { type Delivery, WEBHOOK_PROBLEM_LABELS, type Webhook } from '../../../contract/system/webhooks.ts';
import { useAction } from '../../components/record/use-action.ts';
import { deliveryTexts, webhookTexts as texts } from '../../text/es-webhooks.ts';
import { toasts } from '../../ui/toasts.ts';
import { useReactivate, useResend, useSendTest } from './webhooks.api.ts';

/** What the receiver answered to the last attempt, in words: 'El receptor respondió con un error (500)'. */
export function outcomeOf({ attempts: [last] }: Pick<Delivery, 'attempts'>): string | null {
  if (last === undefined) return null;
  if (last.problem === null) return deliveryTexts.accepted(last.status);
  return WEBHOOK_PROBLEM_LABELS[last.problem] + deliveryTexts.answered(last.status);
}

/** Says how an attempt went that a person asked for. */
function report(delivery: Delivery, accepted: string, refused: string): void {
  const outcome = outcomeOf(delivery) ?? undefined;
  if (delivery.attempts[0]?.problem === null) toasts.success(accepted, outcome);
  else toasts.error(refused, outcome);
}

/** 'Enviar prueba': a message to this webhook now, with its outcome as a toast. */
export function useTest() {
  const test = useSendTest();
  return useAction(texts.testFailed, async (id: number) => {
    report(await test.mutateAsync(id), texts.testDone, texts.testRefused);
  });
}

/** 'Reenviar': the same message once more. */
export function useSendAgain(webhook: number) {
  const resend = useResend(webhook);
  return useAction(deliveryTexts.resendFailed, async (id: number) => {
    report(await resend.mutateAsync(id), deliveryTexts.resent, deliveryTexts.refused);
  });
}

/** 'Reactivar', after the server has disabled it. */
export function useSwitchOn() {
  const reactivate = useReactivate();
  return useAction(texts.toasts.updateFailed, async (webhook: Webhook) => {
    await reactivate.mutateAsync(webhook);
    toasts.success(texts.toasts.updated, webhook.url);
  });
}
