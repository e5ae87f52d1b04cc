import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type StaticDataRouteOption,
} from '@tanstack/react-router';
import { Banknote, HandCoins, Upload, Users } from 'lucide-react';
import { useLinkToken } from './api/link-token.ts';
import { may } from './api/permissions.ts';
import { KEYS } from './api/query-keys.ts';
import { type SessionState, useSession } from './api/session.ts';
import { forgetRecentRecords } from './components/palette/recent-key.ts';
import { forgetDraft, forgetDraftOfOthers } from './components/record/form-drafts.ts';
import { type Code, codeOf, lazyScreen } from './components/screen/code.tsx';
import { ScreenError } from './components/screen/screen-error.tsx';
import { forgetPersonalState, rememberFilters, setOpening } from './components/screen/ui-store.ts';
import { setScreenTitle } from './components/screen/window-title.ts';
import {
  ID_PATTERN,
  isOutside,
  PATHS,
  parseSearch,
  type RawSearch,
  safeReturnPath,
  stringifySearch,
} from './paths.ts';
import {
  FURTHER_PAGES,
  frameCode,
  OUTSIDE,
  type Page,
  requiredFactorCode,
  SCREENS,
  type Screen,
} from './screens.ts';
import { SETTINGS_SECTIONS, type Section } from './settings-sections.ts';
import { askForScreen } from './start.ts';

/** Defines which screen each address shows, who may see it, and which screen opens when the session changes. */

const isSignedIn = () => useSession.getState().isAuthenticated;

const SECTIONS = Object.values<Section>(SETTINGS_SECTIONS);
/** Pages that the palette lists in addition to the screens of the sidebar. */
const FURTHER_PLACES = [
  ...SECTIONS.map(({ slug, title, permission }) => ({
    path: `${PATHS.settings}/${slug}`,
    title: `${SCREENS.settings.title}: ${title}`,
    icon: SCREENS.settings.icon,
    needs: [permission],
  })),
  { ...FURTHER_PAGES.account, icon: Users },
  { ...FURTHER_PAGES.payments, icon: HandCoins, needs: ['payments:read'] as const },
  { ...FURTHER_PAGES.paymentsReceived, icon: Banknote, needs: ['payments:read'] as const },
  { ...FURTHER_PAGES.imports, icon: Upload, needs: ['imports:run'] as const },
];
/** The screens of the sidebar. Configuración is shown to people who may see at least one of its sections. */
const SCREEN_PLACES = Object.values<Screen>(SCREENS).map(({ path, title, icon, permission }) => ({
  path,
  title,
  icon,
  needs: path === SCREENS.settings.path ? SECTIONS.map((section) => section.permission) : [permission],
}));

// Loaded on demand, because the sign-in screen does not need the code of the frame.
const Frame = lazyScreen(codeOf(frameCode), { screens: SCREEN_PLACES, sections: FURTHER_PLACES });
const RequiredFactor = lazyScreen(codeOf(requiredFactorCode), {});

/** The frame. If the person must set up a second factor first, every address shows that page instead. */
function FrameOrFactor() {
  return useSession((state) => state.mfaSetupRequired) ? <RequiredFactor /> : <Frame />;
}

const rootRoute = createRootRoute({
  beforeLoad: ({ location: { pathname, searchStr }, preload }) => {
    const to = leadsTo(pathname);
    if (to !== undefined) throw redirect({ to, replace: true });
    if (preload) fetchAddress(pathname, searchStr);
  },
});

/** All pages except those in `OUTSIDE` (SEED-2.1-15). */
const appRoute = createRoute({ getParentRoute: () => rootRoute, id: 'app', component: FrameOrFactor });

function pageRoute<Parent extends AnyRoute, Path extends string, Search>(
  parent: Parent,
  { path, title, search, code: load }: Page<Path, Search>,
  notes: StaticDataRouteOption = {},
) {
  const code = codeOf(load);
  return createRoute({
    getParentRoute: () => parent,
    path,
    staticData: { title, code, ...notes },
    // The cast covers pages without `search`: the router accepts undefined for them.
    validateSearch: search as (raw: RawSearch) => Search,
    component: lazyScreen(code, {}),
  });
}

