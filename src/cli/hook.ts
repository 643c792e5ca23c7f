import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultFlags, type HookFlags } from './hook/command-line.ts';
import type { InstallFlags } from './hook/install-claude-code.ts';
import type { Io } from './io.ts';

export function addHook(program: Command, io: Io): void {
  const hook = program.command('hook').summary('put an agent under the policies');

  behaviour(hook.command('claude-code'))
    .summary('judge one event of Claude Code, read from standard input')
    .description(
      'Reads the JSON of a hook on standard input, asks the server, and answers in the form of Claude Code. ' +
        'docs/hooks.md says what becomes of each decision.',
    )
    .action(async (flags: HookFlags & { url?: string; key?: string }) => {
      const { answerHook } = await import('./hook/answer.ts');
      await answerHook(flags, io);
    });

  for (const [verb, summary] of [
    ['install', 'write the hook into the settings of Claude Code, after showing how they change'],
    ['uninstall', 'take the hook out of the settings of Claude Code again'],
  ] as const) {
    behaviour(hook.command(verb))
      .summary(summary)
      .addArgument(program.createArgument('<agent>', 'claude-code').choices(['claude-code']))
      .option('--project', 'in .claude/settings.json here, which a team shares, instead of your own')
      .option('--local', 'in .claude/settings.local.json here, which nobody shares')
      .option(
        '--program <command>',
        'what runs assize there (default: this very program; with --project: assize)',
      )
      .addOption(
        new Option('--claude-dir <dir>', "Claude Code's own folder")
          .env('CLAUDE_CONFIG_DIR')
          .default(join(homedir(), '.claude')),
      )
      .option('-y, --yes', 'do not ask')
      .action(async (_agent: string, flags: InstallFlags) => {
        const { install } = await import('./hook/install-claude-code.ts');
        await install(verb, flags, io);
      });
  }
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
    .option('--config <file>', 'where the two stand else (default: ~/.config/assize/hook.env)')
    .addOption(new Option('--url <url>', 'the server to ask').env('ASSIZE_URL'))
    .addOption(new Option('--key <key>', 'the key to ask it with').env('ASSIZE_KEY').hideHelp());
}

function positive(text: string): number {
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number from 1 to 999999');
}
