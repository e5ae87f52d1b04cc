import {
  ChartColumn,
  FileKey2,
  LayoutDashboard,
  type LucideIcon,
  Package,
  Settings,
  Tags,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { Permission } from '../contract/people/permissions.ts';
import { readLicensePageSearch, readLicensesSearch } from './components/license/licenses-search.ts';
import { readClientPageSearch, readClientsSearch } from './features/clients/clients-search.ts';
import { readImportsSearch } from './features/imports/imports-search.ts';
import { readLicenseTypesSearch } from './features/license-types/license-types-search.ts';
import {
  readReceiptSearch,
  readReceivedSearch,
  readRequestsSearch,
} from './features/payments/payments-search.ts';
import { readReportsSearch } from './features/reports/reports-search.ts';
import { readSoftwareSearch } from './features/software/software-search.ts';
import { PATHS, type RawSearch } from './paths.ts';
import { screens as titles } from './text/es.ts';

/**
 * The list of all screens. The router, the sidebar, window titles and the build's preloads.json use it. A new screen
 * is a folder in features/ and an entry here. Titles that other files need too are in text/es.ts.
 */

/** A page of the console: its address and its code. */
export interface Page<Path extends string = string, Search = unknown, HasRecords extends boolean = boolean> {
  path: Path;
  /** The title in the sidebar and the window. */
  title: string;
  /** Parses the search parameters. */
  search?: (raw: RawSearch) => Search;
  /** True if the page has records: `/software/7` is the list with that record's dialog open (D024). */
  hasRecords?: HasRecords;
  /** Loads the component of the page with an `import()`, which the build also reads (tools/screen-preloads.ts). */
  code: () => Promise<ComponentType>;
}

/** A screen of the sidebar. If it has search parameters it is a list, and its filters are stored. */
export interface Screen<Path extends string = string, Search = unknown, HasRecords extends boolean = boolean>
  extends Page<Path, Search, HasRecords> {
  icon: LucideIcon;
  permission: Permission;
}

const page = <const Path extends string, Search = object, const HasRecords extends boolean = false>(
  entry: Page<Path, Search, HasRecords>,
): Page<Path, Search, HasRecords> => entry;

const screen = <const Path extends string, Search = object, const HasRecords extends boolean = false>(
  entry: Screen<Path, Search, HasRecords>,
): Screen<Path, Search, HasRecords> => entry;

/**
 * Pages outside the frame. Except for the sign-in, they need no session and do not change an open one (PEOPLE-03,
 * -04).
 */
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
    title: 'Contraseña nueva',
    code: () => import('./features/people/join/reset-page.tsx').then((module) => module.ResetPage),
  }),
  invitation: page({
    path: PATHS.invitation,
    title: 'Invitación',
    code: () => import('./features/people/join/invitation-page.tsx').then((module) => module.InvitationPage),
  }),
  firstAdmin: page({
    path: PATHS.firstAdmin,
    title: 'Primer administrador',
    code: () => import('./features/people/join/first-admin-page.tsx').then((module) => module.FirstAdminPage),
  }),
};

