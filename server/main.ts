import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// From the second start on, code is neither stripped of its types nor compiled anew, which is most of what a start costs
// (docs/performance.md). It lies beside the dependencies: who may write there could change the code itself as well; where
// nobody may, the program starts all the same. Before all other imports, hence a file of its own.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'license-manager'));
await import('./start.ts');
