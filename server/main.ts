import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Everything that the process writes is its owner's alone: mails hold personal data, and links that let people in.
process.umask(0o077);

// Caches compiled code beside the dependencies, which is most of the time of a start (docs/performance.md). A process
// that can write there could change the code itself too; where the folder is read-only, the program starts without the
// cache. It must run before all other imports, so it has its own file.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'license-manager'));
await import('./start.ts');
