import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The code of a screen is loaded by the console's entry once that runs. Named in the page itself, a browser fetches
 * both at once, which spares the first screen one way there and back. The console's build writes which files these are.
 * @param root the folder of the built console
 * @returns the value of a Link header for the screen at a path; undefined where nothing is known of it
 */
export function readScreenPreloads(root: string): (path: string) => string | undefined {
  const file = join(root, 'preloads.json');
  // Written by the build of the same release: the files of each screen, by its path.
  const table: Record<string, string[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const links = Object.entries(table).map(([screen, files]) => ({
    screen,
    link: files.map((name) => `</${name}>; rel=modulepreload; crossorigin`).join(', '),
  }));
  // A record's address is below that of its list: /clients/7 shows the list with a dialog (D024).
  return (path) => links.find(({ screen }) => path === screen || path.startsWith(`${screen}/`))?.link;
}
