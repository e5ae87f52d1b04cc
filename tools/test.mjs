// npm test [-- parts…]: installs what is missing and runs the gate, or only the given parts of it.
import { become, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

await orExplain(() => ensureInstalled(projectRoot));
become(projectRoot, ['tools/gate.ts', ...process.argv.slice(2)]);
