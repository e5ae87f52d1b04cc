// npm run build: installs and builds like `npm start`, for consoles that are built on another machine than they run
// on.
import { ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

await orExplain(async () => {
  await ensureInstalled(projectRoot);
  await ensureConsole(projectRoot);
});
console.log('The console is built: dist/web');
