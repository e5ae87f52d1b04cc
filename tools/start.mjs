// npm start: installs what is missing, builds the console when its sources changed, runs the server.
import { become, ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

orExplain(() => {
  ensureInstalled(projectRoot);
  ensureConsole(projectRoot);
});
become(projectRoot, ['server/main.ts', ...process.argv.slice(2)]);
