/**
 * Uses the light or dark theme of the device. Pages for clients have no theme switch and do not read the console's
 * stored theme.
 */
export function followDeviceTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
  };
  apply();
  dark.addEventListener('change', apply);
}
