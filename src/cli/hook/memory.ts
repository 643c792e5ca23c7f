import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '../../schemas/durations.ts';

/**
 * What one run of a hook leaves for the later ones of its conversation: the session, the evaluations of running actions,
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
        // What cannot be written was not kept either.
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
export const digest = (text: string): string => hash('sha256', text).slice(0, 32);

export const defaultStateFolder = (): string => join(homedir(), '.local', 'state', 'assize', 'hook');
