import {
  type Address,
  type AnySearch,
  type AnyTarget,
  addressOf,
  hrefOf,
  type PlaceState,
  readHref,
  type Target,
} from './addresses.ts';
import { type Match, matcher, type Route, readSearch } from './routes.ts';

/**
 * The console's navigation: the address of the page, read by a route, and the steps from one address to the next. The
 * address is the state of a screen, so everything here is synchronous unless a blocker waits.
 */

/** Where the console is: an address and the step of the history that holds it. */
export interface Place {
  path: string;
  /** As the route reads it; the same object as before when nothing in it changed. */
  search: AnySearch;
  href: string;
  params: Record<string, string>;
  route: Route | undefined;
  state: PlaceState;
  /** Names the step in the history: its scroll position is kept under it. */
  key: string;
  index: number;
}

/** A way from one place to another; `back` also stands for Forward. */
export interface Step {
  from: Place;
  to: Place;
  kind: 'push' | 'replace' | 'back';
}

interface Rules {
  routes: readonly Route[];
  /** The path to go to instead, for an address that may not or cannot be shown. */
  redirect: (path: string, match: Match | undefined) => string | undefined;
  /** Asks for the data of an address that is about to be opened. */
  askAhead: (address: Address) => void;
}

type Blocker = (step: Step) => boolean | Promise<boolean>;

let rules: Rules;
let find: (path: string) => Match | undefined;
let place: Place;
const watchers = new Set<() => void>();
const blockers = new Set<Blocker>();
/** The next step back or forward was made here, to undo a refused one. */
let undoing = false;
let nextKey = 0;

/** Reads the address of the page. Nothing is redirected before `startNavigation`. */
export function defineRoutes(given: Rules): void {
  rules = given;
  find = matcher(given.routes);
  place = placeHere();
  if (place.key === '') {
    place = { ...place, key: newKey() };
    remember(place);
  }
  window.addEventListener('popstate', () => void followHistory());
}

/** Applies the redirects to the first address, and drops invalid search parameters from it. */
export function startNavigation(): void {
  const { path, search } = place;
  const to = settle({ path, search });
  // A slash at the end may stay.
  if (hrefOf(to) !== place.href) move('replace', to, place.state, location.hash);
}

/** The current place. */
export const currentPlace = (): Place => place;

