// npm run test:one -- licenses [--engine postgres] [-t title]: runs the tests whose path contains the word, on one
// engine.
import { become, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

const args = process.argv.slice(2);
const at = args.indexOf('--engine');
const [, engine = 'sqlite'] = at < 0 ? [] : args.splice(at, 2);
if (args.length === 0 || !['sqlite', 'postgres'].includes(engine)) {
  console.error('npm run test:one -- WORD… [--engine sqlite|postgres] [-t TITLE]');
  process.exit(2);
}

await orExplain(() => ensureInstalled(projectRoot));
const projects = ['floors', 'unit', `api-${engine}`, 'sdk'].flatMap((name) => ['--project', name]);
become(projectRoot, ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...args]);
