import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig } from './client.ts';

/** The channel on which changes of keys, policies and settings are announced. */
export const changesChannel = 'assize_changes';
const pauseMs = 500;

/**
 * Hears of changes that other processes commit, on a connection of its own, and opens another one when that is lost. It is a
 * hint that comes early and may be missed: what must be right is compared in the transaction.
 */
export function openListener(address: string, heard: () => void): { close(): Promise<void> } {
  const closing = new AbortController();

  /** Resolves when the connection ends. */
  async function listen(): Promise<void> {
    const client = new pg.Client(connectionConfig(address));
    client.on('error', () => undefined);
    client.on('notification', heard);
    const ended = once(client, 'end').catch(() => undefined);
    const end = () => void client.end().catch(() => undefined);
    closing.signal.addEventListener('abort', end);
    try {
      await client.connect();
      await client.query(`LISTEN ${changesChannel}`);
      // Earlier notifications went unheard.
      heard();
      await ended;
    } finally {
      closing.signal.removeEventListener('abort', end);
      end();
    }
  }
  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch(() => undefined);
      await setTimeout(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  const running = run();

  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
