import { z } from 'zod';
import { PORTAL_FEATURES, type PortalFeature } from './portal-words.ts';

/** A boolean for each feature. The type of Object.fromEntries loses the keys, so a cast restores them. */
const switches = Object.fromEntries(PORTAL_FEATURES.map((name) => [name, z.boolean()])) as Record<
  PortalFeature,
  z.ZodBoolean
>;

/** The setting `portal_features`: what clients can do in the portal (PORTAL-05). */
export const portalFeatures = z.object(switches).meta({ id: 'PortalFeatures' });
