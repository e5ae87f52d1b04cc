import type { Plugin } from 'vite';

/**
 * Writes portal-files.json beside the built pages: what belongs to the clients' portal. On the portal's own host the server
 * gives out these files and no others (PORTAL-07).
 */
export function writePortalFiles(): Plugin {
  return {
    name: 'portal-files',
    apply: 'build',
    // The portal is built by itself, so all that this build makes is its own.
    applyToEnvironment: ({ name }) => name === 'portal',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
        this.emitFile({
          type: 'asset',
          fileName: 'portal-files.json',
          source: JSON.stringify(files, null, 1),
        });
      },
    },
  };
}
