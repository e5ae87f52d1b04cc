import type { QueryClient } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { KEYS } from './api/query-keys.ts';
import { type SessionState, useSession } from './api/session.ts';
import { codeOf, codeOfScreen, lazyScreen } from './components/frame/code.tsx';
import { ScreenError } from './components/frame/screen-error.tsx';
import { ScreenPending } from './components/frame/screen-pending.tsx';
import { forgetPersonalState, rememberFilters, setOpening } from './components/frame/ui-store.ts';
import { forgetDraft, forgetDraftOfOthers } from './components/record/form-drafts.ts';
import { ID_PATTERN, PATHS, parseSearch, type RawSearch, safeReturnPath, stringifySearch } from './paths.ts';
import { frameCode, SCREENS, type Screen, SIGN_IN } from './screens.ts';
import { askForScreen } from './start.ts';
import { documentTitle, PRODUCT } from './text/es.ts';

const isSignedIn = () => useSession.getState().isAuthenticated;

const rootRoute = createRootRoute({ component: Outlet });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SIGN_IN.path,
  staticData: { title: SIGN_IN.title },
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: PATHS.dashboard, replace: true });
  },
  component: lazyScreen(codeOf(SIGN_IN.code), {}),
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
  component: lazyScreen(codeOf(frameCode), { screens: Object.values(SCREENS) }),
});

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.home,
  beforeLoad: () => {
    throw redirect({ to: PATHS.dashboard, replace: true });
  },
});

function screenRoute<Path extends string, Search>(screen: Screen<Path, Search>) {
  return createRoute({
    getParentRoute: () => appRoute,
    path: screen.path,
    staticData: { title: screen.title, isList: screen.search !== undefined },
    // Where there is no reader, Search is an object of which nothing is known: so the router takes it as well.
    validateSearch: screen.search as (raw: RawSearch) => Search,
    component: lazyScreen(codeOf(screen.code), {}),
  });
}

/** Ids are digits alone (D037). */
const onlyDigits = ({ params }: { params: { id?: string } }) => {
  if (!ID_PATTERN.test(params.id ?? '')) throw redirect({ to: PATHS.home, replace: true });
};

/** The record's route has no component: its list stays mounted and reads the id with `useParams({ strict: false })`. */
function recordsRoute<Path extends string, Search>(screen: Screen<Path, Search>) {
  const list = screenRoute(screen);
  const record = createRoute({ getParentRoute: () => list, path: '$id', beforeLoad: onlyDigits });
  return list.addChildren([record]);
}

type RouteOf<OneScreen> =
  OneScreen extends Screen<infer Path, infer Search, infer HasRecords>
    ? HasRecords extends true
      ? ReturnType<typeof recordsRoute<Path, Search>>
      : ReturnType<typeof screenRoute<Path, Search>>
    : never;

// A loop forgets which screen is which; links, searches and ids are typed by it.
const screenRoutes = Object.fromEntries(
  Object.entries<Screen>(SCREENS).map(([name, screen]) => [
    name,
    screen.hasRecords ? recordsRoute(screen) : screenRoute(screen),
  ]),
) as unknown as { [Name in keyof typeof SCREENS]: RouteOf<(typeof SCREENS)[Name]> };

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
  appRoute.addChildren({ home: homeRoute, ...screenRoutes }),
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
    /** What narrows the screen is remembered. */
    isList?: boolean;
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
    const list = matches.findLast(({ staticData }) => staticData.isList);
    if (list !== undefined) {
      const { nuevo, editar, tab, ver, ...narrowing } = list.search as Record<string, unknown>;
      rememberFilters(list.fullPath, narrowing);
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
