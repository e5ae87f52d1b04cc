/** Business constants and limits of the specification (section 9) and of docs/promises.md, each defined once. */

export const PAGE_SIZES = [5, 10, 20, 50] as const;
export const DEFAULT_PAGE_SIZE = 5;
/** A larger page_size is reduced to this, not refused (D045). */
export const MAX_PAGE_SIZE = 100;
/** The most rows of a list without page and page_size (D045). */
export const UNPAGED_ROWS = 1000;
/** The most rows of a list inside the answer about one record: the newest. The list of these rows has all of them. */
export const EMBEDDED_ROWS = 100;

export const USERNAME_MIN = 3;
export const USERNAME_MAX = 50;
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 200;

export const SEARCH_MIN = 2;
export const SEARCH_MAX = 100;
/** The most characters of a text that is pasted for the licence key in it. */
export const PASTED_MAX = 500;
export const BULK_IDS_MAX = 100;
/** Largest amount of money that is accepted, in any currency: ten digits before the point. */
export const MONEY_MAX = 9_999_999_999.99;
/** Largest count of seats or days that is accepted; it allows a hundred years of days. */
export const COUNT_MAX = 1_000_000;
export const VALIDITY_DAYS_MAX = 36_525;
/** The most months of one term (MONEY-10). */
export const VALIDITY_MONTHS_MAX = 120;
/** The most days that a licence may wait for its first activation, counted from its issue (SELL-01). */
export const ACTIVATE_BY_DAYS_MAX = 3650;
/** The most days of updates that are sold at once, a hundred years (SELL-02). */
export const UPDATES_DAYS_MAX = 36_525;
/** The most days for which an installed program keeps working after the end of its licence (LIFE-13). */
export const GRACE_DAYS_MAX = 365;

/** The most days for which an installed program works without the server (PROG-03). */
export const OFFLINE_DAYS_MAX = 365;

/** How long a floating seat stays taken without a heartbeat, in minutes: 5 minutes to a week (PROG-05). */
export const LEASE_MINUTES_MIN = 5;
export const LEASE_MINUTES_MAX = 10_080;
/** The most machines that programs may release from a licence themselves in a month (PROG-06). */
export const RELEASES_MAX = 1000;
/** The most characters of the version and of the operating system that a program reports (PROG-06). */
export const PROGRAM_TEXT_MAX = 100;

/** The most features of a type or licence, and the most characters of a feature's text value (PROG-04). */
export const FEATURES_MAX = 100;
export const FEATURE_TEXT_MAX = 200;

/**
 * The most meters of a type or licence, the highest limit of a meter, the highest amount in one usage record, and the
 * most records in one call (SELL-03).
 */
export const METERS_MAX = 20;
export const METER_LIMIT_MAX = 1_000_000_000_000;
export const METER_AMOUNT_MAX = 1_000_000_000;
export const USAGE_RECORDS_MAX = 100;

/** The most tags of a client or licence, the most characters of one, and the most that are listed (DESK-03). */
export const TAGS_MAX = 20;
export const TAG_MAX = 40;
export const TAGS_LISTED = 500;

/** A client with more licences is not merged into another one (MERGE-01). */
export const MERGE_LICENSES_MAX = 5000;

/** The currency of the vendor while the setting `currency` has no other. */
export const DEFAULT_CURRENCY = 'MXN';

export const DISCOUNT_MIN = 0;
export const DISCOUNT_MAX = 100;

/** An installation counts as active for this time after its last heartbeat, in milliseconds (SEED-9-10). */
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

/** Days and seats of the trial key in the developer kit. */
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

/** The dashboard and the notification bell list licences that expire within this number of days. */
export const EXPIRING_SOON_DAYS = 30;

/** The dashboard lists licences that expire within this number of days as work for today. */
export const EXPIRING_WEEK_DAYS = 7;

/** The statuses with which a licence can be used until its expiry date (D067). */
export const HOLDING_STATUSES = ['active', 'trial'] as const;

/** The shortest password that a person may set (PEOPLE-04). Registration keeps the limit of the specification. */
export const NEW_PASSWORD_MIN = 8;
/** The password length that the strength meter recommends. */
export const NEW_PASSWORD_ADVISED = 15;
/** The shortest password of an administrator, however it is set (docs/decisions/116-one-password-rule-for-administrators.md). */
export const ADMIN_PASSWORD_MIN = NEW_PASSWORD_ADVISED;
