import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { examplesText, withCertificate } from './api-command.ts';
import type { AgentName } from './hook/agents.ts';
import { defaultFlags, type HookFlags, type ServerFlags } from './hook/command-line.ts';
import type { InstallFlags } from './hook/install.ts';
import type { SettingsPlace } from './hook/places.ts';
import type { Io } from './io.ts';

const agentNames: Readonly<Record<AgentName, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  copilot: 'GitHub Copilot CLI',
  opencode: 'opencode',
  pi: 'pi',
  openclaw: 'OpenClaw',
  'qwen-code': 'Qwen Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  cline: 'Cline',
  kiro: 'Kiro CLI',
  windsurf: 'Windsurf',
};

export function addHook(program: Command, io: Io): void {
  const hook = program
    .command('hook')
    .summary('evaluate the actions of an agent through its hooks')
    .addHelpText('after', examplesText(['assize hook install claude-code']));

  for (const [agent, name] of Object.entries(agentNames) as [AgentName, string][]) {
    withCertificate(behaviour(hook.command(agent)))
      .summary(`evaluate one event of ${name}, read from standard input`)
      .description(
        `Reads the JSON of a hook on standard input, asks the server, and responds in the form of ${name}. ` +
          'docs/hooks.md describes the effect of each decision.',
      )
      .addOption(new Option('--url <url>', 'URL of the server').env('ASSIZE_URL'))
      .addHelpText(
        'after',
        examplesText([
          `cat event.json | assize hook ${agent}`,
          `cat event.json | assize hook ${agent} --on-hold wait`,
        ]),
      )
      .action(async (flags: HookFlags & ServerFlags) => {
        const { respondToHook } = await import('./hook/run.ts');
        await respondToHook(agent, flags, io);
      });
  }

  settings(behaviour(hook.command('install')))
    .summary('add the hook to the settings of an agent, after showing the change')
    .option('--program <command>', 'command that runs assize (default: this program; with --project: assize)')
    .option('--trust', 'Codex: have it trust the hook, which it otherwise asks its user about')
    .addHelpText(
      'after',
      examplesText([
        'assize hook install claude-code',
        'assize hook install claude-code --local --on-hold wait',
      ]),
    )
    .action(async (agent: AgentName, flags: InstallFlags) => {
      const { install } = await import('./hook/install.ts');
      await install(agent, flags, io);
    });

  settings(hook.command('uninstall'))
    .summary('remove the hook from the settings of an agent')
    .addHelpText('after', examplesText(['assize hook uninstall claude-code']))
    .action(async (agent: AgentName, place: SettingsPlace) => {
      const { uninstall } = await import('./hook/install.ts');
      await uninstall(agent, place, io);
    });
}

/** Whose settings are changed. */
function settings(command: Command): Command {
  return command
    .addArgument(new Argument('<agent>', 'the agent').choices(Object.keys(agentNames)))
    .option('--project', 'use the settings of this folder, which a team shares, instead of your own')
    .addOption(
      new Option(
        '--local',
        'Claude Code: in .claude/settings.local.json here, which nobody shares',
      ).conflicts('project'),
    )
    .addOption(
      new Option('--claude-dir <dir>', "Claude Code's own folder (default: ~/.claude)").env(
        'CLAUDE_CONFIG_DIR',
      ),
    )
    .option('--file <file>', 'another settings file (Kiro: the file of the agent)')
    .option('-y, --yes', 'do not ask');
}

function behaviour(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--on-allow <how>',
        'keep the permission prompt of an allowed tool (pass), or skip it (allow)',
      )
        .choices(['pass', 'allow'])
        .default(defaultFlags.onAllow),
    )
    .addOption(
      new Option('--on-hold <how>', 'ask the user at the terminal, deny, or wait for a reviewer')
        .choices(['ask', 'deny', 'wait'])
        .default(defaultFlags.onHold),
    )
    .addOption(
      new Option('--on-failure <how>', 'what to do when no decision can be made')
        .choices(['deny', 'ask', 'allow'])
        .default(defaultFlags.onFailure),
    )
    .option('--limit-ms <ms>', 'timeout for a decision in milliseconds', positive, defaultFlags.limitMs)
    .option(
      '--wait-seconds <seconds>',
      'timeout for a reviewer in seconds',
      positive,
      defaultFlags.waitSeconds,
    )
    .option('--config <file>', 'file with ASSIZE_URL and ASSIZE_KEY (default: ~/.config/assize/hook.env)')
    .addOption(new Option('--key <key>').env('ASSIZE_KEY').hideHelp());
}

function positive(text: string): number {
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('must be a whole number from 1 to 999999');
}
