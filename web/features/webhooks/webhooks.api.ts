import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type Delivery,
  type DeliveryRow,
  type DeliveryStatus,
  WEBHOOK_PATH,
  type Webhook,
  type WebhookValues,
  type WebhookWithSecret,
} from '../../../contract/system/webhooks.ts';
import { request } from '../../api/http.ts';
import { pageQuery } from '../../api/list-query.ts';
import { KEYS } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';

const pathOf = (id: number) => `${WEBHOOK_PATH}${id}/`;

/** How often a screen with messages on their way looks again. */
const AGAIN_MS = 5_000;

/** All webhooks, the newest first. */
export const webhooksQuery = queryOptions({
  queryKey: [KEYS.webhooks, 'list'],
  queryFn: async ({ signal }) =>
    (await request<{ results: Webhook[] }>('GET', WEBHOOK_PATH, { signal })).results,
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? AGAIN_MS : false),
});

/** One webhook. Cached data shows at once; opening it always refetches. */
export const webhookQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.webhooks, 'one', id],
    queryFn: ({ signal }) => request<Webhook>('GET', pathOf(id), { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? AGAIN_MS : false),
  });

/** How many messages a page of the details has. */
const DELIVERIES_PER_PAGE = 10;

/** The messages to a webhook, the newest first. */
export const deliveriesQuery = (
  id: number,
  { status, page }: { status?: DeliveryStatus | undefined; page?: number | undefined },
) => ({
  ...pageQuery<DeliveryRow>(
    { key: KEYS.webhooks, path: `${pathOf(id)}deliveries/`, filters: { status } },
    { page, page_size: DELIVERIES_PER_PAGE },
  ),
  queryKey: [KEYS.webhooks, 'deliveries', id, status, page ?? 1],
});

/** Looks again while a message waits. */
export const untilDelivered = (rows: readonly DeliveryRow[] | undefined) =>
  rows?.some(({ status }) => status === 'waiting') ? AGAIN_MS : false;

/** One message with its body. */
export const deliveryQuery = (webhook: number, id: number) =>
  queryOptions({
    queryKey: [KEYS.webhooks, 'delivery', id],
    queryFn: ({ signal }) => request<Delivery>('GET', `${pathOf(webhook)}deliveries/${id}/`, { signal }),
  });

/** A call about webhooks; afterwards, also after a refusal, all that shows them is read again. */
function useWebhookCall<Input, Answer>(call: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    // A secret stays in no cache.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [KEYS.webhooks] }),
  });
}

/** Creates a webhook (`id` null), whose answer has its secret, or changes one. */
export const useSaveWebhook = (id: number | null) =>
  useWebhookCall(({ values, headers, updatedAt }: SaveContext & { values: WebhookValues }) =>
    id === null
      ? request<Webhook | WebhookWithSecret>('POST', WEBHOOK_PATH, { body: values, headers })
      : request<Webhook | WebhookWithSecret>('PUT', pathOf(id), {
          body: { ...values, updated_at: updatedAt },
          headers,
        }),
  );

/** Switches a webhook on that the server had disabled. */
export const useReactivate = () =>
  useWebhookCall(({ id, updated_at }: Webhook) =>
    request<Webhook>('PUT', pathOf(id), { body: { is_active: true, updated_at } }),
  );

export const useRotateSecret = () =>
  useWebhookCall((id: number) => request<WebhookWithSecret>('POST', `${pathOf(id)}rotate_secret/`));

export const useDeleteWebhook = () => useWebhookCall((id: number) => request<unknown>('DELETE', pathOf(id)));

export const useSendTest = () =>
  useWebhookCall((id: number) => request<Delivery>('POST', `${pathOf(id)}test/`));

/** Sends a message again, with the same id. */
export const useResend = (webhook: number) =>
  useWebhookCall((id: number) => request<Delivery>('POST', `${pathOf(webhook)}deliveries/${id}/resend/`));
