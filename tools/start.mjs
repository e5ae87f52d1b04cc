// npm start: installs what is missing, builds the console if its sources changed, and runs the server.
import { become, ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

await orExplain(async () => {
  await ensureInstalled(projectRoot);
  await ensureConsole(projectRoot);
});
become(projectRoot, ['server/main.ts', ...process.argv.slice(2)]);
