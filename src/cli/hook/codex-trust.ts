import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type CheckResult, fail, ok, warn } from '../../store/maintenance.ts';
import type { Io } from '../io.ts';
import { ours } from './settings.ts';

// Codex runs a hook only after its user has trusted it, and skips one that is not trusted without a word: `codex exec` then runs every tool
// (openai/codex issue 46210). Codex itself is asked about it (`codex app-server`, `hooks/list`), because the hash that it
// trusts is made of its own reading of the settings.

/** A hook of ours as Codex sees it. */
interface CodexHook {
  key: string;
  command?: string | null;
  enabled: boolean;
  currentHash: string;
  trustStatus: 'trusted' | 'managed' | 'untrusted' | 'modified';
}

/** Starting Codex takes a second. */
const patienceMs = 15_000;

/** Sends requests to `codex app-server`, one after another; resolves with their results, or null when there is no Codex that answers them. */
function askCodex(...requests: { method: string; params: object }[]): Promise<unknown[] | null> {
  const initialize = { method: 'initialize', params: { clientInfo: { name: 'assize', version: '0' } } };
  const asked = [initialize, ...requests];
  const results: unknown[] = [];
  return new Promise((resolved) => {
    const child = spawn('codex', ['app-server'], { stdio: ['pipe', 'pipe', 'ignore'] });
    // The timeout of spawn goes on where the program is not there, and keeps this process alive.
    const timer = setTimeout(() => end(null), patienceMs);
    const end = (response: unknown[] | null) => {
      clearTimeout(timer);
      resolved(response);
      child.kill();
    };
    const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    const ask = () => send({ id: results.length, ...asked[results.length] });
    child.on('error', () => end(null));
    child.on('close', () => end(null));
    child.stdin.on('error', () => end(null));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result, error } = readMessage(line);
      if (id !== results.length) return;
      if (error !== undefined) return end(null);
      results.push(result);
      if (results.length === 1) send({ method: 'initialized' });
      if (results.length === asked.length) end(results.slice(1));
      else ask();
    });
    ask();
  });
}

function readMessage(line: string): { id?: unknown; result?: unknown; error?: unknown } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** Our hooks among those that Codex has in this folder; null when Codex cannot be asked. */
async function hooksOfCodex(): Promise<CodexHook[] | null> {
  const listed = await askCodex({ method: 'hooks/list', params: { cwds: [process.cwd()] } });
  if (listed === null) return null;
  const [{ data = [] }] = listed as [{ data?: { hooks: CodexHook[] }[] }];
  return data.flatMap(({ hooks }) => hooks).filter(ours('codex'));
}

const runs = ({ enabled, trustStatus }: CodexHook): boolean =>
  enabled && (trustStatus === 'trusted' || trustStatus === 'managed');

const silent = '`codex exec` runs every tool without it, and says nothing';
const howToTrust = 'start codex and trust it under /hooks, or run: assize hook install codex --trust';

/** The reason why Codex does not run our hooks; null when it runs them. */
function troubleWith(hooks: readonly CodexHook[] | null): string | null {
  if (hooks === null) return `codex could not be asked whether it trusts the hook; until it does, ${silent}`;
  if (hooks.length === 0) return `Codex has no hook of Assize in this folder: ${silent}`;
  return hooks.every(runs) ? null : `Codex does not trust the hook: ${silent}`;
}

/** After an installation: says what is missing, or has Codex trust our hooks where the person asked for that. */
export async function settleTrust(trust: boolean, io: Io): Promise<void> {
  if (trust) {
    const hooks = (await hooksOfCodex()) ?? [];
    const value = Object.fromEntries(
      hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]),
    );
    const edits = [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }];
    if (hooks.length > 0) await askCodex({ method: 'config/batchWrite', params: { edits } });
  }
  const trouble = troubleWith(await hooksOfCodex());
  if (trouble !== null) io.stderr.write(`assize: ${trouble}: ${howToTrust}\n`);
  else if (trust) io.stdout.write('Codex trusts the hook\n');
}

/** For `assize doctor`: nothing where Codex has no hook of ours. */
export async function lookAtCodexTrust(): Promise<CheckResult[]> {
  const files = [join(homedir(), '.codex', 'hooks.json'), resolve('.codex', 'hooks.json')];
  if (!files.some(holdsOurs)) return [];
  const check = 'hook of Codex';
  const hooks = await hooksOfCodex();
  const trouble = troubleWith(hooks);
  if (trouble === null) return [ok(check, 'Codex trusts it')];
  return [(hooks === null ? warn : fail)(check, trouble, howToTrust)];
}

const holdsOurs = (file: string): boolean =>
  existsSync(file) && ours('codex')({ command: readFileSync(file, 'utf8') });
