// npm run migration -- what-it-does: creates the empty file of the next migration; with --engines one for each engine.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './prepare.mjs';

const folder = join(projectRoot, 'server', 'db', 'migrations');
const words = process.argv.slice(2);
const what = words.find((word) => word !== '--engines');

if (!what || !/^[a-z0-9-]+$/.test(what)) {
  console.error('npm run migration -- what-it-does [--engines] (lower case, words joined by hyphens)');
  process.exit(2);
}
const numbers = readdirSync(folder).flatMap((file) => /^(\d{3})-.*\.(?:sql|ts)$/.exec(file)?.[1] ?? []);
const next = String(Math.max(0, ...numbers.map(Number)) + 1).padStart(3, '0');
const endings = words.includes('--engines') ? ['sqlite.sql', 'postgres.sql'] : ['sql'];
for (const ending of endings) {
  const file = join(folder, `${next}-${what}.${ending}`);
  if (existsSync(file)) throw new Error(`${file} exists.`);
  writeFileSync(file, '-- A blank line ends a statement.\n');
  console.log(file);
}
console.log('Then add what it makes to server/db/tables/.');
