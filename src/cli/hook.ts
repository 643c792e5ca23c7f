import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { examplesText } from './api-command.ts';
import { defaultFlags, type HookFlags } from './hook/command-line.ts';
import type { InstallFlags, SettingsPlace } from './hook/install-claude-code.ts';
import type { Io } from './io.ts';

export function addHook(program: Command, io: Io): void {
  const hook = program
    .command('hook')
    .summary('evaluate what an agent does, by its hooks')
    .addHelpText('after', examplesText(['assize hook install claude-code']));

  behaviour(hook.command('claude-code'))
    .summary('judge one event of Claude Code, read from standard input')
    .description(
      'Reads the JSON of a hook on standard input, asks the server, and answers in the form of Claude Code. ' +
        'docs/hooks.md says what becomes of each decision.',
    )
    .addOption(new Option('--url <url>', 'the server to ask').env('ASSIZE_URL'))
    .addHelpText(
      'after',
      examplesText([
        'cat event.json | assize hook claude-code',
        'cat event.json | assize hook claude-code --on-hold wait',
      ]),
    )
    .action(async (flags: HookFlags & { url?: string; key?: string }) => {
      const { answerHook } = await import('./hook/answer.ts');
      await answerHook(flags, io);
    });

  settings(behaviour(hook.command('install')))
    .summary('write the hook into the settings of an agent, after showing how they change')
    .option(
      '--program <command>',
      'what runs assize there (default: this very program; with --project: assize)',
    )
    .addHelpText(
      'after',
      examplesText([
        'assize hook install claude-code',
        'assize hook install claude-code --local --on-hold wait',
      ]),
    )
    .action(async (_agent: string, flags: InstallFlags) => {
      const { install } = await import('./hook/install-claude-code.ts');
      await install(flags, io);
    });

  settings(hook.command('uninstall'))
    .summary('take the hook out of the settings of an agent again')
    .addHelpText('after', examplesText(['assize hook uninstall claude-code']))
    .action(async (_agent: string, place: SettingsPlace) => {
      const { uninstall } = await import('./hook/install-claude-code.ts');
      await uninstall(place, io);
    });
}

/** Whose settings are changed. */
function settings(command: Command): Command {
  return command
    .addArgument(new Argument('<agent>', 'the agent').choices(['claude-code']))
    .option('--project', 'in .claude/settings.json here, which a team shares, instead of your own')
    .addOption(
      new Option('--local', 'in .claude/settings.local.json here, which nobody shares').conflicts('project'),
    )
    .addOption(
      new Option('--claude-dir <dir>', "Claude Code's own folder (default: ~/.claude)").env(
        'CLAUDE_CONFIG_DIR',
      ),
    )
    .option('-y, --yes', 'do not ask');
}

function behaviour(command: Command): Command {
  return command
    .addOption(
      new Option('--on-allow <how>', 'leave the permission prompt of an allowed tool, or skip it')
        .choices(['pass', 'allow'])
        .default(defaultFlags.onAllow),
    )
    .addOption(
      new Option('--on-hold <how>', 'ask whoever sits at the terminal, deny, or wait for a reviewer')
        .choices(['ask', 'deny', 'wait'])
        .default(defaultFlags.onHold),
    )
    .addOption(
      new Option('--on-failure <how>', 'what happens when nothing can be decided')
        .choices(['deny', 'ask', 'allow'])
        .default(defaultFlags.onFailure),
    )
    .option('--limit-ms <ms>', 'longest time to a decision', positive, defaultFlags.limitMs)
    .option('--wait-seconds <seconds>', 'longest wait for a reviewer', positive, defaultFlags.waitSeconds)
    .option('--config <file>', 'file of ASSIZE_URL and ASSIZE_KEY (default: ~/.config/assize/hook.env)')
    .addOption(new Option('--key <key>').env('ASSIZE_KEY').hideHelp());
}

function positive(text: string): number {
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number from 1 to 999999');
}
