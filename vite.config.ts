import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { THEME_STORAGE_KEY } from './web/ui/theme.ts';

const API_TARGET = 'http://127.0.0.1:3000';

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
      handler(_html, { bundle }) {
        // By its own name: a chunk of the console may be called theme-… as well.
        const built = Object.values(bundle ?? {}).find(
          (file) => file.type === 'asset' && file.names.includes('theme.js'),
        )?.fileName;
        return [{ tag: 'script', attrs: { src: built ? `/${built}` : devPath }, injectTo: 'head-prepend' }];
      },
    },
  };
}

/** Text first appears in its final face: the one font file that every screen needs starts loading with the page. */
function preloadLatinFont(): Plugin {
  return {
    name: 'preload-latin-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file));
        if (!font) return [];
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head',
          },
        ];
      },
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

export default defineConfig({
  root: 'web',
  publicDir: 'public',
  plugins: [react(), tailwindcss(), themeBeforeFirstPaint(), preloadLatinFont(), precompress()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
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
      '^/api/': { target: API_TARGET },
      '^/licenses/api/': { target: API_TARGET },
    },
  },
});
