import type { QueryClient } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { may } from './api/permissions.ts';
import { KEYS } from './api/query-keys.ts';
import { type SessionState, useSession } from './api/session.ts';
import { codeOf, codeOfScreen, lazyScreen } from './components/frame/code.tsx';
import { ScreenError } from './components/frame/screen-error.tsx';
import { ScreenPending } from './components/frame/screen-pending.tsx';
import { forgetPersonalState, rememberFilters, setOpening } from './components/frame/ui-store.ts';
import { setScreenTitle } from './components/frame/window-title.ts';
import { forgetRecentRecords } from './components/palette/recent-records.ts';
import { forgetDraft, forgetDraftOfOthers } from './components/record/form-drafts.ts';
import { readImportsSearch } from './features/imports/imports-search.ts';
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
  ACCOUNT,
  CERTIFICATE,
  frameCode,
  IMPORTS,
  LINK_SCREENS,
  type Page,
  requiredFactorCode,
  SCREENS,
  type Screen,
  SIGN_IN,
} from './screens.ts';
import { SETTINGS_SECTIONS, type Section } from './settings-sections.ts';
import { askForScreen } from './start.ts';
import type { SettingsSection } from './text/es.ts';

const isSignedIn = () => useSession.getState().isAuthenticated;

const rootRoute = createRootRoute({ component: Outlet });

const SECTIONS = Object.values<Section>(SETTINGS_SECTIONS);
/** The places that the palette finds beside the screens of the sidebar. */
const FURTHER_PLACES = [
  ...SECTIONS.map(({ slug, title, permission }) => ({
    path: `${PATHS.settings}/${slug}`,
    title: `${SCREENS.settings.title}: ${title}`,
    icon: SCREENS.settings.icon,
    needs: [permission],
  })),
  ACCOUNT,
  { ...IMPORTS, icon: 'upload', needs: ['imports:run'] } as const,
];
/** The screens of the sidebar. Configuración is there for those who may see one of its sections. */
const SCREEN_PLACES = Object.values<Screen>(SCREENS).map(({ path, title, icon, permission }) => ({
  path,
  title,
  icon,
  needs: path === SCREENS.settings.path ? SECTIONS.map((section) => section.permission) : [permission],
}));

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SIGN_IN.path,
  staticData: { title: SIGN_IN.title },
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: PATHS.dashboard, replace: true });
  },
  component: lazyScreen(codeOf(SIGN_IN.code), {}),
});

function linkRoute<const Path extends string>({ path, title, code }: Page & { path: Path }) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    staticData: { title },
    component: lazyScreen(codeOf(code), {}),
  });
}

const linkRoutes = [
  linkRoute(LINK_SCREENS.forgotPassword),
  linkRoute(LINK_SCREENS.resetPassword),
  linkRoute(LINK_SCREENS.invitation),
  linkRoute(LINK_SCREENS.firstAdmin),
] as const;

// The sign-in screen does not need the frame's code.
const Frame = lazyScreen(codeOf(frameCode), { screens: SCREEN_PLACES, sections: FURTHER_PLACES });
const RequiredFactor = lazyScreen(codeOf(requiredFactorCode), {});

/** The frame, or what the person must do first, at whatever address: there is no way around it. */
function FrameOrFactor() {
  return useSession((state) => state.mfaSetupRequired) ? <RequiredFactor /> : <Frame />;
}

/** Every screen but the sign-in: protected, inside the shared frame (SEED-2.1-02, SEED-2.1-15). */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: ({ location, preload }) => {
    if (!isSignedIn()) throw redirect({ to: PATHS.signIn, replace: true });
    // A link is hovered or focused.
    if (preload) askForScreen(location.pathname, parseSearch(location.searchStr));
  },
  component: Object.assign(FrameOrFactor, { preload: Frame.preload }),
});

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: PATHS.home,
  beforeLoad: () => {
    throw redirect({ to: PATHS.dashboard, replace: true });
  },
});

const accountRoute = createRoute({
  getParentRoute: () => appRoute,
  path: ACCOUNT.path,
  staticData: { title: ACCOUNT.title },
  component: lazyScreen(codeOf(ACCOUNT.code), {}),
});