/** Calls back after each change of the place. */
export function watchPlace(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Opens an address.
 * @returns resolves when it is drawn, or when a blocker has refused it
 */
export const navigate = <To extends string>(target: Target<To>): Promise<void> => open(target as AnyTarget);

/** As `navigate`, to an address as text: '/clients?q=ana'. */
export const navigateTo = (href: string): Promise<void> => {
  const { path, search } = readHref(href);
  return open({ to: path, search, replace: true });
};

/** As `navigate`; nothing can refuse it. */
export const force = <To extends string>(target: Target<To>): Promise<void> =>
  open(target as AnyTarget, false);

/** One step back in the history. */
export const goBack = (): void => history.back();

/** Redirects when the current address may no longer be shown. */
export function checkAddress(): void {
  const to = settle(place);
  if (to.path !== place.path) move('replace', to, {});
}

/** Keeps steps from being made while the blocker says so; it may take its time. */
export function block(blocker: Blocker): () => void {
  blockers.add(blocker);
  return () => blockers.delete(blocker);
}

/** Fetches the code and the data of an address that will probably be opened. */
export function fetchAddress(target: AnyTarget): void {
  const address = settle(addressOf(target, place));
  for (const [, { preload }] of find(address.path)?.route.components ?? []) void preload?.();
  rules.askAhead(address);
}

/** The routes' components at an address. */
export const componentsAt = (path: string) =>
  find(path)?.route.components.map(([, component]) => component) ?? [];

let drawn: (() => void)[] = [];

/** Called when a place is drawn. */
export function placeIsDrawn(): void {
  const waiting = drawn;
  drawn = [];
  for (const resolve of waiting) resolve();
}

function open(target: AnyTarget, mayBeRefused = true): Promise<void> {
  const to = settle(addressOf(target, place));
  const state = target.state === true ? place.state : (target.state ?? {});
  const kind = target.replace ? 'replace' : 'push';
  if (hrefOf(to) === place.href && sameValues(state, place.state)) return Promise.resolve();
  const step = { from: place, to: placeAt(to, state, place.key, place.index), kind } as const;
  const held = mayBeRefused && isHeld(step);
  const go = (refused: boolean) =>
    new Promise<void>((resolve) => {
      if (refused) return resolve();
      drawn.push(resolve);
      move(kind, to, state);
    });
  return held instanceof Promise ? held.then(go) : go(held);
}

/** Follows redirects, and reads the search parameters as the route does. */
function settle(asked: Address): Address {
  let address = asked;
  for (;;) {
    const match = find(address.path);
    const instead = rules.redirect(address.path, match);
    if (instead === undefined) return { path: address.path, search: readSearch(match, address) };
    address = { path: instead, search: {} };
  }
}

/** Asks one blocker after another; without a promise when none of them takes its time. */
function isHeld(step: Step): boolean | Promise<boolean> {
  const asked = [...blockers];
  const askFrom = (first: number): boolean | Promise<boolean> => {
    for (let at = first; at < asked.length; at += 1) {
      const held = asked[at]!(step);
      if (held === true) return true;
      if (held !== false) return held.then((refused) => refused || askFrom(at + 1));
    }
    return false;
  };
  return askFrom(0);
}

function move(kind: 'push' | 'replace', to: Address, state: PlaceState, hash = ''): void {
  const isNew = kind === 'push' || to.path !== place.path;
  const key = isNew ? newKey() : place.key;
  const index = kind === 'push' ? place.index + 1 : place.index;
  const stored = { ...state, key, index };
  if (kind === 'push') history.pushState(stored, '', hrefOf(to));
  else history.replaceState(stored, '', hrefOf(to) + hash);
  arrive(placeAt(to, state, key, index));
}

async function followHistory(): Promise<void> {
  if (undoing) {
    undoing = false;
    return;
  }
  const next = placeHere();
  // Only what stands behind '#' changed: a link within the page.
  if (next.href === place.href && next.key === '') {
    place = { ...place, key: newKey(), index: place.index + 1 };
    remember(place);
    return;
  }
  if (await isHeld({ from: place, to: next, kind: 'back' })) {
    undoing = true;
    history.go(place.index - next.index);
    return;
  }
  const here = placeHere();
  const to = settle(here);
  if (to.path === here.path) arrive(here);
  else move('replace', to, {});
}

/** Names the browser's current step, which was not made here. */
const remember = ({ state, key, index }: Place): void => history.replaceState({ ...state, key, index }, '');

function arrive(at: Place): void {
  place = at;
  for (const watcher of [...watchers]) watcher();
}

/** The place of the browser's address; without a key when the step was not made here. */
function placeHere(): Place {
  const { key = '', index = 0, ...state } = (history.state ?? {}) as Partial<Place & PlaceState>;
  return placeAt(readHref(location.pathname + location.search), state as PlaceState, key, index);
}

function placeAt(address: Address, state: PlaceState, key: string, index: number): Place {
  const match = find(address.path);
  const search = readSearch(match, address);
  return {
    path: address.path,
    search: place && sameValues(search, place.search) ? place.search : search,
    href: hrefOf(address),
    params: match?.params ?? {},
    route: match?.route,
    state,
    key,
    index,
  };
}

const newKey = (): string => {
  nextKey += 1;
  return `${performance.timeOrigin}-${nextKey}`;
};

/** Whether two objects hold the same values; an undefined one is as good as none. */
export function sameValues(one: object, other: object): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => Reflect.get(one, name) === Reflect.get(other, name));
}
