import { join, resolve } from 'node:path';
import type { Io } from '../io.ts';
import { withHook, withoutHook } from './claude-settings.ts';
import { type HookFlags, handlerOf, thisProgram } from './command-line.ts';
import { defaultConfigFile, serverOf } from './config-file.ts';
import { changeSettings } from './install.ts';

export interface InstallFlags extends HookFlags {
  project?: boolean;
  local?: boolean;
  program?: string;
  claudeDir: string;
  yes?: boolean;
}

export async function install(verb: 'install' | 'uninstall', flags: InstallFlags, io: Io): Promise<void> {
  // A path of this machine means nothing to the others who read a shared file.
  const program = flags.program ?? (flags.project ? 'assize' : thisProgram());
  const handler = handlerOf(program, flags);
  await changeSettings(
    {
      file: settingsFile(flags),
      change: (settings) => (verb === 'install' ? withHook : withoutHook)(settings, handler),
      yes: flags.yes ?? false,
    },
    io,
  );
  if (verb === 'install' && serverOf(flags).key === undefined) {
    io.stderr.write(
      `assize: no key yet: write ASSIZE_URL and ASSIZE_KEY into ${flags.config ?? defaultConfigFile()}, or set them where the agent starts\n`,
    );
  }
}

/** Where Claude Code looks: https://code.claude.com/docs/en/settings ("Settings files"). */
function settingsFile({ project, local, claudeDir }: InstallFlags): string {
  if (local) return resolve('.claude', 'settings.local.json');
  if (project) return resolve('.claude', 'settings.json');
  return join(claudeDir, 'settings.json');
}
