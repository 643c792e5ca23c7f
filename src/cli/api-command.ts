import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Call, Connection, TargetOptions } from './api/call.ts';
import { certificateSettings } from './client-certificate.ts';
import { Exit, exitCodes } from './exit.ts';
import { type Io, printable } from './io.ts';

/** Not in the help of each command: docs/cli.md describes them once. */
export const withCertificate = (command: Command): Command =>
  command
    .addOption(new Option('--client-cert <file>').env(certificateSettings.clientCert).hideHelp())
    .addOption(new Option('--client-key <file>').env(certificateSettings.clientKey).hideHelp())
    .addOption(new Option('--server-ca <file>').env(certificateSettings.serverCa).hideHelp());

export interface ApiCommand {
  /** Name and arguments, in commander's form. */
  name: string;
  summary: string;
  /** Full command lines. */
  examples: readonly string[];
}

/** Adds a command that works alike on a database and on a server. Options of its own are added to what this returns. */
export function addApiCommand<Options extends object>(
  parent: Command,
  io: Io,
  { name, summary, examples }: ApiCommand,
  load: () => Promise<(call: Call<Options>) => Promise<void>>,
): Command {
  const command = parent
    .command(name)
    .summary(summary)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .option('--json', 'print JSON in the format of the REST API');
  return addTarget(command)
    .addOption(new Option('--wide', 'cut nothing to fit the terminal').hideHelp())
    .addHelpText('after', examplesText(examples))
    .action(async (...given: unknown[]) => {
      const command = given.pop() as Command;
      const options = command.opts<Options & TargetOptions & { json?: boolean; wide?: boolean }>();
      const [{ createOutput }, act] = await Promise.all([import('./output.ts'), load()]);
      const out = createOutput(io, options.json ?? false, options);
      try {
        await withConnection(options, ({ http }) => act({ http, out, options, args: command.args }));
      } finally {
        out.close();
      }
    });
}

/** The options that say where a command does its work. */
export const addTarget = (command: Command): Command =>
  withCertificate(command)
    .addOption(new Option('--url <url>', 'URL of the server').env('ASSIZE_URL'))
    .option('--key <key>', 'key for the server; better set in the environment (ASSIZE_ADMIN_KEY, ASSIZE_KEY)')
    .option('--database <file>', 'work on this database file instead (ASSIZE_DATABASE)');

/** Connects to where the options say, for as long as `act` works. */
export async function withConnection(
  options: TargetOptions,
  act: (connection: Connection) => Promise<void>,
): Promise<void> {
  const { connect } = await import('./api/connect.ts');
  const connection = await connect(options);
  try {
    await act(connection);
  } catch (error) {
    throw await withKeyText(error, connection.keyText);
  } finally {
    await connection.close();
  }
}

/** A refusal of the key says which one was sent. */
export async function withKeyText(error: unknown, keyText: string | null): Promise<unknown> {
  const { AssizeError } = await import('../client/error.ts');
  const isOfKey =
    error instanceof AssizeError && (error.code === 'unauthenticated' || error.code === 'forbidden');
  return isOfKey && keyText !== null
    ? new Exit(exitCodes.unreachable, printable(`${error.message}; ${keyText}`))
    : error;
}

export const examplesText = (examples: readonly string[]): string =>
  examples.length === 0 ? '' : `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join('')}`;

/** An option that takes any text. */
export const textOption = (flags: string, description: string): Option => new Option(flags, description);

/** An option that takes one of some words, in either case. */
export function wordOption(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, description).choices(words);
  return option.argParser((text: string) => {
    const word = words.find((known) => known.toLowerCase() === text.toLowerCase());
    if (word === undefined) throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
    return word;
  });
}

/** An option that takes a whole number within bounds. */
export function numberOption(flags: string, description: string, [least, most]: [number, number]): Option {
  return new Option(flags, description).argParser((text: string) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  });
}
