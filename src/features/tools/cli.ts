import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { addApiCommand, examplesText } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import { type Io, whyUnread } from '../../cli/io.ts';
import type { Column, Output } from '../../cli/output.ts';
import { type Http, path } from '../../client/http.ts';
import type {
  CatalogueTool,
  ImportedTools,
  ImportTools,
  ReadToolCatalogue,
  ToolCatalogue,
  WaitingToolChange,
} from './schema.ts';

export function addTools(program: Command, io: Io): void {
  const tools = program
    .command('tools')
    .summary('the tool catalogue of an integration')
    .description(
      'The tool catalogue of an integration says what its tools do. Policies read it as toolEffect and destinations.',
    )
    .addHelpText('after', examplesText(['assize tools show "support agent"']));
  addApiCommand(
    tools,
    io,
    {
      name: 'show <integration>',
      summary: 'show the tool catalogue of an integration',
      examples: [
        'assize tools show "support agent"',
        'assize tools show "support agent" --json > tools.json',
      ],
    },
    async () => show,
  );
  addApiCommand(
    tools,
    io,
    {
      name: 'set <integration> <file>',
      summary: 'replace the tool catalogue by what a JSON file says, in the form of `show --json`',
      examples: ['assize tools set "support agent" tools.json'],
    },
    async () => set,
  );
  addApiCommand(
    tools,
    io,
    {
      name: 'import <integration> [file]',
      summary:
        'add tools, with a proposal of what each does: a JSON file with what an MCP server answers to tools/list, an OpenAPI document, or tools as OpenAI, Anthropic and the AI SDK take them',
      examples: [
        'assize tools import "support agent" tools-list.json',
        'assize tools import "support agent" openapi.json',
        'assize tools import "support agent" tools-list.json --server crm',
        'assize tools import "support agent" --from-sessions',
      ],
    },
    async () => importTools,
  )
    .option(
      '--server <name>',
      'the name of the MCP server, as the proxy has it: tools are named mcp__SERVER__TOOL',
    )
    .option(
      '--from-sessions',
      'instead of a file: the tools that sessions called and the catalogue does not have',
    );
  addApiCommand(
    tools,
    io,
    {
      name: 'confirm <integration> [tool...]',
      summary: 'confirm what was proposed for these tools, or for all: what is wrong is corrected with `set`',
      examples: ['assize tools confirm "support agent"', 'assize tools confirm "support agent" send_email'],
    },
    async () => confirm,
  );
  addApiCommand(
    tools,
    io,
    {
      name: 'changes <integration>',
      summary: 'show what servers changed of tools, and nobody accepted yet: calls of these are held',
      examples: ['assize tools changes "support agent"'],
    },
    async () => changes,
  );
  addApiCommand(
    tools,
    io,
    {
      name: 'accept <integration> <digest...>',
      summary: 'accept changes, by their digests or the first 8 characters of them',
      examples: ['assize tools accept "support agent" 3fa9c1d2'],
    },
    async () => accept,
  );
}

const columns: Column<CatalogueTool>[] = [
  { title: 'NAME', of: ({ name }) => name },
  { title: 'EFFECT', of: ({ effect }) => effect, word: true },
  {
    title: 'UNTRUSTED RESULTS',
    of: ({ untrustedResults, untrustedFields }) =>
      untrustedFields?.join(', ') ?? (untrustedResults ? 'yes' : 'no'),
  },
  { title: 'ALIASES', of: ({ aliases }) => aliases?.join(', ') },
  { title: 'DESTINATIONS', of: ({ destinations }) => destinations?.join(', ') },
  { title: 'IDENTIFIERS', of: ({ identifiers }) => identifiers?.join(', ') },
  { title: 'SCHEMA', of: ({ inputSchema }) => (inputSchema === undefined ? 'no' : 'yes') },
  { title: 'SAID BY', of: ({ proposed }) => (proposed ? 'proposal' : 'operator') },
];

