import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readScreenPreloads } from './screen-preloads.ts';

const MANIFEST = {
  '_entry.js': { file: 'assets/entry.js' },
  '_shared.js': { file: 'assets/shared.js', imports: ['_entry.js'] },
  'components/app-layout.tsx': { file: 'assets/frame.js', imports: ['_entry.js', '_shared.js'] },
  'features/clients/clients-page.tsx': { file: 'assets/clients.js', imports: ['_shared.js'] },
  'features/auth/sign-in-page.tsx': { file: 'assets/sign-in.js', imports: ['_entry.js'] },
};

function builtConsole(manifest?: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'license-manager-preloads-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="/assets/entry.js"></script>');
  if (manifest) writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
  return folder;
}

test('the page of a screen, and of a record on it, comes with its code and that of the frame, what all wait for first', () => {
  const linkOf = readScreenPreloads(builtConsole(MANIFEST));
  const link = ['entry', 'frame', 'clients', 'shared']
    .map((file) => `</assets/${file}.js>; rel=modulepreload; crossorigin`)
    .join(', ');
  expect(linkOf('/clients')).toBe(link);
  expect(linkOf('/clients/7')).toBe(link);
});

test('the sign-in stands outside of the frame', () => {
  const linkOf = readScreenPreloads(builtConsole(MANIFEST));
  expect(linkOf('/login')).toMatch(
    /^<.assets.entry.js>.*<.assets.sign-in.js>; rel=modulepreload; crossorigin$/,
  );
});

test('an address that is no screen, and a console without a manifest, name nothing', () => {
  const linkOf = readScreenPreloads(builtConsole(MANIFEST));
  for (const path of ['/', '/nowhere', '/constructor', '/__proto__/7'])
    expect(linkOf(path), path).toBeUndefined();
  expect(readScreenPreloads(builtConsole())('/clients')).toBeUndefined();
});
