import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { setNotifications, setUnread, useUi } from '../screen/ui-store.ts';
import { expiringQuery } from './expiring-licenses.ts';
import { notificationsQuery } from './notifications.api.ts';

/** The bell requests its data after the screen has requested its own data, or when the bell is opened. */
const FIRST_ASK_MS = 4000;

/** Loads the bell's data into the store: licences that end soon, and the number of unread entries. */
export function useBellData(): void {
  const open = useUi((state) => state.modals.notifications);
  const due = useDueAfter(FIRST_ASK_MS);
  const { data } = useQuery({ ...expiringQuery, enabled: due || open });
  const { data: page } = useQuery({ ...notificationsQuery, enabled: due || open });
  useEffect(() => {
    if (data !== undefined) setNotifications(data);
  }, [data]);
  useEffect(() => {
    setUnread(page?.unread ?? 0);
  }, [page]);
}

/** False at first, true after the given time. */
function useDueAfter(milliseconds: number): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return due;
}
