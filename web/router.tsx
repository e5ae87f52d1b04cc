import type { QueryClient } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { KEYS } from './api/query-keys.ts';
import { type SessionState, useSession } from './api/session.ts';
import { codeOf, codeOfScreen, lazyScreen } from './components/frame/code.tsx';
import { ScreenError } from './components/frame/screen-error.tsx';
import { ScreenPending } from './components/frame/screen-pending.tsx';
import {
  forgetPersonalState,
  type ListScreen,
  rememberFilters,
  setOpening,
} from './components/frame/ui-store.ts';
import { forgetDraft, forgetDraftOfOthers } from './components/record/form-drafts.ts';
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
import { askForScreen } from './start.ts';
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
  component: lazyScreen(
    codeOf(() => import('./features/auth/sign-in-page.tsx')),
    (module) => module.SignInPage,
  ),
});

/** Everything but the sign-in screen: behind the sign-in, inside the shared frame (SEED-2.1-02, SEED-2.1-15). */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: ({ location, preload }) => {
    if (!isSignedIn()) throw redirect({ to: PATHS.signIn, replace: true });
    // Somebody points at a link, or has the keyboard on it.
    if (preload) askForScreen(location.pathname, parseSearch(location.searchStr));
  },
  // Not on the sign-in screen's path.
  component: lazyScreen(
    codeOf(() => import('./components/frame/app-layout.tsx')),
    (module) => module.AppLayout,
  ),
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
  component: lazyScreen(
    codeOf(() => import('./features/dashboard/dashboard-page.tsx')),
    (module) => module.DashboardPage,
  ),
});

const clientsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.clients,
  staticData: { title: screens.clients, list: 'clients' },
  validateSearch: readClientsSearch,
  component: lazyScreen(
    codeOf(() => import('./features/clients/clients-page.tsx')),
    (module) => module.ClientsPage,
  ),
});

const licensesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.licenses,
  staticData: { title: screens.licenses, list: 'licenses' },
  validateSearch: readLicensesSearch,
  component: lazyScreen(
    codeOf(() => import('./features/licenses/licenses-page.tsx')),
    (module) => module.LicensesPage,
  ),
});

const licenseTypesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.licenseTypes,
  staticData: { title: screens.licenseTypes, list: 'licenseTypes' },
  validateSearch: readLicenseTypesSearch,
  component: lazyScreen(
    codeOf(() => import('./features/license-types/license-types-page.tsx')),
    (module) => module.LicenseTypesPage,
  ),
});

const softwareRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.software,
  staticData: { title: screens.software, list: 'software' },
  validateSearch: readSoftwareSearch,
  component: lazyScreen(
    codeOf(() => import('./features/software/software-page.tsx')),
    (module) => module.SoftwarePage,
  ),
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
  component: lazyScreen(
    codeOf(() => import('./features/reports/reports-page.tsx')),
    (module) => module.ReportsPage,
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.settings,
  staticData: { title: screens.settings },
  component: lazyScreen(
    codeOf(() => import('./features/settings/settings-page.tsx')),
    (module) => module.SettingsPage,
  ),
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

/** A screen whose code is not here shows its skeleton after this: soon enough to be an answer, too late to flicker. */
const PENDING_MS = 50;

/** The console's router. One per page; `connectSession` ties it to who is signed in. */
export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: PENDING_MS,
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

/** What the history says of a step before it is taken. */
type Step = Parameters<Parameters<typeof router.history.block>[0]['blockerFn']>[0];

/** Counts the steps that somebody took, so that one that still waits gives way to a later one. */
let steps = 0;

/**
 * Within the console, a screen opens once its code is here. Until then everything stays where it is, the sidebar and a
 * line say what is on its way (`opening`), and without a connection it opens when that is back. Steps back and forward
 * are the browser's, which has changed the address by then: they wait in the screen's own place.
 */
async function waitForCode({ currentLocation, nextLocation, action }: Step) {
  // The address of the screen that is there is put right: nobody went anywhere.
  if (action === 'REPLACE' && nextLocation.pathname === currentLocation.pathname) return false;
  steps += 1;
  const step = steps;
  setOpening(null);
  const isWithin = currentLocation.pathname !== PATHS.signIn && nextLocation.pathname !== PATHS.signIn;
  if (action !== 'PUSH' || !isWithin) return false;
  const [matched] = router.getMatchedRoutes(nextLocation.pathname);
  const missing = matched
    .map(({ options }) => codeOfScreen(options.component))
    .filter((code) => code !== undefined && code.module === undefined);
  if (missing.length === 0) return false;
  setOpening(nextLocation.pathname);
  // What cannot be had at all is the screen's to tell.
  await Promise.allSettled(missing.map((code) => code?.wanted(nextLocation.href)));
  if (step !== steps) return true;
  setOpening(null);
  return false;
}
router.history.block({ blockerFn: waitForCode, enableBeforeUnload: false });

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

/** What the server says of its own health is nobody's, and the sign-in screen shows some of it (D006). */
function forgetPersonalData(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEYS.health });
  queryClient.getMutationCache().clear();
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
      // A screen that still waits for its code is not opened any more.
      steps += 1;
      const replace = now.ended === 'expired';
      // At once: the router, when it begins, would otherwise lead there first and not know where the person was.
      void router
        .navigate({ to: PATHS.signIn, state: { from }, replace, ignoreBlocker: true })
        .then(() => forgetPersonalData(queryClient));
    }
    if (now.isAuthenticated && before.user?.id !== now.user?.id) forgetDraftOfOthers(now.user?.id);
    if (!before.isAuthenticated && now.isAuthenticated) {
      forgetPersonalData(queryClient);
      const from = safeReturnPath(router.state.location.state.from);
      if (from === null) void router.navigate({ to: PATHS.dashboard, replace: true });
      else void router.navigate({ href: from, replace: true });
    }
    if (before.isAuthenticated && now.isAuthenticated && before.user?.id !== now.user?.id) {
      forgetPersonalData(queryClient);
      void router.invalidate();
    }
  };
  follow(useSession.getState(), began);
  useSession.subscribe(follow);
}