/** The route of a record has no component: the list stays and reads the id (D024). */
function recordsRoute<Parent extends AnyRoute, Path extends string, Search>(
  parent: Parent,
  page: Page<Path, Search>,
) {
  const list = pageRoute(parent, page);
  const record = createRoute({ getParentRoute: () => list, path: '$id' });
  return list.addChildren([record]);
}

type RouteOf<Parent extends AnyRoute, One> =
  One extends Page<infer Path, infer Search, infer HasRecords>
    ? HasRecords extends true
      ? ReturnType<typeof recordsRoute<Parent, Path, Search>>
      : ReturnType<typeof pageRoute<Parent, Path, Search>>
    : never;

/**
 * The cast restores the type of each page, which `Object.fromEntries` loses. Links, search parameters and ids are
 * typed by it.
 */
const routesOf = <Parent extends AnyRoute, Pages extends Record<string, Page>>(
  parent: Parent,
  pages: Pages,
) =>
  Object.fromEntries(
    Object.entries(pages).map(([name, page]) => [
      name,
      page.hasRecords ? recordsRoute(parent, page) : pageRoute(parent, page),
    ]),
  ) as unknown as { [Name in keyof Pages]: RouteOf<Parent, Pages[Name]> };

const { settings, ...LISTS } = SCREENS;
const outsideRoutes = routesOf(rootRoute, OUTSIDE);
const pageRoutes = routesOf(appRoute, { ...LISTS, ...FURTHER_PAGES });
const settingsRoute = pageRoute(appRoute, settings, { sections: SECTIONS });
const sectionRoutes = routesOf(settingsRoute, SETTINGS_SECTIONS);

/** /settings shows the first section (D020). */
const firstSectionRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  staticData: { code: sectionRoutes.company.options.staticData?.code },
  component: sectionRoutes.company.options.component,
});

/** A template's route also has no component: the section stays and reads the kind. */
const templateRoute = createRoute({ getParentRoute: () => sectionRoutes.templates, path: '$kind' });

const routeTree = rootRoute.addChildren({
  ...outsideRoutes,
  app: appRoute.addChildren({
    ...pageRoutes,
    settings: settingsRoute.addChildren({
      ...sectionRoutes,
      templates: sectionRoutes.templates.addChildren([templateRoute]),
      first: firstSectionRoute,
    }),
  }),
});

/** The router of the console. `connectSession` connects it to the session. */
export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  caseSensitive: true,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
});

/**
 * The redirect of an address: to the sign-in without a session, to the dashboard for an unknown path (SEED-2.1-02,
 * SEED-2.1-14, D038). Ids consist of digits (D037).
 */
function leadsTo(path: string): string | undefined {
  if (isOutside(path)) {
    if (path !== PATHS.signIn || !isSignedIn()) return undefined;
    // Back from the OpenID Connect provider, to link the identity (SIGN-02).
    return useLinkToken.getState().path === path ? PATHS.account : PATHS.dashboard;
  }
  if (!isSignedIn()) return PATHS.signIn;
  const [, { id = '1', '**': rest }, found] = router.getMatchedRoutes(path);
  const isUnknown = found === undefined || rest !== undefined || !ID_PATTERN.test(id);
  if (isUnknown || path === PATHS.home) return PATHS.dashboard;
  if (found.id !== firstSectionRoute.id) return undefined;
  const first = SECTIONS.find(({ permission }) => may(permission));
  return first && first !== SECTIONS[0] ? `${PATHS.settings}/${first.slug}` : undefined;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The title of the page in the document title. */
    title?: string;
    code?: Code | undefined;
    /** The sections of Configuración, for the settings page. */
    sections?: readonly Section[];
  }
  interface HistoryState {
    /** On the sign-in screen: the address that was open when the session ended (D004). */
    from?: string | undefined;
    /** Marks a dialog that was opened from its list: closing it goes back one entry. */
    overList?: boolean;
  }
}

/** The code of the screens at an address. */
const codeAt = (path: string): Code[] =>
  router.getMatchedRoutes(path)[0].flatMap(({ options }) => options.staticData?.code ?? []);

/** Prefetches code and first data of an address when its link gets the pointer or the focus. */
function fetchAddress(path: string, search: string): void {
  // A failed attempt is ignored: opening the screen tries again.
  for (const code of codeAt(path)) code.fetch().catch(() => undefined);
  if (isSignedIn()) askForScreen(path, parseSearch(search));
}

