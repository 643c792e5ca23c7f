import type { Command, Option } from 'commander';
import { path as encoded, type HttpRequest } from '../client/http.ts';
import type { Call } from './api/call.ts';
import { idOf, type Noun } from './api/find.ts';
import { type PageOptions, printPage } from './api/page.ts';
import { type ApiCommand, addApiCommand, examplesText } from './api-command.ts';
import { Exit, exitCodes } from './exit.ts';
import type { Io } from './io.ts';
import type { Column } from './output/output.ts';
import { addPaging } from './paging.ts';

/** The commands of a noun: `assize lists …`. */
export interface NounCommands {
  name: string;
  alias?: string;
  summary: string;
  description: string;
  examples: readonly string[];
  commands: readonly Row[];
}

export type Row = RequestRow | CodeRow;

/** A command that is more than one request. */
interface CodeRow extends ApiCommand {
  options?: readonly Option[];
  act(call: Call): Promise<void>;
}

/** A command that is one request. */
interface RequestRow extends ApiCommand {
  options?: readonly Option[];
  /**
   * `{lists}` takes the next argument, the id or the name of a list, and `{id}` takes it as it is. An argument that the path does
   * not take is a field of the body, by the name that it has in `name`.
   */
  request: `${HttpRequest['method']} /v1/${string}`;
  /**
   * The fields that options become, in the query or the body. An
   * option that is not named here becomes the field of its name; null is not sent.
   */
  fields?: Readonly<Record<string, Field>>;
  /** Fields that are sent unless an option replaces them. */
  defaults?: Readonly<Record<string, string>>;
  /** The body instead, when it is more than a field for each option; undefined sends none. */
  body?(options: object): object | undefined;
  /** Why the options cannot be used, before anything is sent; null when they can. */
  check?(options: object): string | null;
  columns?: readonly Column<never>[];
  /** The sentence for an empty list. Only lists have one. */
  none?: string;
  /** False for a list that comes whole. */
  paged?: false;
  /** Prints the response, instead of a line for each column. */
  print?(data: object, call: Call): void;
  /** The sentence after the response. */
  note?: string;
}

type Field =
  | string
  | null
  | { field: string; noun: Noun }
  | { field: string; read: (text: string) => unknown };

export function addNoun(program: Command, io: Io, noun: NounCommands): Command {
  const command = program
    .command(noun.name)
    .summary(noun.summary)
    .description(noun.description)
    .addHelpText('after', examplesText(noun.examples));
  if (noun.alias !== undefined) command.alias(noun.alias);
  for (const row of noun.commands) addRow(command, io, row);
  return command;
}

export function addRow(parent: Command, io: Io, row: Row): void {
  const act = async (call: Call): Promise<void> => ('act' in row ? row.act(call) : send(row, call, command));
  const command: Command = addApiCommand(parent, io, row, async () => act);
  if ('none' in row && row.paged !== false) addPaging(command);
  for (const option of row.options ?? []) command.addOption(option);
}

async function send(row: RequestRow, call: Call, command: Command): Promise<void> {
  const { http, out, options } = call;
  const problem = row.check?.(options) ?? null;
  if (problem !== null) throw new Exit(exitCodes.wrongUse, problem);
  const fields = row.body ? row.body(options) : await fieldsOf(row, call);
  const [method, template] = row.request.split(' ') as [HttpRequest['method'], string];
  if (method === 'PATCH' && Object.keys(fields ?? {}).length === 0) {
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  }
  const names = command.registeredArguments.map((argument) => argument.name());
  const { path, taken } = await pathOf(template, call);
  const named = names.slice(taken).map((name, at) => [name, call.args[taken + at]] as const);
  if (method === 'GET') {
    const { page, size } = options as PageOptions;
    const query = { page, size, ...fields };
    if (row.none !== undefined) return printPage(call, { path, query }, row.columns ?? [], row.none);
    return print(row, (await http.send<object>({ method, path, query })).data, call);
  }
  const hasBody = fields !== undefined && (row.body || row.options || named.length > 0);
  const json = hasBody ? { ...row.defaults, ...Object.fromEntries(named), ...fields } : undefined;
  print(row, (await http.send<object>({ method, path, json })).data, call);
  if (row.note !== undefined) out.note(row.note);
}

function print(row: RequestRow, data: object, call: Call): void {
  if (row.print) row.print(data, call);
  else call.out.record(data, row.columns ?? []);
}

/** The fields of the options that were given. */
async function fieldsOf(
  { options: known = [], fields = {} }: RequestRow,
  { http, options }: Call,
): Promise<Record<string, string>> {
  const given: [string, unknown][] = [];
  for (const option of known) {
    const name = option.attributeName();
    const value = (options as Record<string, unknown>)[name];
    const field = fields[name] === undefined ? name : fields[name];
    if (value === undefined || field === null) continue;
    if (typeof field === 'string') given.push([field, value]);
    else if ('read' in field) given.push([field.field, field.read(value as string)]);
    else if (!Array.isArray(value)) given.push([field.field, await idOf(http, field.noun, value as string)]);
    else given.push([field.field, await Promise.all(value.map((one) => idOf(http, field.noun, one)))]);
  }
  return Object.fromEntries(given) as Record<string, string>;
}

/** The path with its arguments, and how many of them it took. */
async function pathOf(template: string, { http, args }: Call): Promise<{ path: string; taken: number }> {
  const segments: string[] = [];
  let taken = 0;
  for (const segment of template.split('/')) {
    const [, noun] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (noun === undefined) segments.push(segment);
    else {
      const given = args[taken++] ?? '';
      segments.push(encoded`${noun === 'id' ? given : await idOf(http, noun as Noun, given)}`);
    }
  }
  return { path: segments.join('/'), taken };
}
