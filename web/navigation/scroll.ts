import { currentPlace, watchPlace } from './navigation.ts';

const STORAGE_KEY = 'license_manager_scroll';

/** The positions by the keys of the history's steps. */
let positions: Record<string, number> = {};
/** Followed, not asked for: asking makes the browser lay out the page. */
let now = 0;
let key = '';

/**
 * Keeps the scroll position of each step of the history: a new one begins at the top, Back and Forward return to where
 * it was left, also after the page was reloaded.
 */
export function keepScroll(): void {
  history.scrollRestoration = 'manual';
  try {
    positions = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    // Without storage every page begins at the top.
  }
  key = currentPlace().key;
  document.addEventListener(
    'scroll',
    ({ target }) => {
      if (target === document) now = window.scrollY;
    },
    { passive: true },
  );
  watchPlace(() => {
    if (currentPlace().key !== key) positions[key] = now;
  });
  window.addEventListener('pagehide', () => {
    positions[key] = now;
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions));
    } catch {
      // As above.
    }
  });
}

/** Scrolls a place that was just drawn to its position. */
export function restoreScroll(): void {
  const place = currentPlace();
  const wanted = positions[place.key] ?? 0;
  if (place.key === key && wanted === 0) return;
  key = place.key;
  if (wanted !== now) window.scrollTo(0, wanted);
}
