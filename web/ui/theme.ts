/** The key under which the chosen theme is remembered (specification §3). */
export const THEME_STORAGE_KEY = 'license_manager_theme';

const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The remembered theme; light when none is remembered or storage is closed to us (D040). */
export function readTheme(): Theme {
  try {
    return localStorage.getItem(THEME_STORAGE_KEY) === 'dark' ? 'dark' : 'light';
  } catch {
    return 'light';
  }
}

/** Shows `theme` at once and remembers it for the next start. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(THEME_STORAGE_KEY, theme);
  } catch {
    // Storage may be refused (private windows); the theme then holds until the page is closed.
  }
}
