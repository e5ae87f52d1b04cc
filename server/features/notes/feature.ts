import type { Feature } from '../../feature.ts';
import { noteRoutes } from './notes.routes.ts';

export const notesFeature: Feature = {
  rank: 0,
  routes: [noteRoutes],
};
