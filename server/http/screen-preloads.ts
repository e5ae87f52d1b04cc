import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads which files the code of each screen is, for a Link header. The console's entry loads the code of a screen
 * only when it runs. With the header the browser fetches both at once, which saves the first screen one round trip.
 * @param root the folder of the built console
 * @returns a function from a path to the value of the Link header; undefined for an unknown path
 */
export function readScreenPreloads(root: string): (path: string) => string | undefined {
  const file = join(root, 'preloads.json');
  // The console's build writes this file: the files of each screen, by its path.
  const table: Record<string, string[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const links = Object.entries(table).map(([screen, files]) => ({
    screen,
    link: files.map((name) => `</${name}>; rel=modulepreload; crossorigin`).join(', '),
  }));
  const at = (requested: string) => links.find(({ screen }) => screen === requested);
  // A client and a licence have a page of their own (DESK-05). The address of another record is below that of its list:
  // /software/7 shows the list with a dialog (D024).
  return (path) =>
    (at(path.replace(/\/\d+$/, '/$id')) ?? links.find(({ screen }) => path.startsWith(`${screen}/`)))?.link;
}
