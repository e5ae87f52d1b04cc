// npm run migration -- what-it-does: makes the two empty files of the next migration.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './prepare.mjs';

const folder = join(projectRoot, 'server', 'db', 'migrations');
const [what] = process.argv.slice(2);

if (!what || !/^[a-z0-9-]+$/.test(what)) {
  console.error('npm run migration -- what-it-does (lower case, words joined by hyphens)');
  process.exit(2);
}
const numbers = readdirSync(folder).flatMap((file) => /^(\d{3})-.*\.sql$/.exec(file)?.[1] ?? []);
const next = String(Math.max(0, ...numbers.map(Number)) + 1).padStart(3, '0');
for (const engine of ['sqlite', 'postgres']) {
  const file = join(folder, `${next}-${what}.${engine}.sql`);
  if (existsSync(file)) throw new Error(`${file} exists.`);
  writeFileSync(file, '-- A blank line ends a statement.\n');
  console.log(file);
}
console.log('Then bring server/db/tables.ts up to date.');
