import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const IMPORT = /import \{([^}]*)\} from 'lucide-react';/g;
const EXPORT = /export \{([^}]*)\} from '\.\/(icons\/[^']+)'/g;

/** The file of each icon by its exported name, as the package's own index says. */
function filesByName(): Map<string, string> {
  const index = createRequire(import.meta.url)
    .resolve('lucide-react')
    .replace(/dist\/.*/, 'dist/esm/lucide-react.mjs');
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of readFileSync(index, 'utf8').matchAll(EXPORT)) {
    for (const name of names.matchAll(/default as (\w+)/g)) files.set(name[1]!, file);
  }
  return files;
}

/**
 * Imports each icon from its own file. The package's index reaches all icons, so the bundler would put those of every
 * dialog into the file that all screens wait for.
 * @param source a module of the console
 * @param files see {@link filesByName}
 * @throws when the package has no icon of that name
 */
export function importIconsByFile(source: string, files: ReadonlyMap<string, string>): string {
  return source.replace(IMPORT, (_all, names: string) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => {
        const file = files.get(name);
        if (file === undefined) throw new Error(`lucide-react has no icon ${name}`);
        return `import ${name} from 'lucide-react/dist/esm/${file}';`;
      })
      .join(' '),
  );
}

/** What every file of an icon imports. */
const MAKER = '../createLucideIcon.mjs';

/** See {@link importIconsByFile}; only where the console is built. Icons are made by web/ui/icon.ts there. */
export function iconImports(): Plugin {
  let files: Map<string, string>;
  return {
    name: 'icon-imports',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      files = filesByName();
    },
    resolveId: {
      filter: { id: /createLucideIcon/ },
      handler: (id, importer) =>
        id === MAKER && importer?.includes('/lucide-react/')
          ? join(import.meta.dirname, '../web/ui/icon.ts')
          : null,
    },
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: 'lucide-react' },
      handler: (code) => ({ code: importIconsByFile(code, files), map: null }),
    },
  };
}