async function show({ http, out, args }: Call): Promise<void> {
  const catalogue = await read(http, args[0]);
  print(out, catalogue);
  if (out.json || catalogue.undescribed.length === 0) return;
  const names = catalogue.undescribed.map(({ name }) => name).join(', ');
  out.note(`Called in the last 30 days, and not in the catalogue (tools import --from-sessions): ${names}`);
}

/** The API takes only these: what else `show --json` prints is not part of it. */
async function set({ http, out, args: [integration, file] }: Call): Promise<void> {
  const { tools, onChange } = objectIn(file);
  const at = await catalogueOf(http, integration);
  const { data } = await http.send<ToolCatalogue>({ method: 'PUT', path: at, json: { tools, onChange } });
  print(out, data);
}

async function importTools({
  http,
  out,
  options: { server, fromSessions = false },
  args: [integration, file],
}: Call<{ server?: string; fromSessions?: boolean }>): Promise<void> {
  if (fromSessions === (file !== undefined))
    throw new Exit(exitCodes.wrongUse, 'name a file, or give --from-sessions');
  const listed = fromSessions ? { tools: (await read(http, integration)).undescribed } : listingIn(file);
  if (listed.tools?.length === 0)
    return out.note('The catalogue has every tool that was called in the last 30 days.');
  const at = `${await catalogueOf(http, integration)}/import`;
  const json = { ...listed, ...(server !== undefined && { server }) };
  const { data } = await http.send<ImportedTools>({ method: 'POST', path: at, json });
  // A tool that a server adds is held, and one that is called already is not until the operator asks for it.
  if (fromSessions) await acceptAdded(http, integration, data);
  print(out, data);
  if (!out.json) explain(out, data);
  const held = data.changes.filter((change) => change.held).map(({ name }) => name);
  if (held.length > 0)
    out.note(
      `Calls of these are held until their changes are accepted (tools changes, tools accept): ${held.join(', ')}`,
    );
  const warnings = data.warnings.map(
    ({ name, kind, part, excerpt }) => `  ${name}, ${part} (${kind}): ${excerpt}`,
  );
  if (warnings.length > 0)
    out.note(`These seem to give the model orders. Read them before you confirm:\n${warnings.join('\n')}`);
  if (data.refused.length === 0) return;
  const reasons = data.refused.map(
    ({ index, name, reason }) => `${name ?? `number ${index + 1}`}: ${reason}`,
  );
  throw new Exit(exitCodes.failed, ['these were not imported, the others were:', ...reasons].join('\n  '));
}

/** Accepts the tools that an import added, and says so in what it answered. */
async function acceptAdded(http: Http, integration: string | undefined, data: ImportedTools): Promise<void> {
  const added = new Set(data.changes.filter(({ held }) => held).map(({ name }) => name));
  const tools = data.waiting
    .filter(({ name }) => added.has(name))
    .map(({ name, digest }) => ({ name, digest }));
  if (tools.length === 0) return;
  const path = `${await catalogueOf(http, integration)}/accept`;
  Object.assign(data, (await http.send<ToolCatalogue>({ method: 'POST', path, json: { tools } })).data);
  for (const change of data.changes) change.held = false;
}

/** A whole JSON-RPC response has the list as its result; other APIs take lists. */
function listingIn(file: string | undefined): ImportTools {
  const value = jsonIn(file);
  if (Array.isArray(value)) return { tools: value };
  const { result = value } = value as { result?: unknown };
  if (isObject(result) && Array.isArray(result.tools)) return result;
  if (isObject(result) && isObject(result.paths)) return { openapi: result };
  throw new Exit(
    exitCodes.wrongUse,
    `${file}: must be a list of tools, a JSON object with "tools", or an OpenAPI document`,
  );
}

/** Why the tools that this import added are described as they are. */
function explain(out: Output, { tools, changes }: ImportedTools): void {
  const added = new Set(changes.filter(({ change }) => change === 'ADDED').map(({ name }) => name));
  const lines = tools.flatMap(({ name, effect, proposed }) =>
    proposed && added.has(name)
      ? [`${name}: ${effect}`, ...proposed.map(({ field, reason }) => `  ${field}: ${reason}`)]
      : [],
  );
  if (lines.length === 0) return;
  out.note(
    `Proposed, and used until you confirm or correct it (tools confirm, tools set):\n${lines.join('\n')}`,
  );
}