function screenRoute<Path extends string, Search>(
  screen: Screen<Path, Search>,
  sections?: readonly Section[],
) {
  return createRoute({
    getParentRoute: () => appRoute,
    path: screen.path,
    staticData: { title: screen.title, isList: screen.search !== undefined, sections },
    // Without `search` the type Search is `object`, which the router accepts for undefined.
    validateSearch: screen.search as (raw: RawSearch) => Search,
    component: lazyScreen(codeOf(screen.code), {}),
  });
}

/** Ids are digits only (D037). */
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

// `Object.fromEntries` loses the type of each screen, which types links, searches and ids.
const { settings: _withSections, ...PLAIN_SCREENS } = SCREENS;
const screenRoutes = Object.fromEntries(
  Object.entries<Screen>(PLAIN_SCREENS).map(([name, screen]) => [
    name,
    screen.hasRecords ? recordsRoute(screen) : screenRoute(screen),
  ]),
) as unknown as { [Name in keyof typeof PLAIN_SCREENS]: RouteOf<(typeof PLAIN_SCREENS)[Name]> };

const settingsRoute = screenRoute(SCREENS.settings, SECTIONS);
const sectionScreens = new Map(SECTIONS.map(({ slug, code }) => [slug, lazyScreen(codeOf(code), {})]));

/** /settings itself shows the first section (D020), or leads to the first one that the person may see. */
const firstSectionRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    const first = SECTIONS.find(({ permission }) => may(permission));
    const to: string = `${PATHS.settings}/${first?.slug}`;
    if (first && first !== SECTIONS[0]) throw redirect({ to, replace: true });
  },
  component: sectionScreens.values().next().value,
});

function sectionRoute<Slug extends SettingsSection, Search>(section: Section<Slug, Search>) {
  return createRoute({
    getParentRoute: () => settingsRoute,
    path: section.slug,
    staticData: { title: `${section.title} · ${SCREENS.settings.title}` },
    // As in `screenRoute`.
    validateSearch: section.search as (raw: RawSearch) => Search,
    component: sectionScreens.get(section.slug),
  });
}

type SectionRouteOf<One> =
  One extends Section<infer Slug, infer Search> ? ReturnType<typeof sectionRoute<Slug, Search>> : never;

// As for the screens: `Object.fromEntries` loses the types of paths and searches.
const sectionRoutes = Object.fromEntries(
  Object.entries<Section>(SETTINGS_SECTIONS).map(([name, section]) => [name, sectionRoute(section)]),
) as unknown as {
  [Name in keyof typeof SETTINGS_SECTIONS]: SectionRouteOf<(typeof SETTINGS_SECTIONS)[Name]>;
};

/** One template is the section too, which stays mounted and reads the kind. */
const templateRoute = createRoute({ getParentRoute: () => sectionRoutes.templates, path: '$kind' });
const certificateRoute = createRoute({
  getParentRoute: () => appRoute,
  path: CERTIFICATE.path,
  staticData: { title: CERTIFICATE.title },
  beforeLoad: onlyDigits,
  component: lazyScreen(codeOf(CERTIFICATE.code), {}),
});

/** One import has an address below the page, which stays mounted and reads the id. */
const importsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: IMPORTS.path,
  staticData: { title: IMPORTS.title },
  validateSearch: readImportsSearch,
  component: lazyScreen(codeOf(IMPORTS.code), {}),
});
const importRoute = createRoute({
  getParentRoute: () => importsRoute,
  path: '$id',
  beforeLoad: onlyDigits,
});

/** Any other path redirects to / (SEED-2.1-14), and from there to the sign-in without a session (D038). */
const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: PATHS.home, replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  ...linkRoutes,
  appRoute.addChildren({
    home: homeRoute,
    account: accountRoute,
    ...screenRoutes,
    certificate: certificateRoute,
    imports: importsRoute.addChildren([importRoute]),
    settings: settingsRoute.addChildren({
      firstSection: firstSectionRoute,
      ...sectionRoutes,
      templates: sectionRoutes.templates.addChildren([templateRoute]),
    }),
  }),
  unknownRoute,
]);

