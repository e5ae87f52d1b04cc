import type { CheckId, Finding } from '../../../../contract/system/system.ts';
import type { AppContext } from '../../../context.ts';

/** What a check can use: the objects of the server, or of `npm run doctor`. */
export type CheckContext = Pick<AppContext, 'config' | 'db' | 'mailer' | 'now'> & {
  /**
   * When the server started, if it is the server that runs the check: work that waited while it was down is not late
   * yet.
   */
  startedAt?: Date;
};

/**
 * One check of the installation (OPS-01). Each check is a constant in a file of its subject, and a line in
 * all-checks.ts.
 */
export type Check = {
  id: CheckId;
  /**
   * What the check needs in order to run. If that is missing, the check is skipped, because another check already
   * reports it.
   */
  needs: 'nothing' | 'database' | 'schema';
  /** True if it calls something beyond this machine; a drill (OUTBOUND=0) skips it. */
  callsOut?: true;
  /** Its time limit, in milliseconds. Default: 15 seconds. */
  limitMs?: number;
  /** @returns null if there is nothing to check, such as the certificate of an address without TLS */
  run: (context: CheckContext) => Promise<Finding | null>;
};

export const ok = (message: string): Finding => ({ state: 'ok', message, remedy: null });
export const warning = (message: string, remedy: string): Finding => ({ state: 'warning', message, remedy });
export const failure = (message: string, remedy: string): Finding => ({ state: 'failure', message, remedy });

/** '1.5 GB', with decimal units as for disks. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`;
}

/** '1 trabajo', '3 trabajos'. */
export const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
