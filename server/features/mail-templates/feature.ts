import type { Feature } from '../../feature.ts';
import { mailTemplateRoutes } from './mail-templates.routes.ts';

export const mailTemplatesFeature: Feature = {
  rank: 0,
  routes: [mailTemplateRoutes],
};
