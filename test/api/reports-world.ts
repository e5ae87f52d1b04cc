import type { Currency } from '../../contract/base/money.ts';
import type {
  ClientRow,
  InstallationRow,
  LicenseRecord,
  LicenseTermRow,
  SoftwareRow,
} from '../../server/db/tables.ts';
import type { Observed } from './license-history.ts';

/** What the independent computations of the reports compute from. */

export type World = {
  licenses: LicenseRecord[];
  terms: Pick<
    LicenseTermRow,
    | 'id'
    | 'license_id'
    | 'kind'
    | 'starts'
    | 'ends'
    | 'covers_until'
    | 'months'
    | 'price_cents'
    | 'currency'
    | 'created_at'
    | 'complimentary'
  >[];
  installations: InstallationRow[];
  clients: ClientRow[];
  software: Pick<SoftwareRow, 'id' | 'name' | 'version'>[];
  /** The observed states of each licence, oldest first. */
  observed: Map<number, Observed[]>;
};

export type Asked = {
  now: string;
  timeZone: string;
  /** The currency in the settings. */
  own: Currency;
  from: string;
  to: string;
  software: number | null;
  currency: Currency | null;
};
