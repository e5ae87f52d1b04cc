import { queryOptions } from '@tanstack/react-query';
import type { Health } from '../../contract/system/health.ts';
import { setBusinessTimeZone } from '../text/format.ts';
import { ApiError } from './api-error.ts';
import { adoptEmailTransport } from './email-transport.ts';
import { request } from './http.ts';
import { KEYS } from './query-keys.ts';
import { readStored, writeStored } from './storage.ts';

/** Both paths give the same answer (D036); the sign-in screen uses the first, the dashboard the second. */
export const HEALTH_PATHS = { auth: '/api/health/', licenses: '/licenses/api/health/' } as const;

const TIME_ZONE_KEY = 'license_manager_timezone';

/**
 * Fetches the server's health. Throws for every status but 2xx, including 503 (D035). Stores two values of the answer:
 * the business time zone, in which the console shows dates, and the mail transport.
 */
export async function fetchHealth(path: string, signal?: AbortSignal): Promise<Health> {
  const health = await request<Health>('GET', path, { signal });
  if (health?.business_timezone !== undefined) {
    setBusinessTimeZone(health.business_timezone);
    writeStored(TIME_ZONE_KEY, health.business_timezone);
  }
  adoptEmailTransport(health?.email_transport);
  return health;
}

/** Restores the time zone of an earlier visit; call it once, before the first screen. */
export function recallTimeZone(): void {
  const timeZone = readStored(TIME_ZONE_KEY);
  if (timeZone !== null) setBusinessTimeZone(timeZone);
}

/** Fetches whether the demo account exists, for the sign-in screen (D006). Never retried. */
export const healthQuery = queryOptions({
  queryKey: [KEYS.health, 'sign-in'],
  queryFn: ({ signal }) => fetchHealth(HEALTH_PATHS.auth, signal),
  retry: false,
  staleTime: 0,
});

/** Whether each part works, as the server reports it; null if there is no answer. */
export interface SystemState {
  database: boolean | null;
  api: boolean | null;
  email: boolean | null;
}

const STATUS_REFRESH_MS = 60_000;

/** The system state for the dashboard's card, fetched in the background (D016). */
export const systemStateQuery = queryOptions({
  queryKey: [KEYS.health, 'system'],
  queryFn: async ({ signal }): Promise<SystemState> => readSystemState(await askHealth(signal)),
  retry: false,
  staleTime: STATUS_REFRESH_MS,
  refetchInterval: STATUS_REFRESH_MS,
});

/** The server's answer, also a 503 with its body; null if there is no answer. */
type HealthReport = { status: number; body: Partial<Health> } | null;

async function askHealth(signal: AbortSignal): Promise<HealthReport> {
  try {
    return { status: 200, body: await fetchHealth(HEALTH_PATHS.licenses, signal) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) return null;
    return { status: error.status, body: error.body };
  }
}

/** The status codes of a load balancer that cannot reach the server behind it. */
const GATEWAY_SILENCE = [502, 504];

/**
 * A word on the card changes only when the server reports a failure explicitly (D016). A missing answer, or a status
 * without details about the parts, is no such report.
 */
export function readSystemState(report: HealthReport): SystemState {
  if (report === null) return { database: null, api: null, email: null };
  const { status, body } = report;
  const working = (part: unknown) => (part === 'ok' ? true : part === 'error' ? false : null);
  return {
    database: working(body.database),
    api: !GATEWAY_SILENCE.includes(status),
    email: working(body.email),
  };
}
