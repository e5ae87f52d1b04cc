import type { Feature } from '../../feature.ts';
import { clientMoneyRoutes } from './client-money.routes.ts';
import { notifyRoutes } from './notify.routes.ts';
import { payRoutes } from './pay.routes.ts';
import { closeCheckoutsJob, demoPaymentJob, paymentExpiryJob, paymentPollJob } from './payment-jobs.ts';
import { paymentRequestRoutes } from './payment-requests.routes.ts';
import { paymentSettingsRoutes } from './payment-settings.routes.ts';
import { paymentRoutes } from './payments.routes.ts';
import { paymentNotificationJob } from './take-notification.ts';

export const paymentsFeature: Feature = {
  rank: 5,
  routes: [
    paymentRequestRoutes,
    paymentRoutes,
    clientMoneyRoutes,
    payRoutes,
    notifyRoutes,
    paymentSettingsRoutes,
  ],
  jobs: [paymentExpiryJob, paymentPollJob, paymentNotificationJob, closeCheckoutsJob, demoPaymentJob],
};
