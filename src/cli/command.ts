import { Argument, Command, CommanderError } from 'commander';
import { addAudit } from '../features/audit/cli.ts';
import { addEntities } from '../features/entities/cli.ts';
import { addEvents } from '../features/events/cli.ts';
import { addIntegrations } from '../features/integrations/cli.ts';
import { addKeys } from '../features/integrations/cli-keys.ts';
import { addLists } from '../features/lists/cli.ts';
import { addOperators } from '../features/operators/cli.ts';
import { addHousePolicies, addPolicies } from '../features/policies/cli.ts';
import { addProposals } from '../features/proposals/cli.ts';
import { addReviews } from '../features/reviews/cli.ts';
import { addSessions } from '../features/sessions/cli.ts';
import { addStats } from '../features/stats/cli.ts';
import { addTools } from '../features/tools/cli.ts';
import { addViolations } from '../features/violations/cli.ts';
import { addWebhooks } from '../features/webhooks/cli.ts';
import { version } from '../version.ts';
import { addApiCommand, examplesText, numberOption } from './api-command.ts';
import { addEvaluate, addEvaluations, addExplain } from './evaluations.ts';
import { Exit, type ExitCode, exitCodes } from './exit.ts';
import { addHook } from './hook.ts';
import { type Io, outliveReaders } from './io.ts';
import { addClock, addDatabase, addDoctor, addInit, addRetention, addServe } from './local-commands.ts';
import { addMcp } from './mcp.ts';

/**
 * Every command. Only their words are loaded here: what a command does is imported by its action, because a hook that
 * runs before each tool call cannot wait for the server's code.
 */
export function buildProgram(io: Io = process): Command {
  const program = buildCommands(io);
  addCompletion(program, io, () => buildCommands(io));
  return program;
}

function buildCommands(io: Io): Command {
  const program = bareProgram(io);
  addServe(program);
  addInit(program, io);
  addDoctor(program, io);
  addDatabase(program, io);
  addClock(program, io);
  addRetention(program, io);
  addOperators(program, io);
  addKeys(program, io);
  addAudit(program, io);
  addIntegrations(program, io);
  addTools(program, io);
  addPolicies(program, io);
  addHousePolicies(program, io);
  addLists(program, io);
  addProposals(program, io);
  addSessions(program, io);
  addEvaluate(program, io);
  addEvaluations(program, io);
  addExplain(program, io);
  addReplay(program, io);
  addStats(program, io);
  addReviews(program, io);
  addViolations(program, io);
  addEntities(program, io);
  addEvents(program, io);
  addWebhooks(program, io);
  addHook(program, io);
  addMcp(program, io);
  return program;
}

/** A hook runs before each tool call, and does not wait for the words of other commands; the version needs none. */
function programOf([first, ...rest]: readonly string[], io: Io): Command {
  const isVersion = rest.length === 0 && (first === '--version' || first === '-V');
  if (first !== 'hook' && !isVersion) return buildProgram(io);
  const program = bareProgram(io);
  if (first === 'hook') addHook(program, io);
  return program;
}

/** The program without its commands. */
function bareProgram(io: Io): Command {
  // Its options stand before a command: else `policies activate NAME --version 2` prints the program's version, and activates nothing.
  return new Command('assize')
    .enablePositionalOptions()
    .description(
      'Decides whether an AI agent may take an action, before it takes it. `assize serve` serves the API.',
    )
    .version(version)
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText(
      'after',
      examplesText([
        'assize init && assize serve',
        'assize policies check policies/*.yaml',
        `assize evaluate '{"tool":"shell"}' --policy policies/runaway-agents.yaml`,
        'ASSIZE_URL=https://assize.example.com assize reviews list --status PENDING',
      ]),
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'assize: ')),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    });
}

/** Does what the command line says, and returns the exit code; `serve` goes on after it. */
export async function command(args: readonly string[], io: Io = process): Promise<number> {
  const words = args.length === 0 ? ['--help'] : [...args];
  if (io === process) outliveReaders();
  try {
    const program = programOf(words, io);
    await program.parseAsync(words, { from: 'user' });
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.wrongUse;
    if (error instanceof Exit) return fail(io, error.code, error.message.split('\n'));
    const { explainFailure } = await import('./failure.ts');
    const { code, lines } = explainFailure(error);
    return fail(io, code, lines);
  }
}

function fail(io: Io, code: ExitCode, lines: readonly string[]): ExitCode {
  // Lines of a file that a message shows are no messages.
  for (const line of lines)
    if (line !== '') io.stderr.write(/^ +\d* \| /.test(line) ? `${line}\n` : `assize: ${line}\n`);
  return code;
}

function addReplay(program: Command, io: Io): void {
  addApiCommand(
    program,
    io,
    {
      name: 'replay [file]',
      summary: 'try a policy on what was recorded, and say which verdicts would change',
      examples: [
        'assize replay policies/runaway-agents.yaml --from 2030-01-01T00:00:00Z',
        'assize replay --unbind runaway-agents --tool shell',
      ],
    },
    async () => (await import('./replay/replay.ts')).replay,
  )
    .option(
      '--policy <policy>',
      'the policy that the file takes the place of, when the name in it is not its',
    )
    .option('--unbind <policy>', 'as if this policy were not bound')
    .option('--integration <integration>', 'only the evaluations of one integration')
    .option('--session <id>', 'only those of one session')
    .option('--tool <tool>', 'only those of one tool')
    .option('--from <time>', 'from this time on, as 2030-01-31T12:00:00Z')
    .option('--to <time>', 'before this time')
    .addOption(numberOption('--differences <count>', 'how many evaluations are named (200)', [0, 10_000]));
}

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

function addCompletion(program: Command, io: Io, rebuild: () => Command): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script with which a shell completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      examplesText([
        'source <(assize completion bash)',
        'assize completion zsh > ~/.zsh/completions/_assize',
        'assize completion fish > ~/.config/fish/completions/assize.fish',
      ]),
    )
    .action(async (shell: string) => {
      const { printScript } = await import('./completion/complete.ts');
      printScript(rebuild(), shell, io);
    });
  // The scripts ask this at every Tab.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { printCompletions } = await import('./completion/complete.ts');
      printCompletions(rebuild(), words);
    });
}
