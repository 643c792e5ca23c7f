import type { Client } from './client.ts';

/**
 * Runs a change that deletes content, and has SQLite overwrite it: the text would stay in pages that become free. Pages
 * that stay in use are overwritten at all times (client.ts).
 */
export function erase<T>(client: Client, change: () => T): T {
  client.pragma('secure_delete = ON');
  try {
    return change();
  } finally {
    client.pragma('secure_delete = FAST');
  }
}
