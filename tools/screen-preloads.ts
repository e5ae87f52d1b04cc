import { join } from 'node:path';
import { type Plugin, type Rolldown, runnerImport } from 'vite';

/** The fields of a bundled file that are needed here. */
export type BuiltFile = Pick<Rolldown.OutputChunk, 'fileName' | 'facadeModuleId' | 'imports'>;

/** A screen and its first modules, by their full paths. */
export interface ScreenModules {
  path: string;
  modules: string[];
}

/**
 * Finds the files that a screen needs before it can be rendered: those of its modules and of everything that these
 * import.
 * @param page the built index.html. The files that it loads are left out, because they are loaded first anyway
 * @returns the files by the screen's path, without duplicates, relative to the folder of the built console
 * @throws if a module is in no built file
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
      // The loop also visits elements that are added to the set meanwhile.
      for (const file of reached) for (const next of imports.get(file) ?? []) reached.add(next);
      const isOnPage = (file: string) => page.includes(file);
      const all = [...reached];
      return [path, [...all.filter(isOnPage), ...all.filter((file) => !isOnPage(file))]];
    }),
  );
}

/** The screens of web/screens.ts, read without running the code of the screens. */
async function readScreens(web: string): Promise<ScreenModules[]> {
  const { module } = await runnerImport<typeof import('../web/screens.ts')>('/screens.ts', {
    root: web,
    configFile: false,
    logLevel: 'error',
  });
  // The path of the module is found in the source text of the function.
  const moduleOf = (code: () => Promise<unknown>) => {
    const [, name] = /import(?:__)?\(["'](.+?)["']\)/.exec(String(code)) ?? [];
    if (name === undefined) throw new Error(`web/screens.ts: no import() of one module in ${code}`);
    return join(web, name);
  };
  const frame = moduleOf(module.frameCode);
  return [
    { path: module.OUTSIDE.signIn.path, modules: [moduleOf(module.OUTSIDE.signIn.code)] },
    ...[...Object.values(module.SCREENS), module.FURTHER_PAGES.client, module.FURTHER_PAGES.license].map(
      ({ path, code }) => ({ path, modules: [frame, moduleOf(code)] }),
    ),
  ];
}

/**
 * Writes preloads.json beside the built page. The server announces these files to the browser together with the page,
 * so that a screen's code arrives one round trip earlier (docs/decisions/021-what-the-first-screen-waits-for.md).
 */
export function writeScreenPreloads(): Plugin {
  let web = '';
  return {
    name: 'screen-preloads',
    apply: 'build',
    // Not for the portal, which has no screens of the console.
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
