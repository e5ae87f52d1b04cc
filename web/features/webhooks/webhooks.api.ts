import { queryOptions } from '@tanstack/react-query';
import type {
  Delivery,
  DeliveryRow,
  DeliveryStatus,
  Webhook,
  WebhookValues,
  WebhookWithSecret,
} from '../../../contract/system/webhooks.ts';
import { request } from '../../api/http.ts';
import { pageQuery } from '../../api/list-query.ts';
import { KEYS } from '../../api/query-keys.ts';
import { recordQuery, saveCall, useSecretCall } from '../../components/record/record-calls.ts';
import { apiOf } from '../../record-kinds.ts';

/** How often a screen with waiting messages is refetched. */
const AGAIN_MS = 5_000;

/** All webhooks, the newest first. */
export const webhooksQuery = queryOptions({
  queryKey: [KEYS.webhooks, 'list'],
  queryFn: async ({ signal }) =>
    (await request<{ results: Webhook[] }>('GET', apiOf('webhooks'), { signal })).results,
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? AGAIN_MS : false),
});

/** One webhook. */
export const webhookQuery = (id: number) =>
  queryOptions({
    ...recordQuery<Webhook>('webhooks', id),
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? AGAIN_MS : false),
  });

/** The number of messages on a page of the details. */
const DELIVERIES_PER_PAGE = 10;

/** The messages to a webhook, the newest first. */
export const deliveriesQuery = (
  id: number,
  { status, page }: { status?: DeliveryStatus | undefined; page?: number | undefined },
) => ({
  ...pageQuery<DeliveryRow>(
    { kind: 'webhooks', path: `${apiOf('webhooks', id)}deliveries/`, filters: { status } },
    { page, page_size: DELIVERIES_PER_PAGE },
  ),
  queryKey: [KEYS.webhooks, 'deliveries', id, status, page ?? 1],
});

/** The refetch interval while a message waits. */
export const untilDelivered = (rows: readonly DeliveryRow[] | undefined) =>
  rows?.some(({ status }) => status === 'waiting') ? AGAIN_MS : false;

/** One message with its body. */
export const deliveryQuery = (webhook: number, id: number) =>
  queryOptions({
    queryKey: [KEYS.webhooks, 'delivery', id],
    queryFn: ({ signal }) =>
      request<Delivery>('GET', `${apiOf('webhooks', webhook)}deliveries/${id}/`, { signal }),
  });

/** Creates a webhook (`id` null), whose answer contains its secret, or changes one. */
export const useSaveWebhook = (id: number | null) =>
  useSecretCall('webhooks', saveCall<WebhookValues, Webhook | WebhookWithSecret>('webhooks', id));

/** Switches a webhook on again that the server disabled. */
export const useReactivate = () =>
  useSecretCall('webhooks', ({ id, updated_at }: Webhook) =>
    request<Webhook>('PUT', apiOf('webhooks', id), { body: { is_active: true, updated_at } }),
  );

export const useRotateSecret = () =>
  useSecretCall('webhooks', (id: number) =>
    request<WebhookWithSecret>('POST', `${apiOf('webhooks', id)}rotate_secret/`),
  );

export const useDeleteWebhook = () =>
  useSecretCall('webhooks', (id: number) => request<unknown>('DELETE', apiOf('webhooks', id)));

export const useSendTest = () =>
  useSecretCall('webhooks', (id: number) => request<Delivery>('POST', `${apiOf('webhooks', id)}test/`));

/** Sends a message again with the same id. */
export const useResend = (webhook: number) =>
  useSecretCall('webhooks', (id: number) =>
    request<Delivery>('POST', `${apiOf('webhooks', webhook)}deliveries/${id}/resend/`),
  );
