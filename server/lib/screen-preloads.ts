import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The used part of Vite's manifest of the built console. */
type Manifest = Record<string, { file: string; imports?: string[] }>;

/** The frame of every screen except sign-in. */
const FRAME = 'components/app-layout.tsx';
const SIGN_IN = 'features/auth/sign-in-page.tsx';

/**
 * The console's entry loads the code of a screen when it runs. With a Link header the browser fetches both at once,
 * which saves one round trip.
 * @param root the folder of the built console
 * @returns the value of a Link header for the screen at a path; undefined for an unknown path
 */
export function readScreenPreloads(root: string): (path: string) => string | undefined {
  const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
  // The manifest belongs to the same build.
  const manifest: Manifest = JSON.parse(read('.vite/manifest.json') || '{}');
  const page = read('index.html');
  const links = new Map<string, string>();
  return (path) => {
    // A record's address begins with that of its list: /clients/7 shows the list with a dialog (D024).
    const screen = path.split('/')[1] ?? '';
    const begins = screen === 'login' ? [SIGN_IN] : [FRAME, `features/${screen}/${screen}-page.tsx`];
    if (!begins.every((module) => Object.hasOwn(manifest, module))) return undefined;
    if (!links.has(screen)) {
      const files = filesOf(manifest, begins);
      // The files that the page itself names come first, because all others wait for them.
      const order = [
        ...files.filter((file) => page.includes(file)),
        ...files.filter((file) => !page.includes(file)),
      ];
      links.set(screen, order.map((file) => `</${file}>; rel=modulepreload; crossorigin`).join(', '));
    }
    return links.get(screen);
  };
}

/** The files of these modules and of all their imports, each once. */
function filesOf(manifest: Manifest, modules: readonly string[]): string[] {
  const reached = new Set(modules);
  // Iterating over a set also visits values that are added meanwhile.
  for (const module of reached) for (const next of manifest[module]?.imports ?? []) reached.add(next);
  return [...new Set([...reached].flatMap((module) => manifest[module]?.file ?? []))];
}
