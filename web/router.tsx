import type { QueryClient } from '@tanstack/react-query';
import { may } from './api/permissions.ts';
import { KEYS } from './api/query-keys.ts';
import { type SessionState, useSession } from './api/session.ts';
import { codeOf, codeOfScreen, lazyScreen } from './components/frame/code.tsx';
import { forgetPersonalState, rememberFilters, setOpening } from './components/frame/ui-store.ts';
import { setScreenTitle } from './components/frame/window-title.ts';
import { forgetRecentRecords } from './components/palette/recent-key.ts';
import { forgetDraft, forgetDraftOfOthers } from './components/record/form-drafts.ts';
import { readImportsSearch } from './features/imports/imports-search.ts';
import type { SearchOf } from './navigation/addresses.ts';
import {
  block,
  checkAddress,
  componentsAt,
  currentPlace,
  defineRoutes,
  force,
  navigate,
  navigateTo,
  type Step,
} from './navigation/navigation.ts';
import type { Match, Route } from './navigation/routes.ts';
import { isAtOrBelow, isOutside, PATHS, type RawSearch, safeReturnPath } from './paths.ts';
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

/** Says what stands at each address, who may see it, and what a change of the session opens. */

const isSignedIn = () => useSession.getState().isAuthenticated;

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

// The sign-in screen does not need the frame's code.
const Frame = lazyScreen(codeOf(frameCode), { screens: SCREEN_PLACES, sections: FURTHER_PLACES });
const RequiredFactor = lazyScreen(codeOf(requiredFactorCode), {});

/** The frame, or what the person must do first, at whatever address: there is no way around it. */
const FrameOrFactor = Object.assign(
  function FrameOrFactor() {
    return useSession((state) => state.mfaSetupRequired) ? <RequiredFactor /> : <Frame />;
  },
  { preload: Frame.preload },
);

const FRAME = ['frame', FrameOrFactor] as const;

/** A page outside of the frame. */
const outside = ({ path, title, code }: Page): Route => ({
  path,
  components: [[path, lazyScreen(codeOf(code), {})]],
  notes: { title },
});

/** A page inside the frame. */
function inside(
  { path, title, code }: Page,
  search?: (raw: RawSearch) => unknown,
  sections?: readonly Section[],
): Route {
  return {
    path,
    components: [FRAME, [path, lazyScreen(codeOf(code), {})]],
    // What reads search parameters gives an object of them.
    search: search as Route['search'],
    notes: { title, isList: search !== undefined && sections === undefined, sections },
  };
}

/** A record is at its list, which stays and reads the id (D024). */
const screenRoutes = Object.values<Screen>(SCREENS)
  .filter(({ path }) => path !== SCREENS.settings.path)
  .flatMap((screen) => {
    const list = inside(screen, screen.search);
    return screen.hasRecords ? [list, { ...list, path: `${screen.path}/$id` }] : [list];
  });

const settings = inside(SCREENS.settings, undefined, SECTIONS);
const sectionRoutes = SECTIONS.flatMap(({ slug, title, code, search }): Route[] => {
  const path = `${PATHS.settings}/${slug}`;
  const route: Route = {
    path,
    components: [...settings.components, [path, lazyScreen(codeOf(code), {})]],
    // As above.
    search: search as Route['search'],
    notes: { title: `${title} · ${SCREENS.settings.title}`, sections: SECTIONS },
  };
  // One template is the section too, which stays and reads the kind.
  return path === PATHS.mailTemplates ? [route, { ...route, path: PATHS.mailTemplate }] : [route];
});
/** /settings itself shows the first section (D020). */
const firstSection: Route = {
  ...settings,
  components: sectionRoutes[0]?.components ?? settings.components,
};

/** One import has an address below the page, which stays and reads the id. */
const imports: Route = { ...inside(IMPORTS), search: readImportsSearch as Route['search'] };

/** Where an address leads instead: to the sign-in without a session, to / from an unknown one (SEED-2.1-14, D038). */
function redirect(path: string, match: Match | undefined): string | undefined {
  if (isOutside(path)) return path === PATHS.signIn && isSignedIn() ? PATHS.dashboard : undefined;
  if (!isSignedIn()) return PATHS.signIn;
  if (match === undefined || path === PATHS.home) return PATHS.dashboard;
  if (match.route !== firstSection) return undefined;
  const first = SECTIONS.find(({ permission }) => may(permission));
  return first && first !== SECTIONS[0] ? `${PATHS.settings}/${first.slug}` : undefined;
}

