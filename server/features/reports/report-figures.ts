import { periodOf } from '../figures/periods.ts';
import type { FigureKind } from '../figures/stored-figures.ts';
import { type Bought, type ClientFigures, findTop, measureClients } from './client-figures.ts';
import { measureUse, type Use } from './usage-figures.ts';

/** Seats and machines by software and currency; a single stored result serves all filters. */
export const USAGE: FigureKind<Use[]> = { part: 'usage', measure: (db, _asked, now) => measureUse(db, now) };

/** Clients by country, and clients at risk. */
export const CLIENTS: FigureKind<ClientFigures> = {
  part: 'clients',
  measure: (db, { software = null, currency = null }, now, timeZone) =>
    measureClients(db, now, timeZone, { software, currency }),
};

/** The clients that bought most in a period. */
export const TOP: FigureKind<Bought[]> = {
  part: 'top',
  measure: (db, { range, software = null, currency = null }, _now, timeZone) =>
    findTop(db, periodOf(range!, timeZone), { software, currency }),
};
