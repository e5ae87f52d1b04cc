import type { Routes } from '../http/routes.ts';
import type { Job } from '../jobs/define-job.ts';
import { bulkRoutes } from './bulk/bulk.routes.ts';
import { bulkJob } from './bulk/bulk-job.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { clientRoutes } from './clients/clients.routes.ts';
import { statisticsRoutes } from './dashboard/statistics.routes.ts';
import { developerKitRoutes } from './developer-kit/developer-kit.routes.ts';
import { eventRoutes } from './events/events.routes.ts';
import { daySumsJob } from './figures/fold-days.ts';
import { importJob } from './imports/import-job.ts';
import { importRoutes } from './imports/imports.routes.ts';
import { licenseTypeRoutes } from './license-types/license-types.routes.ts';
import { certificateRoutes } from './licenses/certificate.routes.ts';
import { licenseRoutes } from './licenses/licenses.routes.ts';
import { lifecycleRoutes } from './licenses/lifecycle.routes.ts';
import { mailJob } from './mail/mail-job.ts';
import { mailRoutes } from './mail/mails.routes.ts';
import { mailTemplateRoutes } from './mail-templates/mail-templates.routes.ts';
import { notificationRoutes } from './notifications/notifications.routes.ts';
import { notifyRoutes } from './payments/notify.routes.ts';
import { payRoutes } from './payments/pay.routes.ts';
import {
  closeCheckoutsJob,
  demoPaymentJob,
  paymentExpiryJob,
  paymentNoteJob,
  paymentPollJob,
} from './payments/payment-jobs.ts';
import { paymentRequestRoutes } from './payments/payment-requests.routes.ts';
import { paymentSettingsRoutes } from './payments/payment-settings.routes.ts';
import { paymentRoutes } from './payments/payments.routes.ts';
import { accountRoutes } from './people/account/account.routes.ts';
import { apiKeyRoutes } from './people/api-keys/api-keys.routes.ts';
import { expiringKeysJob } from './people/api-keys/expiring-keys-job.ts';
import { secondFactorRoutes } from './people/second-factor/second-factor.routes.ts';
import { authRoutes } from './people/sign-in/auth.routes.ts';
import { userRoutes } from './people/users/users.routes.ts';
import { portalRoutes } from './portal/portal.routes.ts';
import { portalLicenseRoutes } from './portal/portal-licenses.routes.ts';
import { portalLinkJob } from './portal/portal-link-job.ts';
import { portalLinkRoutes } from './portal/portal-links.routes.ts';
import { privacyRoutes } from './privacy/privacy.routes.ts';
import { checkRoutes } from './programs/checks/checks.routes.ts';
import { installationRoutes } from './programs/installations.routes.ts';
import { integrationRoutes } from './programs/integration.routes.ts';
import { lapsedSeatsJob } from './programs/lapsed-seats-job.ts';
import { programRoutes } from './programs/programs.routes.ts';
import { signingKeyRoutes } from './programs/signing/signing-keys.routes.ts';
import { startOverdueJob } from './programs/start-overdue-job.ts';
import { digestJob } from './reminders/digest-job.ts';
import { expiryJob } from './reminders/expiry-job.ts';
import { reminderJob } from './reminders/reminder-job.ts';
import { unsubscribeRoutes } from './reminders/unsubscribe.routes.ts';
import { fiscalRoutes } from './reports/fiscal.routes.ts';
import { refreshJob, reportJob } from './reports/report-job.ts';
import { reportRoutes } from './reports/reports.routes.ts';
import { searchRoutes } from './search/search.routes.ts';
import { logoRoutes } from './settings/logo.routes.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { softwareRoutes } from './software/software.routes.ts';
import { systemChecksJob } from './system/checks/system-checks-job.ts';
import { backupJob } from './system/copies/backup-job.ts';
import { healthRoutes } from './system/health/health.routes.ts';
import { housekeepingJob } from './system/housekeeping/housekeeping-job.ts';
import { planStatisticsJob } from './system/housekeeping/plan-statistics-job.ts';
import { retentionJob } from './system/housekeeping/retention-job.ts';
import { systemRoutes } from './system/system.routes.ts';
import { trialRoutes } from './trials/trials.routes.ts';
import { usageRoutes } from './usage/usage.routes.ts';
import { viewRoutes } from './views/views.routes.ts';
import { webhookDeliveryRoutes } from './webhooks/deliveries.routes.ts';
import { webhookJob } from './webhooks/webhook-job.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';

/** The list of all routes and jobs. A new route file or job needs one line here; app.ts and start.ts do not change. */

/** The routes of each feature, in the order of the API's page. */
export const ROUTES: readonly Routes[] = [
  healthRoutes,
  authRoutes,
  accountRoutes,
  secondFactorRoutes,
  userRoutes,
  apiKeyRoutes,
  signingKeyRoutes,
  softwareRoutes,
  licenseTypeRoutes,
  catalogRoutes,
  installationRoutes,
  programRoutes,
  checkRoutes,
  usageRoutes,
  trialRoutes,
  integrationRoutes,
  developerKitRoutes,
  licenseRoutes,
  lifecycleRoutes,
  certificateRoutes,
  clientRoutes,
  privacyRoutes,
  paymentRequestRoutes,
  paymentRoutes,
  payRoutes,
  notifyRoutes,
  bulkRoutes,
  importRoutes,
  statisticsRoutes,
  fiscalRoutes,
  reportRoutes,
  eventRoutes,
  searchRoutes,
  viewRoutes,
  settingsRoutes,
  paymentSettingsRoutes,
  logoRoutes,
  unsubscribeRoutes,
  mailTemplateRoutes,
  mailRoutes,
  notificationRoutes,
  portalRoutes,
  portalLicenseRoutes,
  portalLinkRoutes,
  webhookRoutes,
  webhookDeliveryRoutes,
  systemRoutes,
];

/** All background jobs. */
export const JOBS: readonly Job[] = [
  mailJob,
  bulkJob,
  importJob,
  housekeepingJob,
  retentionJob,
  expiryJob,
  lapsedSeatsJob,
  startOverdueJob,
  reminderJob,
  digestJob,
  expiringKeysJob,
  reportJob,
  refreshJob,
  portalLinkJob,
  paymentExpiryJob,
  paymentPollJob,
  paymentNoteJob,
  closeCheckoutsJob,
  demoPaymentJob,
  webhookJob,
  daySumsJob,
  planStatisticsJob,
  systemChecksJob,
  backupJob,
];
