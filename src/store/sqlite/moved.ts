import type { Client } from './client.ts';

/** Where the database was moved to; null while it was not. */
export function findMove(client: Client): string | null {
  const isMoved = client.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'moved'").get();
  if (!isMoved) return null;
  return client.prepare<[], string>('SELECT address FROM moved').pluck().get() ?? null;
}

/** What is written to it from now on would be lost. */
export function assertNotMoved(client: Client): void {
  const address = findMove(client);
  if (address !== null)
    throw new Error(
      `the database ${client.name} was moved to ${address}: set ASSIZE_DATABASE to that address`,
    );
}
