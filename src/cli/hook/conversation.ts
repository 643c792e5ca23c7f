import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AssizeClient } from '../../client/client.ts';
import { dayMs } from '../../schemas/durations.ts';
import type { Caller } from './payload.ts';

/**
 * The state that one run of a hook leaves for later runs in the same conversation: the session, the evaluations of running actions,
 * the reviews of held ones. Without it, each run asks the server. Whoever can write these files can only name ids of the
 * key's own integration.
 */
export interface Memory {
  recall(name: string): string | null;
  keep(name: string, value: string): void;
  forget(name: string): void;
  /** At the end of the conversation. */
  clear(): void;
}

/** One small file a thing, so that hooks that run side by side overwrite nothing of each other. */
export function openMemory(stateFolder: string, ...conversation: readonly string[]): Memory {
  const folder = join(stateFolder, digest(conversation.join('\n')));
  const file = (name: string) => join(folder, digest(name));
  return {
    recall(name) {
      try {
        return readFileSync(file(name), 'utf8');
      } catch {
        return null;
      }
    },
    keep(name, value) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(file(name), value, { mode: 0o600 });
      } catch {
        // A read-only home: every run finds its session by asking.
      }
    },
    forget(name) {
      try {
        rmSync(file(name), { force: true });
      } catch {
        // A folder in which nothing can be deleted could hold no state either.
      }
    },
    clear() {
      rmSync(folder, { recursive: true, force: true });
      forgetOld(stateFolder);
    },
  };
}

/** Conversations that never said that they end. Their sessions expired long ago. */
function forgetOld(stateFolder: string): void {
  const names = existsSync(stateFolder) ? readdirSync(stateFolder) : [];
  for (const folder of names.map((name) => join(stateFolder, name))) {
    const touched = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (touched < Date.now() - keptMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** The longest that a session may last unless the server was told otherwise: 30 days. */
const keptMs = 30 * dayMs;

/** Names of files that reveal nothing, whatever characters were in them. */
const digest = (text: string): string => hash('sha256', text).slice(0, 32);

export const defaultStateFolder = (): string => join(homedir(), '.local', 'state', 'assize', 'hook');

/** The context of one run of the hook. */
export interface Hook {
  caller: Caller;
  /** The name of the session: of the conversation, or of a sub-agent in it. */
  conversation: string;
  /** The name of the session that this one is a child of; null for that of the conversation itself. */
  parent: string | null;
  client: AssizeClient;
  memory: Memory;
  /** `agent`: the name that the session gets as its `client`. */
  options: { agent?: string; limitMs: number; waitMs: number; onHold: 'ask' | 'deny' | 'wait' };
}

/**
 * The ACTIVE session of a conversation: the newest with its id as `externalSessionId`, else a new one. Parallel runs get
 * the same one, because they create it with the same idempotency key. A conversation that goes on after its session ended or
 * expired gets another that continues it: the model still has all that was said. That of a sub-agent is a child of the
 * conversation's. Rejects when somebody stopped the session: the service lets nobody continue it.
 */
export async function findSession(
  client: AssizeClient,
  conversation: string,
  agent: string,
  signal: AbortSignal,
  parentSessionId: string | null = null,
): Promise<string> {
  const { data } = await client.sessions.list({ externalSessionId: conversation, size: 1 }, { signal });
  const [newest] = data;
  if (newest?.status === 'ACTIVE') return newest.id;
  const created = await client.sessions.create(
    {
      externalSessionId: conversation,
      metadata: { client: agent },
      ...(parentSessionId !== null && { parentSessionId }),
      ...(newest && { previousSessionId: newest.id }),
    },
    { signal, idempotencyKey: `hook-${digest(`${conversation}\n${newest?.id ?? ''}`)}` },
  );
  return created.id;
}

/** Ends the session of a conversation, if it has one. */
export async function endConversation({ conversation, client, memory, options }: Hook): Promise<void> {
  const signal = AbortSignal.timeout(options.limitMs);
  const remembered = memory.recall('session');
  memory.clear();
  const filter = { externalSessionId: conversation, status: 'ACTIVE', size: 1 } as const;
  const id = remembered ?? (await client.sessions.list(filter, { signal })).data[0]?.id;
  if (id !== undefined) await client.sessions.end(id, {}, { signal });
}
