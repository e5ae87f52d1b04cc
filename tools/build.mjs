// npm run build: installs and builds as `npm start` does, where the console is built on another machine than it runs on.
import { ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

orExplain(() => {
  ensureInstalled(projectRoot);
  ensureConsole(projectRoot);
});
console.log('The console is built: dist/web');
