import type { Feature } from '../../feature.ts';
import { accountRoutes } from './account/account.routes.ts';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { expiringKeysJob } from './api-keys/expiring-keys-job.ts';
import { oidcRoutes } from './oidc/oidc.routes.ts';
import { passkeyRoutes } from './passkeys/passkeys.routes.ts';
import { secondFactorRoutes } from './second-factor/second-factor.routes.ts';
import { authRoutes } from './sign-in/auth.routes.ts';
import { userRoutes } from './users/users.routes.ts';

export const peopleFeature: Feature = {
  rank: 2,
  routes: [
    authRoutes,
    accountRoutes,
    secondFactorRoutes,
    oidcRoutes,
    passkeyRoutes,
    userRoutes,
    apiKeyRoutes,
  ],
  jobs: [expiringKeysJob],
};
