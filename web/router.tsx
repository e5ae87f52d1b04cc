import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { type SessionState, useSession } from './api/session.ts';
import { forgetDraft, forgetDraftOfOthers } from './components/form-drafts.ts';
import { ScreenError } from './components/screen-error.tsx';
import { ScreenPending } from './components/screen-pending.tsx';
import { forgetPersonalState, type ListScreen, rememberFilters } from './components/ui-store.ts';
import {
  ID_PATTERN,
  PATHS,
  parseSearch,
  readClientsSearch,
  readLicensesSearch,
  readLicenseTypesSearch,
  readSoftwareSearch,
  safeReturnPath,
  stringifySearch,
} from './paths.ts';
import { documentTitle, PRODUCT, screens } from './text/es.ts';

const isSignedIn = () => useSession.getState().isAuthenticated;

const rootRoute = createRootRoute({ component: Outlet });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: PATHS.signIn,
  staticData: { title: screens.signIn },
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: PATHS.dashboard, replace: true });
  },
  component: lazyRouteComponent(() => import('./features/auth/sign-in-page.tsx'), 'SignInPage'),
});

/** Everything but the sign-in screen: behind the sign-in, inside the shared frame (SEED-2.1-02, SEED-2.1-15). */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: () => {
    if (!isSignedIn()) throw redirect({ to: PATHS.signIn, replace: true });
  },
  // Not on the sign-in screen's path.
  component: lazyRouteComponent(() => import('./components/app-layout.tsx'), 'AppLayout'),
});

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.home,
  beforeLoad: () => {
    throw redirect({ to: PATHS.dashboard, replace: true });
  },
});

const dashboardRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.dashboard,
  staticData: { title: screens.dashboard },
  component: lazyRouteComponent(() => import('./features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
});

const clientsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.clients,
  staticData: { title: screens.clients, list: 'clients' },
  validateSearch: readClientsSearch,
  component: lazyRouteComponent(() => import('./features/clients/clients-page.tsx'), 'ClientsPage'),
});

const licensesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.licenses,
  staticData: { title: screens.licenses, list: 'licenses' },
  validateSearch: readLicensesSearch,
  component: lazyRouteComponent(() => import('./features/licenses/licenses-page.tsx'), 'LicensesPage'),
});

const licenseTypesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.licenseTypes,
  staticData: { title: screens.licenseTypes, list: 'licenseTypes' },
  validateSearch: readLicenseTypesSearch,
  component: lazyRouteComponent(
    () => import('./features/license-types/license-types-page.tsx'),
    'LicenseTypesPage',
  ),
});

const softwareRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.software,
  staticData: { title: screens.software, list: 'software' },
  validateSearch: readSoftwareSearch,
  component: lazyRouteComponent(() => import('./features/software/software-page.tsx'), 'SoftwarePage'),
});

/**
 * `/clients/7` is the list with that record's dialog open (D024). These three have no component of their own: the
 * list stays mounted and reads the id with `useParams({ strict: false })`. Ids are digits alone (D037).
 */
const onlyDigits = ({ params }: { params: { id: string } }) => {
  if (!ID_PATTERN.test(params.id)) throw redirect({ to: PATHS.home, replace: true });
};
const clientRoute = createRoute({ getParentRoute: () => clientsRoute, path: '$id', beforeLoad: onlyDigits });
const licenseRoute = createRoute({
  getParentRoute: () => licensesRoute,
  path: '$id',
  beforeLoad: onlyDigits,
});
const softwareItemRoute = createRoute({
  getParentRoute: () => softwareRoute,
  path: '$id',
  beforeLoad: onlyDigits,
});

const reportsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.reports,
  staticData: { title: screens.reports },
  component: lazyRouteComponent(() => import('./features/reports/reports-page.tsx'), 'ReportsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.settings,
  staticData: { title: screens.settings },
  component: lazyRouteComponent(() => import('./features/settings/settings-page.tsx'), 'SettingsPage'),
});

/** Any other path leads home (SEED-2.1-14), and from there to the sign-in when nobody is signed in (D038). */
const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: PATHS.home, replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  appRoute.addChildren([
    homeRoute,
    dashboardRoute,
    clientsRoute.addChildren([clientRoute]),
    licensesRoute.addChildren([licenseRoute]),
    licenseTypesRoute,
    softwareRoute.addChildren([softwareItemRoute]),
    reportsRoute,
    settingsRoute,
  ]),
  unknownRoute,
]);

/** The console's router. One per page; `connectSession` ties it to who is signed in. */
export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: ScreenPending,
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** What the document's title says of the screen. */
    title?: string;
    /** The screen is a list whose narrowing is remembered. */
    list?: ListScreen;
  }
  interface HistoryState {
    /** On the sign-in screen: where the person was when the session ended (D004). */
    from?: string;
  }
}

/** Keeps the document's title and the remembered filters with the screen that is shown. */
export function followScreens(): void {
  router.subscribe('onResolved', () => {
    const matches = router.state.matches;
    const title = matches.findLast(({ staticData }) => staticData.title)?.staticData.title;
    document.title = title === undefined ? PRODUCT : documentTitle(title);
    const list = matches.findLast(({ staticData }) => staticData.list);
    if (list?.staticData.list !== undefined) {
      const { nuevo, editar, tab, ver, ...narrowing } = list.search as Record<string, unknown>;
      rememberFilters(list.staticData.list, narrowing);
    }
  });
}

/**
 * Moves with the session, in this tab and the others: signed out leads to the sign-in screen, signed in leads to the
 * dashboard, and after an expiry back to where the person was (SEED-2.4-06, D004). No data outlives its person (D052).
 * @param began the session as it was when the page began: it may have ended while this code was on its way
 */
export function connectSession(queryClient: QueryClient, began: SessionState): void {
  const follow = (now: SessionState, before: SessionState) => {
    if (before.isAuthenticated && !now.isAuthenticated) {
      forgetPersonalState();
      if (now.ended === 'signed-out') forgetDraft();
      const from = now.ended === 'expired' ? router.state.location.href : undefined;
      void queryClient.cancelQueries();
      void router
        .navigate({ to: PATHS.signIn, state: { from }, replace: now.ended === 'expired' })
        .then(() => queryClient.clear());
    }
    if (now.isAuthenticated && before.user?.id !== now.user?.id) forgetDraftOfOthers(now.user?.id);
    if (!before.isAuthenticated && now.isAuthenticated) {
      queryClient.clear();
      const from = safeReturnPath(router.state.location.state.from);
      if (from === null) void router.navigate({ to: PATHS.dashboard, replace: true });
      else void router.navigate({ href: from, replace: true });
    }
    if (before.isAuthenticated && now.isAuthenticated && before.user?.id !== now.user?.id) {
      queryClient.clear();
      void router.invalidate();
    }
  };
  follow(useSession.getState(), began);
  useSession.subscribe(follow);
}
