import {
  type AuditSearch,
  type ClientsSearch,
  type ImportsSearch,
  type KeysSearch,
  type LicensesSearch,
  type LicenseTypesSearch,
  type MailsSearch,
  PATHS,
  parseSearch,
  type ReportsSearch,
  type SoftwareSearch,
  stringifySearch,
  type UsersSearch,
  type WebhooksSearch,
} from '../paths.ts';

/**
 * The addresses that read search parameters. web/router.tsx does not compile when a screen reads others than this list
 * says; the list does not follow from web/screens.ts, since the type of a screen would then depend on itself.
 */
interface Searches {
  [PATHS.clients]: ClientsSearch;
  [PATHS.client]: ClientsSearch;
  [PATHS.licenses]: LicensesSearch;
  [PATHS.license]: LicensesSearch;
  [PATHS.licenseTypes]: LicenseTypesSearch;
  [PATHS.software]: SoftwareSearch;
  [PATHS.softwareItem]: SoftwareSearch;
  [PATHS.imports]: ImportsSearch;
  [PATHS.import]: ImportsSearch;
  [PATHS.reports]: ReportsSearch;
  [PATHS.mails]: MailsSearch;
  [PATHS.users]: UsersSearch;
  [PATHS.apiKeys]: KeysSearch;
  [PATHS.webhooks]: WebhooksSearch;
  [PATHS.audit]: AuditSearch;
}

/** An address that links may name. */
export type Path = (typeof PATHS)[keyof typeof PATHS];

/** What a step of the history holds beside its address. */
export interface PlaceState {
  /** On the sign-in screen: the address at which the session ended (D004). */
  from?: string | undefined;
  /** Marks a dialog that was opened from its list: closing it goes back one step. */
  overList?: boolean;
}

/** Search parameters whose screen is not known. */
export type AnySearch = Record<string, unknown>;

/** What the screen at an address reads; the current address of '.' is not known. */
export type SearchOf<To extends string> = To extends keyof Searches
  ? Searches[To]
  : To extends Path
    ? object
    : AnySearch;

/** What may be given to it. */
type Given<To extends string> = To extends keyof Searches ? Searches[To] : object;

/** 'id' of '/clients/$id'. */
type ParamOf<To extends string> = To extends `${string}$${infer Name}/${string}`
  ? Name
  : To extends `${string}$${infer Name}`
    ? Name
    : never;

type ParamsOf<To extends string> = string extends To
  ? { params?: Record<string, string> }
  : [ParamOf<To>] extends [never]
    ? { params?: undefined }
    : { params: Record<ParamOf<To>, string> };

/** An address of the console, '.' for the current one, or a path that is known at run time only. */
type Known<To extends string> = string extends To ? unknown : To extends Path | '.' ? unknown : never;

/** Where a link or a navigation leads. */
export type Target<To extends string> = {
  to: To & Known<NoInfer<To>>;
  /** `true` keeps what the address has now. Default: none. */
  search?: true | Given<To> | ((now: SearchOf<To>) => Given<To>) | undefined;
  /** `true` keeps what the step has now. Default: none. */
  state?: true | PlaceState | undefined;
  /** Replaces the current step of the history. */
  replace?: boolean | undefined;
} & ParamsOf<NoInfer<To>>;

/** A target whose types were checked where it was written. */
export interface AnyTarget {
  to: string;
  search?: unknown;
  params?: Record<string, string> | undefined;
  state?: true | PlaceState | undefined;
  replace?: boolean | undefined;
}

/** A path and the search parameters behind it. */
export interface Address {
  path: string;
  search: AnySearch;
}

export const hrefOf = ({ path, search }: Address): string => path + stringifySearch(search);

/** Reads '/clients?q=ana'; what stands behind '#' belongs to the browser. */
export function readHref(href: string): Address {
  const [address = ''] = href.split('#', 1);
  const [path = '', text = ''] = address.split(/\?(.*)/s, 2);
  return { path, search: parseSearch(text) };
}

/** The address of a target, seen from the current one. */
export function addressOf({ to, params, search }: AnyTarget, now: Address): Address {
  const path =
    to === '.' ? now.path : to.replace(/\$(\w+)/g, (_, name) => encodeURIComponent(params?.[name] ?? ''));
  if (search === true) return { path, search: now.search };
  if (typeof search === 'function') return { path, search: search(now.search) };
  return { path, search: (search ?? {}) as AnySearch };
}
