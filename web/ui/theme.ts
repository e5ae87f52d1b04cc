/** The storage key of the theme (SEED-3-29). */
export const THEME_STORAGE_KEY = 'license_manager_theme';

const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The stored theme; light if none is stored or storage is blocked (D040). */
export function readTheme(): Theme {
  try {
    return localStorage.getItem(THEME_STORAGE_KEY) === 'dark' ? 'dark' : 'light';
  } catch {
    return 'light';
  }
}

/** Applies `theme` and stores it. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(THEME_STORAGE_KEY, theme);
  } catch {
    // Storage may be blocked (private windows); then the theme applies until the page is closed.
  }
}
