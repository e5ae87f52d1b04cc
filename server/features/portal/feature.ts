import type { Feature } from '../../feature.ts';
import { portalRoutes } from './portal.routes.ts';
import { portalLicenseRoutes } from './portal-licenses.routes.ts';
import { portalLinkJob } from './portal-link-job.ts';
import { portalLinkRoutes } from './portal-links.routes.ts';
import { receiptRoutes } from './receipt.routes.ts';

export const portalFeature: Feature = {
  rank: 6,
  routes: [portalRoutes, portalLicenseRoutes, portalLinkRoutes, receiptRoutes],
  jobs: [portalLinkJob],
};
