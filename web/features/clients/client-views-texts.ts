/** Apart from es-lists.ts, which the first load of every list holds. */

/** The ready views of the clients: whom to call first, who waits, and who is held up. */
export const READY_CLIENT_VIEWS = [
  { name: 'Con más licencias', query: 'status=active&ordering=-license_count' },
  { name: 'Pendientes', query: 'status=pending' },
  { name: 'Suspendidos', query: 'status=suspended' },
] as const;
