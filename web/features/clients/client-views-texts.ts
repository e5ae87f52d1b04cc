/** Separate from es-lists.ts, which every list loads first. */

/** The predefined views of the list of clients: those with the most licences, pending ones, suspended ones. */
export const READY_CLIENT_VIEWS = [
  { name: 'Con más licencias', query: 'status=active&ordering=-license_count' },
  { name: 'Pendientes', query: 'status=pending' },
  { name: 'Suspendidos', query: 'status=suspended' },
] as const;
