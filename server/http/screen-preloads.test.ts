import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readScreenPreloads } from './screen-preloads.ts';

const PRELOADS = {
  '/login': ['assets/entry.js', 'assets/sign-in.js'],
  '/clients': ['assets/entry.js', 'assets/frame.js', 'assets/clients.js'],
};

function builtConsole(preloads?: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'license-manager-preloads-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="/assets/entry.js"></script>');
  if (preloads) writeFileSync(join(folder, 'preloads.json'), JSON.stringify(preloads));
  return folder;
}

test('the page of a screen, and of a record on it, gets a Link header with the files of the build in their order', () => {
  const linkOf = readScreenPreloads(builtConsole(PRELOADS));
  const link = ['entry', 'frame', 'clients']
    .map((file) => `</assets/${file}.js>; rel=modulepreload; crossorigin`)
    .join(', ');
  expect(linkOf('/clients')).toBe(link);
  expect(linkOf('/clients/7')).toBe(link);
  expect(linkOf('/login')).toMatch(
    /^<.assets.entry.js>.*, <.assets.sign-in.js>; rel=modulepreload; crossorigin$/,
  );
});

test('an unknown address, or a console without the preload file, gets no Link header', () => {
  const linkOf = readScreenPreloads(builtConsole(PRELOADS));
  for (const path of ['/', '/nowhere', '/clientsextra', '/constructor', '/__proto__/7'])
    expect(linkOf(path), path).toBeUndefined();
  expect(readScreenPreloads(builtConsole())('/clients')).toBeUndefined();
});
