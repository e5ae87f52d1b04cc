import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Permission } from '../contract/people/permissions.ts';
import type { ScreenIcon } from './components/frame/screen-icons.ts';
import { readLicensesSearch } from './components/license/licenses-search.ts';
import { licenseTypesQuery } from './components/record/catalogue-queries.ts';
import { settingsQuery } from './components/settings/settings.api.ts';
import { clientsAt } from './features/clients/clients.api.ts';
import { readClientsSearch } from './features/clients/clients-search.ts';
import { recentLicensesQuery, statisticsQuery, todayQuery } from './features/dashboard/dashboard.api.ts';
import { readImportsSearch } from './features/imports/imports-search.ts';
import { readLicenseTypesSearch } from './features/license-types/license-types-search.ts';
import { licensesAt } from './features/licenses/license-list.ts';
import { readReportsSearch } from './features/reports/reports-search.ts';
import { softwareAt } from './features/software/software.api.ts';
import { readSoftwareSearch } from './features/software/software-search.ts';
import { isAtOrBelow, PATHS, type RawSearch } from './paths.ts';
import { screens as titles } from './text/es.ts';

/**
 * The list of all screens. The router, the sidebar, window titles, the first calls of start.ts, the prefetching and the
 * build's preloads.json read it; a new screen is a folder in features/ and one entry here.
 *
 * start.ts imports this file and runs first. So this file refers to code by `import()` only, to icons by name, and
 * imports queries only from files without React components.
 */

/** Starts a query whose answer the screen will read from the cache. */
type Ask = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>) => void;

/** A page of the console: its address, and what stands there. */
export interface Page<Path extends string = string, Search = unknown, HasRecords extends boolean = boolean> {
  path: Path;
  /** Its title in the sidebar and the window. */
  title: string;
  /** Reads its search parameters. */
  search?: (raw: RawSearch) => Search;
  /** `/clients/7` is the list with that record's dialog open (D024). */
  hasRecords?: HasRecords;
  /** Gets the component of the page: an `import()`, which the build reads too (tools/screen-preloads.ts). */
  code: () => Promise<ComponentType>;
}

/** A screen of the sidebar. One with search parameters is a list, whose filters are remembered. */
export interface Screen<Path extends string = string, Search = unknown, HasRecords extends boolean = boolean>
  extends Page<Path, Search, HasRecords> {
  icon: ScreenIcon;
  /** The permission that the screen requires. */
  permission: Permission;
  /** Starts the screen's first queries while its code loads. */
  preload?: (ask: Ask, raw: RawSearch) => void;
}

const page = <const Path extends string, Search = object, const HasRecords extends boolean = false>(
  entry: Page<Path, Search, HasRecords>,
): Page<Path, Search, HasRecords> => entry;

/** As `page`; `preload` gets the search parameters as `search` reads them. */
const screen = <const Path extends string, Search = object, const HasRecords extends boolean = false>({
  preload,
  ...entry
}: Omit<Screen<Path, Search, HasRecords>, 'preload'> & {
  preload?: (ask: Ask, search: Search) => void;
}): Screen<Path, Search, HasRecords> => ({
  ...entry,
  // Without `search`, `preload` does not use its second argument.
  preload: (ask, raw) => preload?.(ask, entry.search?.(raw) as Search),
});

/** Outside of the frame; but for the sign-in they need no session and leave an open one alone (PEOPLE-03, -04). */
export const OUTSIDE = {
  signIn: page({
    path: PATHS.signIn,
    title: titles.signIn,
    code: () => import('./features/people/sign-in/sign-in-page.tsx').then((module) => module.SignInPage),
  }),
  forgotPassword: page({
    path: PATHS.forgotPassword,
    title: titles.forgotPassword,
    code: () => import('./features/people/join/forgot-page.tsx').then((module) => module.ForgotPage),
  }),
  resetPassword: page({
    path: PATHS.resetPassword,
    title: titles.resetPassword,
    code: () => import('./features/people/join/reset-page.tsx').then((module) => module.ResetPage),
  }),
  invitation: page({
    path: PATHS.invitation,
    title: titles.invitation,
    code: () => import('./features/people/join/invitation-page.tsx').then((module) => module.InvitationPage),
  }),
  firstAdmin: page({
    path: PATHS.firstAdmin,
    title: titles.firstAdmin,
    code: () => import('./features/people/join/first-admin-page.tsx').then((module) => module.FirstAdminPage),
  }),
};

