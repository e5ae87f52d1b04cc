import { describe, expect, test } from 'vitest';
import { preloadTable } from './screen-preloads.ts';

const built = (name: string, facadeModuleId: string | null, imports: string[] = []) => ({
  fileName: `assets/${name}.js`,
  facadeModuleId,
  imports: imports.map((imported) => `assets/${imported}.js`),
});

const FILES = [
  built('entry', '/web/start.ts'),
  built('shared', null, ['entry']),
  built('frame', '/web/app-layout.tsx', ['entry', 'shared']),
  built('clients', '/web/clients-page.tsx', ['shared', 'badges']),
  built('badges', null, ['entry']),
  built('dialog', '/web/clients-form.tsx', ['shared']),
];
const PAGE = '<script type="module" src="/assets/entry.js"></script>';

describe('the files that a screen needs first', () => {
  test('are the files of its modules and of their imports, without those that index.html loads anyway', () => {
    const clients = { path: '/clients', modules: ['/web/app-layout.tsx', '/web/clients-page.tsx'] };
    expect(preloadTable([clients], FILES, PAGE)).toEqual({
      '/clients': ['entry', 'frame', 'clients', 'shared', 'badges'].map((name) => `assets/${name}.js`),
    });
  });

  test('a module that was not built stops the build, and the error contains its name', () => {
    const reports = { path: '/reports', modules: ['/web/reports-page.tsx'] };
    expect(() => preloadTable([reports], FILES, PAGE)).toThrow(
      '/reports: no file was built from /web/reports-page',
    );
  });
});
