import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const IMPORT = /import \{([^}]*)\} from 'lucide-react';/g;
const EXPORT = /export \{([^}]*)\} from '\.\/(icons\/[^']+)'/g;

/** The file of each icon by its exported name, read from the package's index. */
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
 * Replaces imports of icons with imports of each icon's file. The package's index imports all icons, so the bundler
 * would put the icons of every dialog into the file that all screens load.
 * @param source a module of the console
 * @param files see {@link filesByName}
 * @throws if the package has no icon of that name
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

/** The module that every icon file imports. */
const MAKER = '../createLucideIcon.mjs';

/** See {@link importIconsByFile}. Only used when the console is built; then web/ui/icon.ts creates the icons. */
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