async function confirm({ http, out, args: [integration, ...names] }: Call): Promise<void> {
  const { tools } = await read(http, integration);
  const isNamed = ({ name }: CatalogueTool): boolean => names.length === 0 || names.includes(name);
  const unknown = names.filter((name) => !tools.some((tool) => tool.name === name));
  if (unknown.length > 0) throw new Exit(exitCodes.failed, `not in the catalogue: ${unknown.join(', ')}`);
  const next = tools.map((tool) => {
    const { proposed: _, ...said } = tool;
    return isNamed(tool) ? said : tool;
  });
  const at = await catalogueOf(http, integration);
  print(out, (await http.send<ToolCatalogue>({ method: 'PUT', path: at, json: { tools: next } })).data);
}

interface ChangedField {
  name: string;
  digest: string;
  field: string;
  before: unknown;
  after: unknown;
}
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const changeColumns: Column<ChangedField>[] = [
  { title: 'DIGEST', of: ({ digest }) => digest.slice(0, shortest) },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'FIELD', of: ({ field }) => field },
  { title: 'BEFORE', of: ({ before }) => text(before) },
  { title: 'AFTER', of: ({ after }) => text(after) },
];

async function changes({ http, out, args: [integration] }: Call): Promise<void> {
  const { waiting } = await read(http, integration);
  if (out.json) return out.list(waiting, [], '');
  const rows = waiting.flatMap(({ name, digest, fields }) =>
    fields.map((field) => ({ name, digest, ...field })),
  );
  out.list(rows, changeColumns, 'No change waits.');
}

/** Characters of a digest that name a change. */
const shortest = 8;

async function accept({ http, out, args: [integration, ...digests] }: Call): Promise<void> {
  const { waiting } = await read(http, integration);
  const tools = digests.map((digest) => changeNamed(waiting, digest));
  const path = `${await catalogueOf(http, integration)}/accept`;
  print(out, (await http.send<ToolCatalogue>({ method: 'POST', path, json: { tools } })).data);
}

function changeNamed(waiting: readonly WaitingToolChange[], given: string): { name: string; digest: string } {
  const named = waiting.filter(({ digest }) => given.length >= shortest && digest.startsWith(given));
  const [only] = named;
  if (only && named.length === 1) return { name: only.name, digest: only.digest };
  throw new Exit(exitCodes.failed, `no change waits with the digest "${given}": see assize tools changes`);
}

const read = async (http: Http, integration: string | undefined): Promise<ReadToolCatalogue> =>
  (await http.send<ReadToolCatalogue>({ method: 'GET', path: await catalogueOf(http, integration) })).data;

const catalogueOf = async (http: Http, integration: string | undefined): Promise<string> =>
  path`/v1/integrations/${await idOf(http, 'integrations', integration)}/tools`;

function print(out: Output, catalogue: ToolCatalogue): void {
  if (out.json) {
    out.record(catalogue, []);
    return;
  }
  const waiting = new Set(catalogue.waiting.map(({ name }) => name));
  const held: Column<CatalogueTool> = {
    title: 'CHANGED',
    of: ({ name }) => (waiting.has(name) ? 'held' : 'no'),
  };
  out.list(catalogue.tools, [...columns, held], 'There are no tools in the catalogue.');
  const { length } = catalogue.seen;
  if (length > 0)
    out.note(
      `${length === 1 ? '1 tool' : `${length} tools`} that the MCP proxy saw: not in the catalogue (show --json).`,
    );
}

function objectIn(file: string | undefined): Record<string, unknown> {
  const value = jsonIn(file);
  if (!isObject(value) || !('tools' in value))
    throw new Exit(exitCodes.wrongUse, `${file}: must be a JSON object with "tools"`);
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function jsonIn(file = ''): object {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Exit(exitCodes.wrongUse, `${file}: ${whyUnread(error)}`);
  }
  const value = parsed(text);
  if (typeof value !== 'object' || value === null)
    throw new Exit(exitCodes.wrongUse, `${file}: must be a JSON object with "tools"`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
