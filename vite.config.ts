import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { iconImports } from './tools/icon-imports.ts';
import { writePortalFiles } from './tools/portal-files.ts';
import { writeScreenPreloads } from './tools/screen-preloads.ts';
import { THEME_STORAGE_KEY } from './web/ui/theme.ts';

/** The pages of the clients' portal, from the folder of the sources. */
const PORTAL_PAGE = '/portal.html';
const PAY_PAGE = '/pagar.html';

const apiPort = Number(process.env.PORT ?? 3000);

/** Below this many bytes a compressed copy saves nothing worth a file. */
const COMPRESS_FROM_BYTES = 1024;

/**
 * Sets `data-theme` before the first paint. It is a classic script in <head> (a module would run after the first
 * paint) and a file of its own, because the Content-Security-Policy allows no inline script.
 */
const themeScript = `(function () {
  var theme = 'light';
  try {
    if (localStorage.getItem('${THEME_STORAGE_KEY}') === 'dark') theme = 'dark';
  } catch (error) {}
  document.documentElement.dataset.theme = theme;
})();
`;

function themeBeforeFirstPaint(): Plugin {
  const devPath = '/theme.js';
  return {
    name: 'theme-before-first-paint',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      if (!this.meta.watchMode) this.emitFile({ type: 'asset', name: 'theme.js', source: themeScript });
    },
    configureServer(server) {
      server.middlewares.use(devPath, (_request, response) => {
        response.setHeader('content-type', 'text/javascript');
        response.end(themeScript);
      });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, path }) {
        // The portal reads nothing that the console stored; it follows the device (web/portal/theme.ts).
        if (path === PORTAL_PAGE || path === PAY_PAGE) return;
        // By its own name: a chunk of the console may be called theme-… as well.
        const built = Object.values(bundle ?? {}).find(
          (file) => file.type === 'asset' && file.names.includes('theme.js'),
        )?.fileName;
        return [{ tag: 'script', attrs: { src: built ? `/${built}` : devPath }, injectTo: 'head-prepend' }];
      },
    },
  };
}

/** Under `npm run dev`: the pages of addresses below /verificar and /pagar and of /portal, as the server answers them. */
function publicPages(): Plugin {
  return {
    name: 'public-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const url = request.url ?? '';
        if (/^\/verificar(\/|\?|$)/.test(url)) request.url = '/verificar.html';
        if (/^\/portal(\?|$)/.test(url)) request.url = PORTAL_PAGE;
        if (/^\/pagar(\/|\?|$)/.test(url)) request.url = PAY_PAGE;
        next();
      });
    },
  };
}

/** The modules as the bundler knows them while it puts them into files. */
type Modules = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...of: never[]) => unknown>>[1];

/** The module, all that it imports, and what that imports; what is loaded on demand is not among them. */
function reachedFrom(module: string, modules: Modules): Set<string> {
  const reached = new Set([module]);
  // A set that grows while it is walked is walked to its end.
  for (const id of reached) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  }
  return reached;
}

/**
 * Left alone, every icon and every hook that some screens share would lie in a file of its own, and a browser asks for
 * six at a time. So what runs first is one file, what else is needed before any screen is another, what the sign-in shares
 * with screens is a third, what the dashboard or the frame shares with screens a fourth, what only other screens share a
 * fifth, what opens over them a sixth, what forms share a seventh, what the pages of records share an eighth; what a
 * screen shares with its dialogs alone lies beside it, and everything else falls as it falls.
 */
