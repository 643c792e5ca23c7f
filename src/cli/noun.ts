import type { Command, Option } from 'commander';
import { path as encoded, type Http, type HttpRequest } from '../client/http.ts';
import type { Call } from './api/call.ts';
import { createNames, idOf, type NamedFields, type Noun } from './api/find.ts';

import { type ApiCommand, addApiCommand, examplesText, numberOption } from './api-command.ts';
import { Exit, exitCodes } from './exit.ts';
import type { Io } from './io.ts';
import type { Column, Output } from './output.ts';

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
   * not take becomes a field, as an option does.
   */
  request: `${HttpRequest['method']} /v1/${string}`;
  /**
   * The fields of the query or the body that options and arguments become: one that is not named here becomes the field of its
   * name, and null is not sent.
   */
  fields?: Readonly<Record<string, Field>>;
  /** Fields that are sent unless an option replaces them. */
  defaults?: Readonly<Record<string, string>>;
  /** The body instead, when it is more than a field for each option; undefined sends none. */
  body?(options: object): object | undefined;
  /** Why the options cannot be used, before anything is sent; null when they can. */
  check?(options: object): string | null;
  /** Checks what must be true before anything is sent; throws an Exit when it is not. */
  before?(call: Call): Promise<void>;
  columns?: readonly Column<never>[];
  /** Fields whose ids are shown as names; JSON keeps the ids. */
  names?: NamedFields;
  /** The sentence for an empty list. Only lists have one. */
  none?: string;
  /** False for a list that comes whole. */
  paged?: false;
  /** Prints the response, instead of a line for each column. */
  print?(data: object, call: Call): Promise<void> | void;
  /** The sentence after the response. */
  note?: string;
}

type Field = string | null | { field: string; noun: Noun } | { field: string; read(value: never): unknown };

/** `--integration <integration>` of a list: only those of an integration. */
export const integrationField = { field: 'integrationId', noun: 'integrations' } as const;

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
  const paging = 'none' in row && row.paged !== false ? pagingOptions() : [];
  for (const option of [...paging, ...(row.options ?? [])]) command.addOption(option);
}

async function send(row: RequestRow, call: Call, command: Command): Promise<void> {
  const { http, out, options } = call;
  const problem = row.check?.(options) ?? null;
  if (problem !== null) throw new Exit(exitCodes.wrongUse, problem);
  await row.before?.(call);
  const given = row.options?.map((option) => option.attributeName()) ?? [];
  const fields = row.body ? row.body(options) : await fieldsOf(row, pick(options, given), http);
  const [method, template] = row.request.split(' ') as [HttpRequest['method'], string];
  if (method === 'PATCH' && Object.keys(fields ?? {}).length === 0) {
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  }
  const taken = template.split('{').length - 1;
  const names = command.registeredArguments.slice(taken).map((argument) => argument.name());
  const further = Object.fromEntries(names.map((name, at) => [name, call.args[taken + at]]));
  const named = await fieldsOf(row, further, http);
  const path = await pathOf(template, call);
  if (method === 'GET') {
    const { page, size } = options as PageOptions;
    const request = { path, query: { page, size, ...row.defaults, ...fields } };
    if (row.none !== undefined && row.paged !== false)
      return printPage(call, request, { columns: row.columns ?? [], none: row.none, names: row.names });
    return print(row, (await http.send<object>({ method, ...request })).data, call);
  }
  const hasBody = fields !== undefined && (row.body || given.length > 0 || names.length > 0);
  const json = hasBody ? { ...row.defaults, ...named, ...fields } : undefined;
  await print(row, (await http.send<object>({ method, path, json })).data, call);
  if (row.note !== undefined) out.note(row.note);
}

async function print(row: RequestRow, data: object, call: Call): Promise<void> {
  if (row.print) return row.print(data, call);
  const { withNames } = createNames(call.http);
  const named = (item: object) => (call.out.json ? item : withNames(item, row.names ?? {}));
  if (row.none === undefined) return call.out.record(await named(data), row.columns ?? []);
  call.out.list((await Promise.all((data as object[]).map(named))) as never[], row.columns ?? [], row.none);
}

const pick = (options: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));

/** The fields that options or arguments become. */
async function fieldsOf(
  { fields = {} }: RequestRow,
  given: Readonly<Record<string, unknown>>,
  http: Http,
): Promise<Record<string, string>> {
  const known: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const field = fields[name] === undefined ? name : fields[name];
    if (value === undefined || field === null) continue;
    if (typeof field === 'string') known.push([field, value]);
    else if ('read' in field) known.push([field.field, field.read(value as never)]);
    else if (!Array.isArray(value)) known.push([field.field, await idOf(http, field.noun, value as string)]);
    else known.push([field.field, await Promise.all(value.map((one) => idOf(http, field.noun, one)))]);
  }
  return Object.fromEntries(known) as Record<string, string>;
}

/** The path with its arguments. */
async function pathOf(template: string, { http, args }: Call): Promise<string> {
  const segments: string[] = [];
  let taken = 0;
  for (const segment of template.split('/')) {
    const [, noun] = /^\{([\w-]+)\}$/.exec(segment) ?? [];
    const given = noun === undefined ? '' : (args[taken++] ?? '');
    if (noun === undefined) segments.push(segment);
    else segments.push(encoded`${noun === 'id' ? given : await idOf(http, noun as Noun, given)}`);
  }
  return segments.join('/');
}

/** The options of a list that comes in pages. */
export const pagingOptions = (): Option[] => [
  numberOption('--page <n>', 'page number, from 1', [1, 1_000_000]),
  numberOption('--size <n>', 'entries per page (default 50)', [1, 200]),
];

export interface PageOptions {
  page?: number;
  size?: number;
}

/** Asks for one page of a list and prints it. `names`: fields whose ids are shown as names. */
export async function printPage<T extends object>(
  { http, out }: { http: Http; out: Output },
  request: { path: string; query: Record<string, string | number | undefined> },
  {
    columns,
    none,
    names = {},
  }: { columns: readonly Column<T>[]; none: string; names?: NamedFields | undefined },
): Promise<void> {
  const { data, pagination } = await http.send<T[]>({ method: 'GET', ...request });
  const { withNames } = createNames(http);
  out.list(out.json ? data : await Promise.all(data.map((item) => withNames(item, names))), columns, none);
  if (pagination && pagination.page * pagination.size < pagination.total) {
    out.note(`${data.length} of ${pagination.total}: --page ${pagination.page + 1} shows the next`);
  }
}
