import { queryOptions } from '@tanstack/react-query';
import type { Health } from '../../contract/health.ts';
import { setBusinessTimeZone } from '../text/format.ts';
import { ApiError } from './api-error.ts';
import { request } from './http.ts';
import { KEYS } from './query-keys.ts';
import { readStored, writeStored } from './storage.ts';

/** Both paths answer the same (D036); the sign-in screen uses the first, the dashboard the second. */
export const HEALTH_PATHS = { auth: '/api/health/', licenses: '/licenses/api/health/' } as const;

const TIME_ZONE_KEY = 'license_manager_timezone';

/**
 * The server's state; any answer but 2xx throws, 503 included (D035). The business time zone that comes with it is
 * remembered: every date of the console is shown in it, and only the sign-in screen and the dashboard ask.
 */
export async function fetchHealth(path: string, signal?: AbortSignal): Promise<Health> {
  const health = await request<Health>('GET', path, { signal });
  if (health?.business_timezone !== undefined) {
    setBusinessTimeZone(health.business_timezone);
    writeStored(TIME_ZONE_KEY, health.business_timezone);
  }
  return health;
}

/** Takes the time zone that an earlier visit learned; called once, before the first screen. */
export function recallTimeZone(): void {
  const timeZone = readStored(TIME_ZONE_KEY);
  if (timeZone !== null) setBusinessTimeZone(timeZone);
}

/** What the sign-in screen wants to know: whether the demo account exists (D006). Never retried. */
export const healthQuery = queryOptions({
  queryKey: [KEYS.health, 'sign-in'],
  queryFn: ({ signal }) => fetchHealth(HEALTH_PATHS.auth, signal),
  retry: false,
  staleTime: 0,
});

/** Whether each part works, as far as a reachable server said so; null when nobody answered. */
export interface SystemState {
  database: boolean | null;
  api: boolean | null;
  email: boolean | null;
}

const STATUS_REFRESH_MS = 60_000;

/** The state of the system for the dashboard's card, asked in the background (D016). */
export const systemStateQuery = queryOptions({
  queryKey: [KEYS.health, 'system'],
  queryFn: async ({ signal }): Promise<SystemState> => readSystemState(await askHealth(signal)),
  retry: false,
  staleTime: STATUS_REFRESH_MS,
  refetchInterval: STATUS_REFRESH_MS,
});

/** What came back, a 503 with its body included; null when there was no answer at all. */
type HealthReport = { status: number; body: Partial<Health> } | null;

async function askHealth(signal: AbortSignal): Promise<HealthReport> {
  try {
    return { status: 200, body: await fetchHealth(HEALTH_PATHS.licenses, signal) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) return null;
    return { status: error.status, body: error.body };
  }
}

/** A balancer is there and says that the server behind it is not. */
const GATEWAY_SILENCE = [502, 504];

/**
 * Only a positive report of failure changes a word (D016): silence is no report, and neither is a status that says
 * nothing of the parts.
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
