// npm run e2e -- license -g renewal: runs browser tests whose file name contains the word, on SQLite, or with
// `--project=postgres` on PostgreSQL.
import { become, ensureConsole, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

const args = process.argv.slice(2);
await orExplain(async () => {
  await ensureInstalled(projectRoot);
  await ensureConsole(projectRoot);
});
const engine = args.some((arg) => arg.startsWith('--project')) ? [] : ['--project=sqlite'];
become(projectRoot, ['node_modules/@playwright/test/cli.js', 'test', ...engine, ...args]);
