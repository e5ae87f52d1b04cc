// npm test [-- parts…]: installs what is missing and runs the gate, or the parts of it that are named.
import { become, ensureInstalled, orExplain, projectRoot } from './prepare.mjs';

orExplain(() => ensureInstalled(projectRoot));
become(projectRoot, ['tools/gate.ts', ...process.argv.slice(2)]);
