import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Changes all sessions in a server's file as if their passwords were entered long ago. */
export function forgetPasswords({ dataDir }: { dataDir: string }): void {
  const database = new Database(join(dataDir, 'license-manager.sqlite'), { timeout: 5000 });
  database.prepare('update sessions set confirmed_at = ?').run('2020-01-01T00:00:00.000Z');
  database.close();
}

/** Deactivates all people in a server's file; no call takes the last administrator away. */
export function deactivateAll({ dataDir }: { dataDir: string }): void {
  const database = new Database(join(dataDir, 'license-manager.sqlite'), { timeout: 5000 });
  database.prepare('update users set is_active = 0').run();
  database.close();
}
