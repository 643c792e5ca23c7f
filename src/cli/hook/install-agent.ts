import { join } from 'node:path';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';
import { type AgentName, agents } from './agents/index.ts';
import { checkSettings, ours, withHook, withoutHook } from './claude-settings.ts';
import { commandOf, type HookFlags, handlerOf, thisProgram, timeoutSeconds } from './command-line.ts';
import { defaultConfigFile, pinnedConfig, serverOf } from './config-file.ts';
import { checkFlat, withEntry, withoutEntry } from './flat-settings.ts';
import { changeFile, type FileChange, jsonChange } from './install.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import { type Place, placeOf, places, type SettingsPlace } from './places.ts';

export interface InstallFlags extends HookFlags, SettingsPlace {
  program?: string;
  key?: string;
}

export async function install(agent: AgentName, given: InstallFlags, io: Io): Promise<void> {
  const config = pinnedConfig(given);
  const flags = { ...given, ...(config !== undefined && { config }) };
  // A path of this machine means nothing to the others who read a shared file.
  const program = flags.program ?? (flags.project ? 'assize' : thisProgram());
  for (const change of changes(agent, flags, additionOf(agent, program, flags))) await changeFile(change, io);
  if (serverOf(flags).key === undefined) {
    const file = flags.config ?? defaultConfigFile();
    io.stderr.write(
      `assize: no key yet: write ASSIZE_URL and ASSIZE_KEY into ${file}, or set them where the agent starts\n`,
    );
  }
}

export async function uninstall(agent: AgentName, flags: SettingsPlace, io: Io): Promise<void> {
  for (const change of changes(agent, flags, removalOf(agent))) await changeFile(change, io);
}

type Change = FileChange['change'];

/** The files of an agent that change. */
function changes(agent: AgentName, flags: SettingsPlace, change: Change): FileChange[] {
  const place = places[agent]();
  const at = placeOf(agent, flags);
  if (at === null) {
    throw new Exit(exitCodes.wrongUse, `name the file of the agent's settings: --file FILE (docs/hooks.md)`);
  }
  const yes = flags.yes ?? false;
  if (place.form !== 'scripts') return [{ file: at, change, yes }];
  return place.events.map((event) => ({ file: join(at, event), change, yes, executable: true }));
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
    case 'plugin': {
      const how = { closed: flags.onFailure !== 'allow', timeoutMs: seconds * 1_000 };
      return (text) => onlyOurs(agent, text, opencodePlugin(command, how));
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
