import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is needed here of the manifest that Vite writes beside the built console. */
type Manifest = Record<string, { file: string; imports?: string[] }>;

/** Around every screen but the first. */
const FRAME = 'components/app-layout.tsx';
const SIGN_IN = 'features/auth/sign-in-page.tsx';

/**
 * The code of a screen is loaded by the console's entry once that runs. Told with the page itself, a browser fetches
 * both at once, which spares the first screen one way there and back.
 * @param root the folder of the built console
 * @returns the value of a Link header for the screen at a path; undefined where nothing is known of it
 */
export function readScreenPreloads(root: string): (path: string) => string | undefined {
  const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
  // Written by the build of the same release.
  const manifest: Manifest = JSON.parse(read('.vite/manifest.json') || '{}');
  const page = read('index.html');
  const links = new Map<string, string>();
  return (path) => {
    // A record's address is that of its list: /clients/7 shows the list with a dialog (D024).
    const screen = path.split('/')[1] ?? '';
    const begins = screen === 'login' ? [SIGN_IN] : [FRAME, `features/${screen}/${screen}-page.tsx`];
    if (!begins.every((module) => Object.hasOwn(manifest, module))) return undefined;
    if (!links.has(screen)) {
      const files = filesOf(manifest, begins);
      // What all others wait for goes first on the line: the files that the page itself names.
      const order = [
        ...files.filter((file) => page.includes(file)),
        ...files.filter((file) => !page.includes(file)),
      ];
      links.set(screen, order.map((file) => `</${file}>; rel=modulepreload; crossorigin`).join(', '));
    }
    return links.get(screen);
  };
}

/** The files of these modules and of all that they import, each once. */
function filesOf(manifest: Manifest, modules: readonly string[]): string[] {
  const reached = new Set(modules);
  // A set that grows while it is walked is walked to its end.
  for (const module of reached) for (const next of manifest[module]?.imports ?? []) reached.add(next);
  return [...new Set([...reached].flatMap((module) => manifest[module]?.file ?? []))];
}
