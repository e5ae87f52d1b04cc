import type { Feature } from '../feature.ts';
import { bulkFeature } from './bulk/feature.ts';
import { catalogFeature } from './catalog/feature.ts';
import { clientsFeature } from './clients/feature.ts';
import { dashboardFeature } from './dashboard/feature.ts';
import { demoFeature } from './demo/feature.ts';
import { deskFeature } from './desk/feature.ts';
import { developerKitFeature } from './developer-kit/feature.ts';
import { eventsFeature } from './events/feature.ts';
import { figuresFeature } from './figures/feature.ts';
import { importsFeature } from './imports/feature.ts';
import { licenseTypesFeature } from './license-types/feature.ts';
import { licensesFeature } from './licenses/feature.ts';
import { mailFeature } from './mail/feature.ts';
import { mailServerFeature } from './mail-server/feature.ts';
import { mailTemplatesFeature } from './mail-templates/feature.ts';
import { mergesFeature } from './merges/feature.ts';
import { notesFeature } from './notes/feature.ts';
import { notificationsFeature } from './notifications/feature.ts';
import { paymentRequestsFeature } from './payment-requests/feature.ts';
import { paymentsFeature } from './payments/feature.ts';
import { peopleFeature } from './people/feature.ts';
import { portalFeature } from './portal/feature.ts';
import { privacyFeature } from './privacy/feature.ts';
import { programsFeature } from './programs/feature.ts';
import { remindersFeature } from './reminders/feature.ts';
import { reportsFeature } from './reports/feature.ts';
import { salesFeature } from './sales/feature.ts';
import { searchFeature } from './search/feature.ts';
import { settingsFeature } from './settings/feature.ts';
import { softwareFeature } from './software/feature.ts';
import { systemFeature } from './system/feature.ts';
import { tagsFeature } from './tags/feature.ts';
import { trialsFeature } from './trials/feature.ts';
import { usageFeature } from './usage/feature.ts';
import { viewsFeature } from './views/feature.ts';
import { webhooksFeature } from './webhooks/feature.ts';

/** The features of the program, in the order of the API's page. A new folder needs one line here. */
const FEATURES: readonly Feature[] = [
  systemFeature,
  peopleFeature,
  programsFeature,
  softwareFeature,
  licenseTypesFeature,
  catalogFeature,
  usageFeature,
  trialsFeature,
  developerKitFeature,
  licensesFeature,
  salesFeature,
  clientsFeature,
  notesFeature,
  tagsFeature,
  mergesFeature,
  privacyFeature,
  paymentsFeature,
  bulkFeature,
  importsFeature,
  dashboardFeature,
  deskFeature,
  reportsFeature,
  eventsFeature,
  searchFeature,
  viewsFeature,
  settingsFeature,
  remindersFeature,
  mailTemplatesFeature,
  mailFeature,
  mailServerFeature,
  notificationsFeature,
  portalFeature,
  webhooksFeature,
  figuresFeature,
  paymentRequestsFeature,
  demoFeature,
];

export const ROUTES = FEATURES.flatMap(({ routes = [] }) => routes);
export const JOBS = FEATURES.flatMap(({ jobs = [] }) => jobs);
