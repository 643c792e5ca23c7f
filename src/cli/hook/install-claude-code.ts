import { join, resolve } from 'node:path';
import type { Io } from '../io.ts';
import { withHook, withoutHook } from './claude-settings.ts';
import { type HookFlags, handlerOf, thisProgram } from './command-line.ts';
import { defaultConfigFile, serverOf } from './config-file.ts';
import { changeSettings, type SettingsChange } from './install.ts';

export interface SettingsPlace {
  project?: boolean;
  local?: boolean;
  claudeDir: string;
  yes?: boolean;
}
export interface InstallFlags extends HookFlags, SettingsPlace {
  program?: string;
  key?: string;
}

export async function install(flags: InstallFlags, io: Io): Promise<void> {
  // A path of this machine means nothing to the others who read a shared file.
  const program = flags.program ?? (flags.project ? 'assize' : thisProgram());
  const handler = handlerOf(program, flags);
  await changeSettings(
    place(flags, (settings) => withHook(settings, handler)),
    io,
  );
  if (serverOf(flags).key === undefined) {
    const file = flags.config ?? defaultConfigFile();
    io.stderr.write(
      `assize: no key yet: write ASSIZE_URL and ASSIZE_KEY into ${file}, or set them where the agent starts\n`,
    );
  }
}

export async function uninstall(flags: SettingsPlace, io: Io): Promise<void> {
  await changeSettings(place(flags, withoutHook), io);
}

const place = (flags: SettingsPlace, change: SettingsChange['change']): SettingsChange => ({
  file: settingsFile(flags),
  change,
  yes: flags.yes ?? false,
});

/** Where Claude Code looks: https://code.claude.com/docs/en/settings ("Settings files"). */
function settingsFile({ project, local, claudeDir }: SettingsPlace): string {
  if (local) return resolve('.claude', 'settings.local.json');
  if (project) return resolve('.claude', 'settings.json');
  return join(claudeDir, 'settings.json');
}