/** Inside the frame, but not in the sidebar. */
export const FURTHER_PAGES = {
  /** 'Mi cuenta': the avatar leads there (PEOPLE-08). */
  account: page({
    path: PATHS.account,
    title: titles.account,
    code: () => import('./features/people/account/account-page.tsx').then((module) => module.AccountPage),
  }),
  /** The certificate of a licence (LIFE-12). */
  certificate: page({
    path: PATHS.certificate,
    title: titles.certificate,
    code: () =>
      import('./features/certificate/certificate-page.tsx').then((module) => module.CertificatePage),
  }),
  /** 'Importar' of the lists (IMPORT-03). */
  imports: page({
    path: PATHS.imports,
    title: titles.imports,
    search: readImportsSearch,
    hasRecords: true,
    code: () => import('./features/imports/imports-page.tsx').then((module) => module.ImportsPage),
  }),
};

/** In place of the frame until a person who must have a second factor has set it up (PEOPLE-05). */
export const requiredFactorCode = () =>
  import('./features/people/account/required-factor-page.tsx').then((module) => module.RequiredFactorPage);

/** The frame around every screen of `SCREENS`. */
export const frameCode = () => import('./components/frame/app-layout.tsx').then((module) => module.AppLayout);

/** The screens behind the sign-in, in the order of the sidebar. */
export const SCREENS = {
  dashboard: screen({
    path: PATHS.dashboard,
    title: titles.dashboard,
    icon: 'overview',
    permission: 'statistics:read',
    code: () => import('./features/dashboard/dashboard-page.tsx').then((module) => module.DashboardPage),
    preload: (ask) => {
      ask(todayQuery);
      ask(statisticsQuery);
      ask(recentLicensesQuery);
    },
  }),
  clients: screen({
    path: PATHS.clients,
    title: titles.clients,
    icon: 'people',
    permission: 'clients:read',
    search: readClientsSearch,
    hasRecords: true,
    code: () => import('./features/clients/clients-page.tsx').then((module) => module.ClientsPage),
    preload: (ask, search) => ask(clientsAt(search)),
  }),
  licenses: screen({
    path: PATHS.licenses,
    title: titles.licenses,
    icon: 'key',
    permission: 'licenses:read',
    search: readLicensesSearch,
    hasRecords: true,
    code: () => import('./features/licenses/licenses-page.tsx').then((module) => module.LicensesPage),
    preload: (ask, search) => ask(licensesAt(search)),
  }),
  licenseTypes: screen({
    path: PATHS.licenseTypes,
    title: titles.licenseTypes,
    icon: 'tags',
    permission: 'license_types:read',
    search: readLicenseTypesSearch,
    code: () =>
      import('./features/license-types/license-types-page.tsx').then((module) => module.LicenseTypesPage),
    preload: (ask, search) => ask(licenseTypesQuery(search.q)),
  }),
  software: screen({
    path: PATHS.software,
    title: titles.software,
    icon: 'package',
    permission: 'software:read',
    search: readSoftwareSearch,
    hasRecords: true,
    code: () => import('./features/software/software-page.tsx').then((module) => module.SoftwarePage),
    preload: (ask, search) => ask(softwareAt(search)),
  }),
  reports: screen({
    path: PATHS.reports,
    title: titles.reports,
    icon: 'chart',
    permission: 'reports:read',
    search: readReportsSearch,
    code: () => import('./features/reports/reports-page.tsx').then((module) => module.ReportsPage),
  }),
  settings: screen({
    path: PATHS.settings,
    title: titles.settings,
    icon: 'gear',
    permission: 'settings:read',
    code: () => import('./features/settings/settings-page.tsx').then((module) => module.SettingsPage),
    preload: (ask) => ask(settingsQuery),
  }),
};

/** The protected screen of an address; a record's address belongs to its list (D024). */
export const screenAt = (path: string): Screen | undefined =>
  Object.values<Screen>(SCREENS).find((screen) => isAtOrBelow(path, screen.path));
