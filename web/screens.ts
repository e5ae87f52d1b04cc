import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Permission } from '../contract/people/permissions.ts';
import type { ScreenIcon } from './components/frame/screen-icons.ts';
import { licenseTypesQuery } from './components/record/catalogue-queries.ts';
import { settingsQuery } from './components/settings/settings.api.ts';
import { clientsAt } from './features/clients/clients.api.ts';
import { recentLicensesQuery, statisticsQuery, todayQuery } from './features/dashboard/dashboard.api.ts';
import { licensesAt } from './features/licenses/license-list.ts';
import { softwareAt } from './features/software/software.api.ts';
import {
  isAtOrBelow,
  PATHS,
  type RawSearch,
  readClientsSearch,
  readLicensesSearch,
  readLicenseTypesSearch,
  readReportsSearch,
  readSoftwareSearch,
} from './paths.ts';
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

export interface Page {
  path: string;
  /** Its title in the sidebar and the window. */
  title: string;
  /** Gets the component of the screen: an `import()`, which the build reads too (tools/screen-preloads.ts). */
  code: () => Promise<ComponentType>;
}

interface Entry<Path extends string, Search, HasRecords extends boolean> extends Page {
  path: Path;
  icon: ScreenIcon;
  /** The permission that the screen requires. */
  permission: Permission;
  /** Reads its search parameters. A screen with them is a list, whose filters are remembered. */
  search?: (raw: RawSearch) => Search;
  /** `/clients/7` is the list with that record's dialog open (D024). */
  hasRecords?: HasRecords;
  /** Starts the screen's first queries while its code loads. */
  preload?: (ask: Ask, search: Search) => void;
}

/** An entry whose `preload` takes raw search parameters, so that callers need no types of the screen. */
export interface Screen<Path extends string = string, Search = unknown, HasRecords extends boolean = boolean>
  extends Omit<Entry<Path, Search, HasRecords>, 'preload'> {
  preload: (ask: Ask, raw: RawSearch) => void;
}

function screen<const Path extends string, Search = object, const HasRecords extends boolean = false>({
  preload,
  ...entry
}: Entry<Path, Search, HasRecords>): Screen<Path, Search, HasRecords> {
  return {
    ...entry,
    // Without `search`, `preload` does not use its second argument.
    preload: (ask, raw) => preload?.(ask, entry.search?.(raw) as Search),
  };
}

/** The sign-in screen, outside of the frame. */
export const SIGN_IN = {
  path: PATHS.signIn,
  title: titles.signIn,
  code: () => import('./features/people/sign-in/sign-in-page.tsx').then((module) => module.SignInPage),
} as const satisfies Page;

/** The certificate of a licence: inside the frame, but not in the sidebar (LIFE-12). */
export const CERTIFICATE = {
  path: PATHS.certificate,
  title: titles.certificate,
  code: () => import('./features/certificate/certificate-page.tsx').then((module) => module.CertificatePage),
} as const satisfies Page;
/** The screens of links, outside of the frame; they need no session and leave an open one alone (PEOPLE-03, -04). */
export const LINK_SCREENS = {
  forgotPassword: {
    path: PATHS.forgotPassword,
    title: titles.forgotPassword,
    code: () => import('./features/people/join/forgot-page.tsx').then((module) => module.ForgotPage),
  },
  resetPassword: {
    path: PATHS.resetPassword,
    title: titles.resetPassword,
    code: () => import('./features/people/join/reset-page.tsx').then((module) => module.ResetPage),
  },
  invitation: {
    path: PATHS.invitation,
    title: titles.invitation,
    code: () => import('./features/people/join/invitation-page.tsx').then((module) => module.InvitationPage),
  },
  firstAdmin: {
    path: PATHS.firstAdmin,
    title: titles.firstAdmin,
    code: () => import('./features/people/join/first-admin-page.tsx').then((module) => module.FirstAdminPage),
  },
} as const satisfies Record<string, Page>;

/** 'Mi cuenta', inside the frame; the avatar leads there, not the sidebar (PEOPLE-08). */
export const ACCOUNT = {
  path: PATHS.account,
  title: titles.account,
  icon: 'people',
  code: () => import('./features/people/account/account-page.tsx').then((module) => module.AccountPage),
} as const satisfies Page & { icon: ScreenIcon };

/**
 * 'Importar' of the lists: inside the frame, but not in the sidebar (IMPORT-03). Its type names no component, because the
 * page reads its own address and so needs the router's type.
 */
export const IMPORTS: Page & { path: typeof PATHS.imports } = {
  path: PATHS.imports,
  title: titles.imports,
  code: () => import('./features/imports/imports-page.tsx').then((module) => module.ImportsPage),
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
