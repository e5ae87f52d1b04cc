// npm run build: what `npm start` does before it starts, for those who build on one machine and run on another.
import { ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

orExplain(() => {
  ensureInstalled(projectRoot);
  ensureConsole(projectRoot);
});
console.log('The console is built: dist/web');
