import { join } from 'node:path';
import { type Plugin, type Rolldown, runnerImport } from 'vite';

/** What is needed here of a file that the bundler makes. */
export type BuiltFile = Pick<Rolldown.OutputChunk, 'fileName' | 'facadeModuleId' | 'imports'>;

/** A screen and the modules it begins with, by their full paths. */
export interface ScreenModules {
  path: string;
  modules: string[];
}

/**
 * Which files a screen needs before it can be drawn: those of its modules and of all that these import.
 * @param page the built index.html: what it names is what every other file waits for, and goes first on the line
 * @returns the files by the screen's path, each once, relative to the folder of the built console
 * @throws when nothing was built from a module
 */
export function preloadTable(
  screens: readonly ScreenModules[],
  files: readonly BuiltFile[],
  page: string,
): Record<string, string[]> {
  const imports = new Map(files.map((file) => [file.fileName, file.imports]));
  return Object.fromEntries(
    screens.map(({ path, modules }) => {
      const reached = new Set(
        modules.map((module) => {
          const file = files.find(({ facadeModuleId }) => facadeModuleId === module);
          if (file === undefined) throw new Error(`the screen ${path}: no file was built from ${module}`);
          return file.fileName;
        }),
      );
      // A set that grows while it is walked is walked to its end.
      for (const file of reached) for (const next of imports.get(file) ?? []) reached.add(next);
      const isOnPage = (file: string) => page.includes(file);
      const all = [...reached];
      return [path, [...all.filter(isOnPage), ...all.filter((file) => !isOnPage(file))]];
    }),
  );
}

/** What web/screens.ts says of them, without running any code of theirs. */
async function readScreens(web: string): Promise<ScreenModules[]> {
  const { module } = await runnerImport<typeof import('../web/screens.ts')>('/screens.ts', {
    root: web,
    configFile: false,
    logLevel: 'error',
  });
  // The module that an entry's `import()` names stands in the function's own text.
  const moduleOf = (code: () => Promise<unknown>) => {
    const [, name] = /import(?:__)?\(["'](.+?)["']\)/.exec(String(code)) ?? [];
    if (name === undefined) throw new Error(`web/screens.ts: no import() of one module in ${code}`);
    return join(web, name);
  };
  const frame = moduleOf(module.frameCode);
  return [
    { path: module.OUTSIDE.signIn.path, modules: [moduleOf(module.OUTSIDE.signIn.code)] },
    ...Object.values(module.SCREENS).map(({ path, code }) => ({ path, modules: [frame, moduleOf(code)] })),
  ];
}

/**
 * Writes preloads.json beside the built page. The server tells a browser of these files with the page itself, so that a
 * screen's code comes one way there and back earlier (docs/decisions/021-what-the-first-screen-waits-for.md).
 */
export function writeScreenPreloads(): Plugin {
  let web = '';
  return {
    name: 'screen-preloads',
    apply: 'build',
    // The portal has no screens of the console.
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved({ root }) {
      web = root;
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('index.html is not among the built files');
        const files = Object.values(bundle).filter((file) => file.type === 'chunk');
        const table = preloadTable(await readScreens(web), files, String(page.source));
        this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(table, null, 1) });
      },
    },
  };
}
