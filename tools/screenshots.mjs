// npm run screenshots: installs and builds what is missing, then runs screenshots.ts.
import { become, ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

orExplain(() => {
  ensureInstalled(projectRoot);
  ensureConsole(projectRoot);
});
become(projectRoot, ['tools/screenshots.ts', ...process.argv.slice(2)]);
