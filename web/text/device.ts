/** The browsers, the most specific first, because most User-Agent texts also contain names of other browsers. */
const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/\b(Edg|EdgA|EdgiOS|Edge)\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];

/** The systems, the most specific first: an iPhone also contains 'like Mac OS X', Android also 'Linux'. */
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (userAgent: string, names: readonly [RegExp, string][]) =>
  names.find(([mark]) => mark.test(userAgent))?.[1];

/**
 * The device of a session in words: 'Chrome en Windows' (PEOPLE-06).
 * @param userAgent the User-Agent header; null if there was none
 */
export function deviceOf(userAgent: string | null): string {
  const text = userAgent ?? '';
  const browser = nameIn(text, BROWSERS);
  const system = nameIn(text, SYSTEMS);
  if (browser && system) return `${browser} en ${system}`;
  if (browser ?? system) return browser ?? system ?? '';
  const program = text.split(/[/\s]/, 1)[0]?.slice(0, 40);
  return program ? `Programa ${program}` : 'Dispositivo desconocido';
}
