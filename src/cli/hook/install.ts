import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';
import { type AgentName, agents } from './agents.ts';
import { settleTrust } from './codex-trust.ts';
import {
  commandOf,
  defaultConfigFile,
  type HookFlags,
  handlerOf,
  pinnedConfig,
  serverOf,
  thisProgram,
  timeoutSeconds,
} from './command-line.ts';
import { type Place, placeOf, places, type SettingsPlace } from './places.ts';
import { openClawFiles, pluginOf } from './plugins.ts';
import {
  checkFlat,
  checkPlugins,
  checkSettings,
  ours,
  withEntry,
  withHook,
  withoutEntry,
  withoutHook,
  withoutPlugin,
  withPlugin,
} from './settings.ts';

export interface FileChange {
  file: string;
  /** Makes the new text of the file from its present one; null stands for no file. Throws Error for a text that it does not understand. */
  change: (text: string | null) => string | null;
  /** Writes without asking. */
  yes: boolean;
  /** That it is run: a hook of its own. */
  executable?: boolean;
  /** Only shows how it would change. */
  dryRun?: boolean;
}

/** Shows how a file would change, asks, keeps a copy of what was there, and writes. Ends early when nothing would. */
export async function changeFile(
  { file, change, yes, executable, dryRun }: FileChange,
  io: Io,
): Promise<void> {
  const { text, path } = read(file);
  const after = changed(file, change, text);
  if (after === text) {
    io.stdout.write(`${file} needs no change\n`);
    return;
  }
  io.stdout.write(createTwoFilesPatch(file, file, text ?? '', after ?? ''));
  if (dryRun) return;
  if (!yes && !(await confirm(io))) throw new Exit(exitCodes.failed, 'nothing was changed');
  const copy = write(path, text, after, executable ?? false);
  const done = after === null ? 'removed' : 'wrote';
  io.stdout.write(copy === null ? `${done} ${file}\n` : `${done} ${file}; what was there is in ${copy}\n`);
}

/** A change of a JSON object that keeps the file's indentation; one that changes nothing keeps its text. */
const jsonChange =
  <T extends object>(check: (value: unknown) => T, change: (settings: T) => object): FileChange['change'] =>
  (text) => {
    const before = check(text === null ? {} : JSON.parse(text));
    const after = change(before);
    if (JSON.stringify(after) === JSON.stringify(before)) return text;
    return `${JSON.stringify(after, null, indentOf(text))}\n`;
  };

/** A settings file is often a link into a folder of its own: what is written is what it points to. */
function read(file: string): { text: string | null; path: string } {
  try {
    const path = realpathSync(file);
    return { text: readFileSync(path, 'utf8'), path };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: null, path: file };
    throw new Exit(exitCodes.wrongUse, `${file} cannot be read: ${(error as Error).message}`);
  }
}

function changed(file: string, change: FileChange['change'], text: string | null): string | null {
  try {
    return change(text);
  } catch (error) {
    throw new Exit(exitCodes.wrongUse, `${file} is left as it is: ${(error as Error).message}`);
  }
}

const indentOf = (text: string | null): string => /^\{\s*\n([ \t]+)/.exec(text ?? '')?.[1] ?? '  ';

async function confirm(io: Io): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Exit(exitCodes.wrongUse, 'nobody is there to ask: --yes writes without asking');
  }
  const lines = createInterface({ input: process.stdin });
  io.stdout.write('write this? [y/N] ');
  const response = await lines.question('');
  lines.close();
  return /^y(es)?$/i.test(response.trim());
}

/** Through a file beside it, so that a full disk or a crash leaves the old one. Returns where the copy is. */
function write(path: string, old: string | null, text: string | null, executable: boolean): string | null {
  mkdirSync(dirname(path), { recursive: true });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const copy = old === null ? null : `${path}.${stamp}.bak`;
  if (copy !== null) copyFileSync(path, copy);
  if (text === null) {
    rmSync(path);
    return copy;
  }
  const fresh = `${path}.${stamp}.new`;
  writeFileSync(fresh, text, { mode: old === null ? (executable ? 0o700 : 0o600) : statSync(path).mode });
  renameSync(fresh, path);
  return copy;
}

export interface InstallFlags extends HookFlags, SettingsPlace {
  program?: string;
  key?: string;
  /** Codex: has it trust the hook. */
  trust?: boolean;
}

