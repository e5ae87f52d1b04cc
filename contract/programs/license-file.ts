import { z } from 'zod';
import { optionalLine } from '../base/text.ts';
import { INSTALLATION_MESSAGES, machineCredentials } from './installations.ts';

/** A signed file for a computer without network (PROG-02). */

export const FILE_DAYS_DEFAULT = 30;

const LICENSE_FILE_BEGIN = '-----BEGIN LICENSE FILE-----';
const LICENSE_FILE_END = '-----END LICENSE FILE-----';
const COLUMNS = 64;

const FILE_MESSAGES = {
  machine: INSTALLATION_MESSAGES.machineIdRequired,
  days: 'Los días deben ser un número entero mayor a 0',
} as const;

/** The number of days is reduced so that the file does not outlast the licence and its grace. */
export const licenseFileRequest = z
  .object({
    machine_id: machineCredentials.machine_id,
    machine_name: optionalLine(200).prefault(''),
    ttl_days: z
      .number(FILE_MESSAGES.days)
      .int(FILE_MESSAGES.days)
      .min(1, FILE_MESSAGES.days)
      .default(FILE_DAYS_DEFAULT),
  })
  .meta({ examples: [{ machine_id: 'caja-02', machine_name: 'Caja 2', ttl_days: 30 }] });
export type LicenseFileValues = z.output<typeof licenseFileRequest>;

/** The text of a license file: the token in lines of 64 characters, between a begin line and an end line. */
export function licenseFileText(token: string): string {
  const lines = token.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? [];
  return `${[LICENSE_FILE_BEGIN, ...lines, LICENSE_FILE_END].join('\n')}\n`;
}