/** Pages inside the frame that are not in the sidebar. */
export const FURTHER_PAGES = {
  /** 'Mi cuenta', opened from the avatar (PEOPLE-08). */
  account: page({
    path: PATHS.account,
    title: titles.account,
    code: () => import('./features/people/account/account-page.tsx').then((module) => module.AccountPage),
  }),
  /** A client (DESK-05). */
  client: page({
    path: PATHS.client,
    title: titles.clients,
    search: readClientPageSearch,
    code: () => import('./features/clients/client-page.tsx').then((module) => module.ClientPage),
  }),
  /** A licence (DESK-05). */
  license: page({
    path: PATHS.license,
    title: titles.licenses,
    search: readLicensePageSearch,
    code: () => import('./features/licenses/license-page.tsx').then((module) => module.LicensePage),
  }),
  /** The certificate of a licence (LIFE-12). */
  certificate: page({
    path: PATHS.certificate,
    title: titles.certificate,
    code: () =>
      import('./features/certificate/certificate-page.tsx').then((module) => module.CertificatePage),
  }),
  /** The data that programs of a software need (PROG-08). */
  integration: page({
    path: PATHS.integration,
    title: titles.integration,
    code: () =>
      import('./features/software/integration/integration-page.tsx').then((module) => module.IntegrationPage),
  }),
  /** 'Cobros': payment requests (PAY-07). Not in the sidebar, whose number of entries is limited to seven. */
  payments: page({
    path: PATHS.payments,
    title: titles.payments,
    search: readRequestsSearch,
    hasRecords: true,
    code: () => import('./features/payments/payments-page.tsx').then((module) => module.PaymentsPage),
  }),
  /** Received payments (PAY-06). */
  paymentsReceived: page({
    path: PATHS.paymentsReceived,
    title: titles.paymentsReceived,
    search: readReceivedSearch,
    code: () => import('./features/payments/received-page.tsx').then((module) => module.ReceivedPage),
  }),
  /** The receipt of a payment (MONEY-12). */
  receipt: page({
    path: PATHS.receipt,
    title: titles.receipt,
    search: readReceiptSearch,
    code: () => import('./features/payments/receipt-page.tsx').then((module) => module.ReceiptPage),
  }),
  /** 'Importar', opened from lists (IMPORT-03). */
  imports: page({
    path: PATHS.imports,
    title: titles.imports,
    search: readImportsSearch,
    hasRecords: true,
    code: () => import('./features/imports/imports-page.tsx').then((module) => module.ImportsPage),
  }),
};

/** Replaces the frame until a person who must have a second factor has set it up (PEOPLE-05). */
export const requiredFactorCode = () =>
  import('./features/people/account/required-factor-page.tsx').then((module) => module.RequiredFactorPage);

/** The frame around every screen of `SCREENS`. */
export const frameCode = () => import('./components/frame/app-layout.tsx').then((module) => module.AppLayout);

/** The screens behind the sign-in, in the order of the sidebar. */
export const SCREENS = {
  dashboard: screen({
    path: PATHS.dashboard,
    title: titles.dashboard,
    icon: LayoutDashboard,
    permission: 'statistics:read',
    code: () => import('./features/dashboard/dashboard-page.tsx').then((module) => module.DashboardPage),
  }),
  clients: screen({
    path: PATHS.clients,
    title: titles.clients,
    icon: Users,
    permission: 'clients:read',
    search: readClientsSearch,
    code: () => import('./features/clients/clients-page.tsx').then((module) => module.ClientsPage),
  }),
  licenses: screen({
    path: PATHS.licenses,
    title: titles.licenses,
    icon: FileKey2,
    permission: 'licenses:read',
    search: readLicensesSearch,
    code: () => import('./features/licenses/licenses-page.tsx').then((module) => module.LicensesPage),
  }),
  licenseTypes: screen({
    path: PATHS.licenseTypes,
    title: titles.licenseTypes,
    icon: Tags,
    permission: 'license_types:read',
    search: readLicenseTypesSearch,
    code: () =>
      import('./features/license-types/license-types-page.tsx').then((module) => module.LicenseTypesPage),
  }),
  software: screen({
    path: PATHS.software,
    title: titles.software,
    icon: Package,
    permission: 'software:read',
    search: readSoftwareSearch,
    hasRecords: true,
    code: () => import('./features/software/software-page.tsx').then((module) => module.SoftwarePage),
  }),
  reports: screen({
    path: PATHS.reports,
    title: titles.reports,
    icon: ChartColumn,
    permission: 'reports:read',
    search: readReportsSearch,
    code: () => import('./features/reports/reports-page.tsx').then((module) => module.ReportsPage),
  }),
  settings: screen({
    path: PATHS.settings,
    title: titles.settings,
    icon: Settings,
    permission: 'settings:read',
    code: () => import('./features/settings/settings-page.tsx').then((module) => module.SettingsPage),
  }),
};