type Step = Parameters<Parameters<typeof router.history.block>[0]['blockerFn']>[0];

/** Counts the navigations, so that a later one cancels one that still waits. */
let steps = 0;

/**
 * Delays a navigation inside the console until the screen's code is loaded. Until then the current screen stays, and
 * the sidebar and a line mark the screen that opens (`opening`). Without a connection it opens when the connection is
 * restored. Back and Forward are not delayed, because the browser has already changed the URL: they show the screen's
 * skeleton.
 */
async function waitForCode({ currentLocation: from, nextLocation: to, action }: Step): Promise<boolean> {
  // Only the search of the current screen is corrected, so nothing is delayed.
  if (action === 'REPLACE' && to.pathname === from.pathname) return false;
  steps += 1;
  const step = steps;
  setOpening(null);
  if (action !== 'PUSH' || isOutside(from.pathname) || isOutside(to.pathname)) return false;
  const missing = codeAt(to.pathname).filter(({ module }) => module === undefined);
  if (missing.length === 0) return false;
  setOpening(to.pathname);
  // Failures are not handled here: the screen shows the error if its code cannot be loaded.
  await Promise.allSettled(missing.map((code) => code.required(to.href)));
  if (step !== steps) return true;
  setOpening(null);
  return false;
}
router.history.block({ blockerFn: waitForCode, enableBeforeUnload: false });

/** Updates the document's title and the stored filters after a screen was opened. */
router.subscribe('onResolved', () => {
  const { location, matches } = router.state;
  setScreenTitle(
    matches
      .flatMap(({ staticData }) => staticData.title ?? [])
      .reverse()
      .join(' · ') || undefined,
  );
  const list = Object.values<Screen>(LISTS).find(({ path }) =>
    matches.some(({ fullPath }) => fullPath === path),
  );
  if (!list?.search) return;
  const { nuevo, editar, tab, ver, cliente, accion, ...narrowing } = location.search as RawSearch;
  rememberFilters(list.path, narrowing);
});

/** Clears the cache, except the server's health, which is not personal and which the sign-in screen shows (D006). */
function forgetPersonalData(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEYS.health });
  queryClient.getMutationCache().clear();
}

/**
 * Opens the sign-in screen after the session ended, and clears cached data (D052). If the session expired, the screen
 * stores the previous address (D004).
 */
function signedOut(queryClient: QueryClient, isExpired: boolean): void {
  forgetPersonalState();
  if (!isExpired) {
    forgetDraft();
    forgetRecentRecords();
  }
  void queryClient.cancelQueries();
  // Cancels a navigation that still waits for its code.
  steps += 1;
  // Stays on a page that was opened by a link: it needs no session, and its token is stored only in memory.
  if (isOutside(router.state.location.pathname)) {
    forgetPersonalData(queryClient);
    return;
  }
  const from = isExpired ? router.state.location.href : undefined;
  // Not awaited: otherwise the router, which is just starting, would redirect first, and the previous address would be
  // lost.
  void router
    .navigate({ to: PATHS.signIn, state: { from }, replace: isExpired, ignoreBlocker: true })
    .then(() => forgetPersonalData(queryClient));
}

/** After a sign-in opens the dashboard or, if the session had expired, the previous address (SEED-2.4-06, D004). */
function signedIn(queryClient: QueryClient): void {
  forgetPersonalData(queryClient);
  const from = safeReturnPath(router.state.location.state.from);
  if (from === null) void router.navigate({ to: PATHS.dashboard, replace: true });
  else void router.navigate({ href: from, replace: true });
}

/**
 * Connects the router to changes of the session, in this tab or another.
 * @param began the session at the start of the page, because it may have ended while this code was loading
 */
export function connectSession(queryClient: QueryClient, began: SessionState): void {
  const follow = (now: SessionState, before: SessionState) => {
    const isAnother = before.user?.id !== now.user?.id;
    if (before.isAuthenticated && !now.isAuthenticated) signedOut(queryClient, now.ended === 'expired');
    if (!now.isAuthenticated) return;
    if (isAnother) forgetDraftOfOthers(now.user?.id);
    if (!before.isAuthenticated) signedIn(queryClient);
    else if (isAnother) {
      forgetPersonalData(queryClient);
      void router.invalidate();
    }
  };
  follow(useSession.getState(), began);
  useSession.subscribe(follow);
}
