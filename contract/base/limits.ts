/** Business constants and limits of the specification (section 9) and of docs/promises.md, each defined once. */

export const PAGE_SIZES = [5, 10, 20, 50] as const;
export const DEFAULT_PAGE_SIZE = 5;
/** A larger page_size is reduced to this, not refused (D045). */
export const MAX_PAGE_SIZE = 100;
/** The most rows of a list without page and page_size (D045). */
export const UNPAGED_ROWS = 1000;

export const USERNAME_MIN = 3;
export const USERNAME_MAX = 50;
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 200;

export const SEARCH_MIN = 2;
export const SEARCH_MAX = 100;
export const BULK_IDS_MAX = 100;
/** Largest amount of money that is accepted, in any currency: ten digits before the point. */
export const MONEY_MAX = 9_999_999_999.99;
/** Largest count of seats or days that is accepted; it allows a hundred years of days. */
export const COUNT_MAX = 1_000_000;
export const VALIDITY_DAYS_MAX = 36_525;
/** The most days after its issue until which a licence may wait for its first activation (SELL-01). */
export const ACTIVATE_BY_DAYS_MAX = 3650;
/** The most days of updates that are sold at once, a hundred years (SELL-02). */
export const UPDATES_DAYS_MAX = 36_525;
/** The most days for which an installed program keeps working after the end of its licence (LIFE-13). */
export const GRACE_DAYS_MAX = 365;

/** The most days for which an installed program works without the server (PROG-03). */
export const OFFLINE_DAYS_MAX = 365;

/** How long a floating seat is held without a sign of its program, in minutes: 5 minutes to a week (PROG-05). */
export const LEASE_MINUTES_MIN = 5;
export const LEASE_MINUTES_MAX = 10_080;
/** The most machines that a licence's own programs may release in a month (PROG-06). */
export const RELEASES_MAX = 1000;
/** The longest version and system that a program reports (PROG-06). */
export const PROGRAM_TEXT_MAX = 100;

/** The features of a type or licence, and the characters of one that is a text (PROG-04). */
export const FEATURES_MAX = 100;
export const FEATURE_TEXT_MAX = 200;

/** The meters of a type or licence, the highest limit of one, the most in one record, and the records of one call (SELL-03). */
export const METERS_MAX = 20;
export const METER_LIMIT_MAX = 1_000_000_000_000;
export const METER_AMOUNT_MAX = 1_000_000_000;
export const USAGE_RECORDS_MAX = 100;

/** The currency of the vendor until the setting `currency` names another. */
export const DEFAULT_CURRENCY = 'MXN';

export const DISCOUNT_MIN = 0;
export const DISCOUNT_MAX = 100;

/** An installation is active within this time of its last heartbeat (SEED-9-10), in milliseconds. */
export const HEARTBEAT_WINDOW_MS = 24 * 60 * 60 * 1000;

export const LICENSE_DEFAULTS = {
  license_type: 'premium',
  status: 'active',
  max_installations: 5,
  expiry_days: 365,
  price: 100,
  discount_percentage: 0,
  grace_days: 0,
  offline_days: 7,
} as const;

/** The trial key of whoever programs a software. */
export const TRIAL_DAYS = 30;
export const TRIAL_SEATS = 5;

/** The longest id that a record may have in another system (API-01). */
export const EXTERNAL_ID_MAX = 200;

/** The value stored for a blank text of a client (SEED-9-09). */
export const UNSPECIFIED = 'Sin especificar';
export const CLIENT_DEFAULTS = {
  client_type: 'individual',
  status: 'active',
  company: UNSPECIFIED,
  address: UNSPECIFIED,
  city: UNSPECIFIED,
  state: UNSPECIFIED,
  contact_person: UNSPECIFIED,
  country: 'México',
  postal_code: '00000',
} as const;

/** The dashboard and the notification bell list licences that expire within this many days. */
export const EXPIRING_SOON_DAYS = 30;

/** Within this many days the end of a licence calls for work today. */
export const EXPIRING_WEEK_DAYS = 7;

/** Statuses of usable licences, until their date (D067). */
export const HOLDING_STATUSES = ['active', 'trial'] as const;

/** The shortest password that a person may set; registration keeps the specification's (PEOPLE-04). */
export const NEW_PASSWORD_MIN = 8;
/** The length that the meter advises. */
export const NEW_PASSWORD_ADVISED = 15;