export async function install(agent: AgentName, given: InstallFlags, io: Io): Promise<void> {
  if (agent === 'cline' && given.onHold === 'wait') {
    throw new Exit(
      exitCodes.wrongUse,
      '--on-hold wait: Cline gives a hook up after a time of its own and then runs the tool; use --on-hold deny',
    );
  }
  if (given.trust && agent !== 'codex') {
    throw new Exit(exitCodes.wrongUse, `--trust is for Codex: ${agent} runs a hook without it`);
  }
  const config = pinnedConfig(given);
  const flags = { ...given, ...(config !== undefined && { config }) };
  // A path of this machine means nothing to the others who read a shared file.
  const program = flags.program ?? (flags.project ? 'assize' : thisProgram());
  for (const change of changes(agent, flags, additionOf(agent, program, flags), true))
    await changeFile(change, io);
  if (agent === 'codex') await settleTrust(given.trust ?? false, io);
  if (serverOf(flags).key === undefined) {
    const file = flags.config ?? defaultConfigFile();
    io.stderr.write(
      `assize: no key yet: write ASSIZE_URL and ASSIZE_KEY into ${file}, or set them where the agent starts\n`,
    );
  }
}

export async function uninstall(agent: AgentName, flags: SettingsPlace, io: Io): Promise<void> {
  for (const change of changes(agent, flags, removalOf(agent), false)) await changeFile(change, io);
}

type Change = FileChange['change'];

/** The files of an agent that change. */
function changes(agent: AgentName, flags: SettingsPlace, change: Change, adds: boolean): FileChange[] {
  const place = places[agent]();
  const at = placeOf(agent, flags);
  if (at === null) {
    throw new Exit(exitCodes.wrongUse, `name the file of the agent's settings: --file FILE (docs/hooks.md)`);
  }
  const yes = flags.yes ?? false;
  if (place.form === 'package') return packageChanges(agent, at, change, { adds, yes });
  if (place.form !== 'scripts') return [{ file: at, change, yes }];
  return place.events.map((event) => ({ file: join(at, event), change, yes, executable: true }));
}

/** A plugin that is a folder of files beside the settings. The settings are last: they load it. */
function packageChanges(
  agent: AgentName,
  settings: string,
  change: Change,
  { adds, yes }: { adds: boolean; yes: boolean },
): FileChange[] {
  const folder = join(dirname(settings), 'extensions', 'assize');
  const others = Object.entries(openClawFiles).map(([name, content]) => ({
    file: join(folder, name),
    change: (text: string | null) =>
      onlyOurs(agent, text, adds ? `${JSON.stringify(content, null, 2)}\n` : null),
    yes,
  }));
  const loaded: Change = (text) => {
    if (text === null && !adds) return null;
    return jsonChange(checkPlugins, (before) => (adds ? withPlugin(before) : withoutPlugin(before)))(text);
  };
  return [
    { file: join(folder, 'index.js'), change, yes },
    ...others,
    { file: settings, change: loaded, yes },
  ];
}

function additionOf(agent: AgentName, program: string, flags: HookFlags): Change {
  const place: Place = places[agent]();
  const { cannotStart } = agents[agent] as { cannotStart?: Parameters<typeof commandOf>[3] };
  const command = commandOf(program, agent, flags, cannotStart);
  const seconds = timeoutSeconds(flags);
  switch (place.form) {
    case 'groups': {
      const handler =
        agent === 'claude-code'
          ? handlerOf(program, flags)
          : { type: 'command', command, timeout: seconds * place.timeoutUnit };
      return jsonChange(checkSettings, (settings) =>
        withHook(settings, handler, { agent, matchers: place.matchers }),
      );
    }
    case 'flat':
      return jsonChange(checkFlat, (settings) =>
        withEntry({ ...place.base, ...settings }, agent, place.events, {
          ...place.entry(command, seconds),
        }),
      );
    case 'scripts':
      return (text) => onlyOurs(agent, text, `#!/bin/sh\n${command}\n`);
    case 'package':
    case 'plugin': {
      const how = { closed: flags.onFailure !== 'allow', timeoutMs: seconds * 1_000 };
      return (text) => onlyOurs(agent, text, pluginOf(place.hooks, agent, command, how));
    }
  }
}

function removalOf(agent: AgentName): Change {
  switch (places[agent]().form) {
    case 'groups':
      return (text) =>
        text === null
          ? null
          : jsonChange(checkSettings, (settings) => withoutHook(settings, { agent }))(text);
    case 'flat':
      return (text) =>
        text === null ? null : jsonChange(checkFlat, (settings) => withoutEntry(settings, agent))(text);
    default:
      return (text) => onlyOurs(agent, text, null);
  }
}

/** A file of somebody else under the name of ours is neither replaced nor removed. */
function onlyOurs(agent: AgentName, text: string | null, after: string | null): string | null {
  if (text === null || ours(agent)({ command: text })) return after;
  throw new Error('it is not a hook of Assize');
}
