// npm run screenshots: see screenshots.ts; what it needs is installed and built first, as everywhere.
import { become, ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

orExplain(() => {
  ensureInstalled(projectRoot);
  ensureConsole(projectRoot);
});
become(projectRoot, ['scripts/screenshots.ts', ...process.argv.slice(2)]);