defineRoutes({
  routes: [
    outside(SIGN_IN),
    ...Object.values<Page>(LINK_SCREENS).map(outside),
    inside(ACCOUNT),
    ...screenRoutes,
    inside(CERTIFICATE),
    imports,
    { ...imports, path: `${IMPORTS.path}/$id` },
    firstSection,
    ...sectionRoutes,
  ],
  redirect,
  askAhead: ({ path, search }) => {
    if (isSignedIn()) askForScreen(path, search as Record<string, string>);
  },
});

/** What each screen and section reads, by its address. */
type Read =
  | (typeof SCREENS)[keyof typeof SCREENS]
  | {
      [Name in keyof typeof SETTINGS_SECTIONS]: (typeof SETTINGS_SECTIONS)[Name] extends Section<
        infer Slug,
        infer Search
      >
        ? { path: `${typeof PATHS.settings}/${Slug}`; search?: (raw: RawSearch) => Search }
        : never;
    }[keyof typeof SETTINGS_SECTIONS];

/** Does not compile when a screen reads others than navigation/addresses.ts says. */
type Agreed = {
  [Path in Read['path']]: Extract<Read, { path: Path }> extends {
    search?: (raw: RawSearch) => SearchOf<Path>;
  }
    ? true
    : never;
};
({}) as Agreed satisfies Record<Read['path'], true>;

declare module './navigation/routes.ts' {
  interface RouteNotes {
    /** The screen's part of the document title. */
    title?: string;
    /** The screen is a list whose filters are remembered. */
    isList?: boolean;
    /** The sections of Configuración, for its list of them. */
    sections?: readonly Section[] | undefined;
  }
}

/** Counts the navigations, so that a waiting one is dropped for a later one. */
let steps = 0;

/**
 * Delays a navigation inside the console until the screen's code is loaded. Until then the current screen stays, the
 * sidebar and a line mark the screen that opens (`opening`); without a connection it opens when the connection is back.
 * Back and Forward are not delayed, because the browser has already changed the URL: they show the screen's skeleton.
 */
function waitForCode({ from, to, kind }: Step): false | Promise<boolean> {
  // Only the search of the current screen is corrected: this is no navigation.
  if (kind === 'replace' && to.path === from.path) return false;
  steps += 1;
  const step = steps;
  setOpening(null);
  if (kind !== 'push' || isOutside(from.path) || isOutside(to.path)) return false;
  const missing = componentsAt(to.path)
    .map(codeOfScreen)
    .filter((code) => code !== undefined && code.module === undefined);
  if (missing.length === 0) return false;
  setOpening(to.path);
  // The screen shows the error of code that cannot be loaded.
  return Promise.allSettled(missing.map((code) => code?.wanted(to.href))).then(() => {
    if (step !== steps) return true;
    setOpening(null);
    return false;
  });
}
block(waitForCode);

/** Updates the document's title and the remembered filters. Call it when a place is drawn. */
export function noteScreen(): void {
  const { route, path, search } = currentPlace();
  setScreenTitle(route?.notes.title);
  if (!route?.notes.isList) return;
  const { nuevo, editar, tab, ver, cliente, ...narrowing } = search;
  const list = Object.values<Screen>(SCREENS).find((screen) => isAtOrBelow(path, screen.path));
  if (list) rememberFilters(list.path, narrowing);
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
      const from = now.ended === 'expired' ? currentPlace().href : undefined;
      void queryClient.cancelQueries();
      // Drops a navigation that still waits for its code.
      steps += 1;
      const replace = now.ended === 'expired';
      // A page of a link needs no session, and its token is in memory alone.
      if (isOutside(currentPlace().path)) return forgetPersonalData(queryClient);
      // Synchronously: otherwise the starting router would redirect first and lose the previous address.
      void force({ to: PATHS.signIn, state: { from }, replace }).then(() => forgetPersonalData(queryClient));
    }
    if (now.isAuthenticated && before.user?.id !== now.user?.id) forgetDraftOfOthers(now.user?.id);
    if (!before.isAuthenticated && now.isAuthenticated) {
      forgetPersonalData(queryClient);
      const from = safeReturnPath(currentPlace().state.from);
      if (from === null) void navigate({ to: PATHS.dashboard, replace: true });
      else void navigateTo(from);
    }
    if (before.isAuthenticated && now.isAuthenticated && before.user?.id !== now.user?.id) {
      forgetPersonalData(queryClient);
      checkAddress();
    }
  };
  follow(useSession.getState(), began);
  useSession.subscribe(follow);
}
