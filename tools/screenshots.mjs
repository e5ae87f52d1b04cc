// npm run screenshots: installs and builds what is missing, then runs screenshots.ts.
import { become, ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

await orExplain(async () => {
  await ensureInstalled(projectRoot);
  await ensureConsole(projectRoot);
});
become(projectRoot, ['tools/screenshots.ts', ...process.argv.slice(2)]);
