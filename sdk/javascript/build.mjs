// node build.mjs [folder]: makes of license.js what a package has besides, in dist/ or the folder: license.cjs for require,
// license.browser.js for a script element (its names stand in LicenseManager), and the types for require.
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const here = import.meta.dirname;
const outDir = resolve(process.argv[2] ?? join(here, 'dist'));

const bundled = (format, fileName, minify) =>
  build({
    configFile: false,
    logLevel: 'warn',
    root: here,
    build: {
      ...{ outDir, emptyOutDir: false, minify, target: 'es2022' },
      lib: {
        entry: join(here, 'license.js'),
        name: 'LicenseManager',
        formats: [format],
        fileName: () => fileName,
      },
    },
  });

await bundled('cjs', 'license.cjs', false);
await bundled('iife', 'license.browser.js', true);
await copyFile(join(here, 'license.d.ts'), join(outDir, 'license.d.cts'));