function fewerFiles(): Rolldown.CodeSplittingGroup {
  const inWeb = (file: string) => join(import.meta.dirname, 'web', file);
  let start = new Set<string>();
  let main = new Set<string>();
  let signIn = new Set<string>();
  let verify = new Set<string>();
  let ofFrame = new Set<string>();
  let dashboard = new Set<string>();
  let screens = new Map<string, Set<string>>();
  let ofRecords: Set<string>[] = [];
  const walk = (modules: Modules) => {
    start = reachedFrom(inWeb('start.ts'), modules);
    main = reachedFrom(inWeb('main.tsx'), modules);
    signIn = reachedFrom(inWeb('features/people/sign-in/sign-in-page.tsx'), modules);
    verify = reachedFrom(inWeb('verify/verify.ts'), modules);
    const frame = inWeb('components/frame/app-layout.tsx');
    ofFrame = reachedFrom(frame, modules);
    dashboard = reachedFrom(inWeb('features/dashboard/dashboard-page.tsx'), modules);
    ofFrame.delete(frame);
    const ids = modules.getModuleInfo(inWeb('screens.ts'))?.dynamicallyImportedIds ?? [];
    // The pages of one's own account, of payments and of programmers are no screens of the sidebar: what they share stays apart.
    const usual = ids.filter(
      (id) => !/\/features\/(people\/(account|join)|certificate|payments|software\/integration)\//.test(id),
    );
    // The page of a client or a licence is what its list opens as a dialog, so no list may wait for it.
    const isOfRecord = (id: string) => /\/(client|license)-page\.tsx$/.test(id);
    ofRecords = usual.filter(isOfRecord).map((id) => reachedFrom(id, modules));
    screens = new Map(usual.filter((id) => !isOfRecord(id)).map((id) => [id, reachedFrom(id, modules)]));
  };
  /**
   * What the page for strangers reads would bring the console with it in one of its files. What asks for page after page
   * lies in its package beside what the first screen uses, and only histories need it; so does what asks for several
   * records at once, for the form of a charge.
   */
  const fallsAsItFalls = (module: string) =>
    verify.has(module) || /infiniteQueryObserver|useInfiniteQuery|queriesObserver|useQueries/.test(module);
  /** The file of what several screens load. The dashboard, which opens first, does not wait for what only others use. */
  const sharedBy = (module: string) => {
    if (signIn.has(module)) return 'common';
    return ofFrame.has(module) || dashboard.has(module) ? 'screens' : 'lists';
  };
  /** The file of what no screen loads at once: what opens over screens, and what forms have in common. */
  const onDemand = (module: string) => {
    if (/\/@(base-ui|floating-ui)\//.test(module)) return 'overlays';
    if (/\/record\/form-|\/ui\/number-input|\/reading\/numbers/.test(module)) return 'forms';
    return ofRecords.every((reached) => reached.has(module)) ? 'records' : null;
  };
  return {
    debugName: 'fewer files',
    name(module, modules) {
      if (main.size === 0) walk(modules);
      if (fallsAsItFalls(module)) return null;
      if (start.has(module)) return 'start';
      if (main.has(module)) return 'main';
      const [screen, another] = [...screens.keys()].filter((id) => screens.get(id)?.has(module));
      if (screen === undefined) return onDemand(module);
      if (another !== undefined || ofFrame.has(module)) return sharedBy(module);
      return screens.has(module) ? null : `${basename(screen, '-page.tsx')}-shared`;
    },
  };
}

/** What the page to pay shares with the portal is one file, so that neither waits for many. */
function sharedByClients(): Rolldown.CodeSplittingGroup {
  const inPortal = (file: string) => join(import.meta.dirname, 'web/portal', file);
  let shared: Set<string> | undefined;
  const sharedOf = (modules: Modules) => {
    const ofPortal = reachedFrom(inPortal('main.tsx'), modules);
    return new Set([...reachedFrom(inPortal('pay/main.tsx'), modules)].filter((id) => ofPortal.has(id)));
  };
  return {
    debugName: 'shared by clients',
    name(module, modules) {
      shared ??= sharedOf(modules);
      return shared.has(module) ? 'portal-shared' : null;
    },
  };
}

/** Writes a .br and a .gz beside every text file, so that the server never compresses while someone waits. */
function precompress(): Plugin {
  const toBrotli = promisify(brotliCompress);
  const toGzip = promisify(gzip);
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const texts = Object.values(bundle).filter((file) => /\.(js|css|html|svg|json)$/.test(file.fileName));
        await Promise.all(
          texts.map(async (file) => {
            const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            if (source.length < COMPRESS_FROM_BYTES) return;
            const [brotli, gzipped] = await Promise.all([
              toBrotli(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
              toGzip(source, { level: 9 }),
            ]);
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipped });
          }),
        );
      },
    },
  };
}

/** The server under `npm run dev`. A request that comes while it restarts waits for it, five seconds at most. */
const api = {
  target: `http://127.0.0.1:${apiPort}`,
  bypass: async (): Promise<null> => {
    for (let tries = 0; tries < 50 && !(await isListening(apiPort)); tries += 1) await setTimeout(100);
    return null;
  },
};

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

export default defineConfig({
  root: 'web',
  publicDir: 'public',
  plugins: [
    iconImports(),
    react(),
    tailwindcss(),
    themeBeforeFirstPaint(),
    publicPages(),
    precompress(),
    writeScreenPreloads(),
    writePortalFiles(),
  ],
  builder: {},
  // The portal is built by itself: in one build it would share files with the console, and so load staff's code.
  environments: {
    client: {
      build: {
        emptyOutDir: true,
        rolldownOptions: {
          // The public check of a certificate loads nothing of the console.
          input: [
            join(import.meta.dirname, 'web/index.html'),
            join(import.meta.dirname, 'web/verificar.html'),
          ],
          output: {
            // Each group holds what it imports, or a group before it does.
            codeSplitting: { groups: [fewerFiles()], includeDependenciesRecursively: false },
          },
        },
      },
    },
    portal: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: [PORTAL_PAGE, PAY_PAGE].map((page) => join(import.meta.dirname, 'web', page)),
          output: {
            codeSplitting: { groups: [sharedByClients()], includeDependenciesRecursively: false },
          },
        },
      },
    },
  },
  build: {
    outDir: '../dist/web',
    target: 'es2022',
    // Everything the page loads is a file of its own: `font-src 'self'` allows no data: font.
    assetsInlineLimit: 0,
    // Browsers of this target preload modules themselves, and the polyfill would be one more script to carry.
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: {
    host: '127.0.0.1',
    // /licenses is a screen of the console; only what lies under /licenses/api belongs to the server (D037).
    proxy: {
      '^/api/': api,
      '^/licenses/api/': api,
    },
  },
});
