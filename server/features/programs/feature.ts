import type { Feature } from '../../feature.ts';
import { checkRoutes } from './checks/checks.routes.ts';
import { floatingSeatRoutes } from './floating-seats.routes.ts';
import { installationRoutes } from './installations.routes.ts';
import { integrationRoutes } from './integration.routes.ts';
import { lapsedSeatsJob } from './lapsed-seats-job.ts';
import { programRoutes } from './programs.routes.ts';
import { signingKeyRoutes } from './signing/signing-keys.routes.ts';
import { startOverdueJob } from './start-overdue-job.ts';

export const programsFeature: Feature = {
  rank: 3,
  routes: [
    signingKeyRoutes,
    installationRoutes,
    floatingSeatRoutes,
    programRoutes,
    checkRoutes,
    integrationRoutes,
  ],
  jobs: [lapsedSeatsJob, startOverdueJob],
};
