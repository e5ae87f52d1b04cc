import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { NotificationPage } from '../../../contract/mail/notifications.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';

const PATH = '/licenses/api/notifications/';

/** The same interval as on the dashboard (SEED-4-29). */
const REFRESH_MS = 30_000;

/**
 * The notifications, with a mark for those that the user has read. The query key begins with the key of licences, so
 * that a changed licence refetches them.
 */
export const notificationsQuery = queryOptions({
  queryKey: [KEYS.licenses, 'notifications'],
  queryFn: ({ signal }) => request<NotificationPage>('GET', PATH, { signal }),
  refetchInterval: REFRESH_MS,
});

/** Marks notifications as read. A failure is not shown: they stay unread. */
export function useReadNotifications() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      await request('POST', `${PATH}read/`, { body: { ids } });
      return new Set(ids);
    },
    onSuccess: async (read) => {
      await queryClient.cancelQueries({ queryKey: notificationsQuery.queryKey });
      queryClient.setQueryData(notificationsQuery.queryKey, (now) => {
        if (now === undefined) return now;
        const results = now.results.map((item) => (read.has(item.id) ? { ...item, read: true } : item));
        return { unread: results.filter((item) => !item.read).length, results };
      });
    },
  });
}
