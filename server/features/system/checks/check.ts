import type { CheckId, Finding } from '../../../../contract/system/system.ts';
import type { AppContext } from '../../../context.ts';

/** What a check reads: of the server, or of `npm run doctor` beside it. */
export type CheckContext = Pick<AppContext, 'config' | 'db' | 'mailer' | 'now'> & {
  /** When the server started that checks itself: what waited while it was down is not late yet. */
  startedAt?: Date;
};

/** One thing that is looked at (OPS-01). Each is a constant in a file of its subject, and a line in all-checks.ts. */
export type Check = {
  id: CheckId;
  /** What must work before it can say anything: without it the check that asks for that has said so already. */
  needs: 'nothing' | 'database' | 'schema';
  /** It calls something beyond this machine: a drill (OUTBOUND=0) leaves it out. */
  callsOut?: true;
  /** How long it may take, in milliseconds; 15 seconds for one that does not say. */
  limitMs?: number;
  /** @returns null where there is nothing to look at, such as the certificate of an address without TLS */
  run: (context: CheckContext) => Promise<Finding | null>;
};

export const ok = (message: string): Finding => ({ state: 'ok', message, remedy: null });
export const warning = (message: string, remedy: string): Finding => ({ state: 'warning', message, remedy });
export const failure = (message: string, remedy: string): Finding => ({ state: 'failure', message, remedy });

/** '1.5 GB', with the units of disks. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`;
}

/** '1 trabajo', '3 trabajos'. */
export const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
