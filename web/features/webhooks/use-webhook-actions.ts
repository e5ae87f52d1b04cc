import { type Delivery, WEBHOOK_PROBLEM_LABELS, type Webhook } from '../../../contract/system/webhooks.ts';
import { useAction } from '../../components/record/use-action.ts';
import { deliveryTexts, webhookTexts as texts } from '../../text/es-webhooks.ts';
import { toasts } from '../../ui/toasts.ts';
import { useReactivate, useResend, useSendTest } from './webhooks.api.ts';

/** The receiver's answer to the last attempt as text: 'El receptor respondió con un error (500)'. */
export function outcomeOf({ attempts: [last] }: Pick<Delivery, 'attempts'>): string | null {
  if (last === undefined) return null;
  if (last.problem === null) return deliveryTexts.accepted(last.status);
  return WEBHOOK_PROBLEM_LABELS[last.problem] + deliveryTexts.answered(last.status);
}

/** Shows the result of an attempt that a person started. */
function report(delivery: Delivery, accepted: string, refused: string): void {
  const outcome = outcomeOf(delivery) ?? undefined;
  if (delivery.attempts[0]?.problem === null) toasts.success(accepted, outcome);
  else toasts.error(refused, outcome);
}

/** 'Enviar prueba': sends a test message to a webhook and shows the result in a toast. */
export function useTest() {
  const test = useSendTest();
  return useAction(texts.testFailed, async (id: number) => {
    report(await test.mutateAsync(id), texts.testDone, texts.testRefused);
  });
}

/** 'Reenviar': sends the same message again. */
export function useSendAgain(webhook: number) {
  const resend = useResend(webhook);
  return useAction(deliveryTexts.resendFailed, async (id: number) => {
    report(await resend.mutateAsync(id), deliveryTexts.resent, deliveryTexts.refused);
  });
}

/** 'Reactivar': switches a webhook on again after the server disabled it. */
export function useSwitchOn() {
  const reactivate = useReactivate();
  return useAction(texts.toasts.updateFailed, async (webhook: Webhook) => {
    await reactivate.mutateAsync(webhook);
    toasts.success(texts.toasts.updated, webhook.url);
  });
}
