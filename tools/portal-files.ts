import type { Plugin } from 'vite';

/**
 * Writes portal-files.json beside the built pages: the list of the client portal's files. If the portal has a separate
 * host, the server delivers only these files on it (PORTAL-07).
 */
export function writePortalFiles(): Plugin {
  return {
    name: 'portal-files',
    apply: 'build',
    // The portal is a separate build, so all files of this build belong to it.
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
