import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Only the owner may read the files that the process writes: mails contain personal data and links that give access.
process.umask(0o077);

// Caches compiled code beside the dependencies; compiling is most of the start time (docs/performance.md). This opens
// no way in: a process that can write there can also change the code itself. If the folder is read-only, the program
// starts without the cache. This call must run before all other imports, so it has a separate file.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'license-manager'));
await import('./start.ts');
