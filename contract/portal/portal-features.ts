import { z } from 'zod';
import { PORTAL_FEATURES, type PortalFeature } from './portal-words.ts';

/** One value for each switch; fromEntries forgets which names there are. */
const switches = Object.fromEntries(PORTAL_FEATURES.map((name) => [name, z.boolean()])) as Record<
  PortalFeature,
  z.ZodBoolean
>;

/** The setting `portal_features`, and what a client is offered (PORTAL-05). */
export const portalFeatures = z.object(switches).meta({ id: 'PortalFeatures' });
