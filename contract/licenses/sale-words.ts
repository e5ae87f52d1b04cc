import type { SeatMode } from './seats.ts';
import type { StartMode } from './start.ts';

/** The words of what a licence sells. Apart from license-words.ts, which every list loads. */

export const START_MODE_LABELS: Record<StartMode, string> = {
  issue: 'Al emitirse',
  first_activation: 'Al activarse',
};

export const SEAT_MODE_LABELS: Record<SeatMode, string> = {
  fixed: 'Fijos por equipo',
  floating: 'Flotantes',
};
