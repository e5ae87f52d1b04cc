import { clientRequests } from './client-requests.ts';
import { expiredUnrenewed, expiring, trialEnding } from './ending-licenses.ts';
import { failedMails } from './failed-mails.ts';
import { backupLate, webhookDisabled } from './installation.ts';
import { noteDue } from './note-due.ts';
import { paymentReviews } from './payment-reviews.ts';
import { refusedPrograms } from './refused-programs.ts';
import type { TodaySource } from './source.ts';
import { transferNotices } from './transfer-notices.ts';

/** Every kind of row, in the order of urgency (TODAY_KINDS). A new kind is one entry here. */
export const TODAY_SOURCES: readonly TodaySource[] = [
  transferNotices,
  paymentReviews,
  clientRequests,
  refusedPrograms,
  noteDue,
  expiring,
  trialEnding,
  expiredUnrenewed,
  failedMails,
  webhookDisabled,
  backupLate,
];
