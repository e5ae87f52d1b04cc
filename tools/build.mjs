// npm run build: the preparation of `npm start`, for a build on another machine than the one that runs.
import { ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

orExplain(() => {
  ensureInstalled(projectRoot);
  ensureConsole(projectRoot);
});
console.log('The console is built: dist/web');
