import { CHECK_IDS } from '../../../../contract/system/system.ts';
import { businessTimezone } from './business-timezone.ts';
import type { Check } from './check.ts';
import { configuration } from './configuration.ts';
import {
  database,
  migrations,
  pgTrgm,
  replicas,
  rights,
  statementTimeout,
  writeAheadLog,
} from './database.ts';
import { clock, disk } from './machine.ts';
import { dkim, dmarc, smtp, spf } from './mail.ts';
import { certificate, publicUrl } from './public-url.ts';
import { readStandby } from './read-standby.ts';
import { secretKey } from './secret-key.ts';
import { backup, jobs, mails, webhooks } from './work.ts';

/** The checks that the server itself runs. `npm run doctor` adds those that read whole tables or try to sign in. */
export const SERVER_CHECKS: readonly Check[] = inOrder([
  configuration,
  publicUrl,
  certificate,
  clock,
  disk,
  writeAheadLog,
  database,
  pgTrgm,
  rights,
  statementTimeout,
  replicas,
  readStandby,
  smtp,
  spf,
  dmarc,
  dkim,
  secretKey,
  migrations,
  backup,
  jobs,
  mails,
  webhooks,
  businessTimezone,
]);

/** Sorts checks in the order in which they are shown. */
export function inOrder(checks: readonly Check[]): Check[] {
  return [...checks].sort((a, b) => CHECK_IDS.indexOf(a.id) - CHECK_IDS.indexOf(b.id));
}