/** A screen whose code loads shows its skeleton after this time: soon enough to respond, late enough not to flicker. */
const PENDING_MS = 50;

/** The console's router. `connectSession` makes it follow the session. */
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
    /** The screen's part of the document title. */
    title?: string;
    /** The screen is a list whose filters are remembered. */
    isList?: boolean;
    /** The sections of Configuración, for its list of them. */
    sections?: readonly Section[] | undefined;
  }
  interface HistoryState {
    /** On the sign-in screen: the address at which the session ended (D004). */
    from?: string;
  }
}

/** The argument of a history blocker. */
type Step = Parameters<Parameters<typeof router.history.block>[0]['blockerFn']>[0];

/** Counts the navigations, so that a waiting one is dropped for a later one. */
let steps = 0;

/**
 * Delays a navigation inside the console until the screen's code is loaded. Until then the current screen stays, the
 * sidebar and a line mark the screen that opens (`opening`); without a connection it opens when the connection is back.
 * Back and Forward are not delayed, because the browser has already changed the URL: they show the screen's skeleton.
 */
async function waitForCode({ currentLocation, nextLocation, action }: Step) {
  // Only the search of the current screen is corrected: this is no navigation.
  if (action === 'REPLACE' && nextLocation.pathname === currentLocation.pathname) return false;
  steps += 1;
  const step = steps;
  setOpening(null);
  const isWithin = !isOutside(currentLocation.pathname) && !isOutside(nextLocation.pathname);
  if (action !== 'PUSH' || !isWithin) return false;
  const [matched] = router.getMatchedRoutes(nextLocation.pathname);
  const missing = matched
    .map(({ options }) => codeOfScreen(options.component))
    .filter((code) => code !== undefined && code.module === undefined);
  if (missing.length === 0) return false;
  setOpening(nextLocation.pathname);
  // The screen shows the error of code that cannot be loaded.
  await Promise.allSettled(missing.map((code) => code?.wanted(nextLocation.href)));
  if (step !== steps) return true;
  setOpening(null);
  return false;
}
router.history.block({ blockerFn: waitForCode, enableBeforeUnload: false });

/** Updates the document's title and the remembered filters when a screen is shown. */
export function followScreens(): void {
  router.subscribe('onResolved', () => {
    const matches = router.state.matches;
    const title = matches.findLast(({ staticData }) => staticData.title)?.staticData.title;
    setScreenTitle(title);
    const list = matches.findLast(({ staticData }) => staticData.isList);
    if (list !== undefined) {
      const { nuevo, editar, tab, ver, cliente, ...narrowing } = list.search as Record<string, unknown>;
      rememberFilters(list.fullPath, narrowing);
    }
  });
}

/** Clears the cache, except the server's health, which is not personal and which the sign-in screen shows (D006). */
function forgetPersonalData(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEYS.health });
  queryClient.getMutationCache().clear();
}

/**
 * Navigates when the session changes, in this tab or another: a sign-out opens the sign-in screen, a sign-in opens the
 * dashboard or, after an expiry, the previous address (SEED-2.4-06, D004). Clears the data of the previous user (D052).
 * @param began the session at the start of the page: it may have ended while this code was loading
 */
export function connectSession(queryClient: QueryClient, began: SessionState): void {
  const follow = (now: SessionState, before: SessionState) => {
    if (before.isAuthenticated && !now.isAuthenticated) {
      forgetPersonalState();
      if (now.ended === 'signed-out') {
        forgetDraft();
        forgetRecentRecords();
      }
      const from = now.ended === 'expired' ? router.state.location.href : undefined;
      void queryClient.cancelQueries();
      // Drops a navigation that still waits for its code.
      steps += 1;
      const replace = now.ended === 'expired';
      // A page of a link needs no session, and its token is in memory alone.
      if (isOutside(router.state.location.pathname)) return forgetPersonalData(queryClient);
      // Synchronously: otherwise the starting router would redirect first and lose the previous address.
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
