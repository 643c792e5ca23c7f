import { AppError } from '../../errors.ts';
import { compileArguments } from '../../evaluate/catalogue.ts';
import { normalized as normalizedToolName } from '../../policy/tool-calls.ts';
import { toolNameLimit } from '../../schemas/evaluations.ts';
import type { NextStep } from '../../services/steps.ts';
import { foreignNames } from './hidden-instructions.ts';
import { type ImportedTools, type ImportTools, mostCatalogueTools, type ToolChange } from './schema.ts';
import {
  acceptedTool,
  differences,
  listedAgain,
  namesOf,
  newTool,
  type StoredCatalogue,
  type StoredTool,
  seenBeside,
  waitingChange,
  warned,
} from './stored-catalogue.ts';
import { listedForm, type ReadTool, toolsOfOpenApi } from './tool-lists.ts';

export interface Import extends Pick<ImportedTools, 'changes' | 'refused'> {
  next: StoredCatalogue;
}

/** The listing of a server, as it was sent: each tool is usable, or named with the reason. */
export interface ReadListing {
  /** The MCP server; null when it was not said. */
  server: string | null;
  usable: readonly { index: number; tool: ReadTool }[];
  refused: ImportedTools['refused'];
}

/** Reads a listing. Takes as long as its schemas take to compile, in steps. */
export async function readListing(
  { server, tools, openapi }: Pick<ImportTools, 'server' | 'tools' | 'openapi'>,
  step: NextStep,
): Promise<ReadListing> {
  const usable: { index: number; tool: ReadTool }[] = [];
  const refused: ImportedTools['refused'] = [];
  const names = new Set<string>();
  if ((tools === undefined) === (openapi === undefined))
    throw new AppError('invalid', 'must have either "tools" or "openapi"', { path: '/tools' });
  const all: readonly unknown[] = openapi ? toolsOfOpenApi(openapi) : (tools ?? []).map(listedForm);
  for (const [index, listed] of all.entries()) {
    const tool = server === undefined ? listed : ofServer(server, listed);
    const reason = reasonAgainst(listed, tool, names) ?? schemaMistake(tool as ReadTool);
    if (reason === null) usable.push({ index, tool: tool as ReadTool });
    else refused.push({ index, name: nameOf(tool), reason });
    await step();
  }
  return { server: server ?? null, usable, refused };
}

/** Two servers may list tools of one name. */
export const ofServer = (server: string, tool: unknown): unknown =>
  isObject(tool) && typeof tool.name === 'string' && tool.name !== ''
    ? { ...tool, name: mcpToolName(server, tool.name) }
    : tool;

const mcpToolName = (server: string, tool: string): string => `mcp__${server}__${tool}`;

/** Brings what a server lists into a catalogue. Refuses what would be too many. Takes as long as both are large, in steps. */
export async function importedInto(
  present: StoredCatalogue,
  listing: ReadListing,
  at: number,
  step: NextStep,
): Promise<Import> {
  const { tools, onChange, seen = [] } = present;
  const next = [...tools];
  const seenBefore = new Map(seen.map((tool) => [normalizedToolName(tool.name), tool]));
  const places = new Map(next.flatMap((tool, place) => namesOf(tool).map((name) => [name, place])));
  const changes: ToolChange[] = [];
  const refused = [...listing.refused];
  const listed = new Set<number>();
  const own = listing.usable.map(({ tool }) => tool);
  const others = namesBeside(present, listing.server, own);
  const holds = onChange !== 'ACCEPT';
  const holdsNew = holds && wasImported(tools, listing.server);
  for (const { index, tool } of listing.usable) {
    const key = normalizedToolName(tool.name);
    const place = places.get(key);
    const known = place === undefined ? undefined : next[place];
    if (place === undefined || !known) {
      listed.add(next.length);
      places.set(key, next.length);
      const added = warned(null, addedTool(tool, seenBefore.get(key), at, { holds, holdsNew }), tool, others);
      next.push(added);
      changes.push({ ...toldOf(added, 'ADDED'), fields: differences({}, added) });
    } else if (listed.has(place)) {
      const reason = `is another name of the tool "${known.name}", which is listed as well`;
      refused.push({ index, name: tool.name, reason });
    } else {
      listed.add(place);
      const after = tool.isCalled ? known : warned(known, listedAgain(known, tool, at), tool, others);
      next[place] = take(after, holds);
      changes.push(...changeBetween(known, after, holds));
    }
    await step();
  }
  if (next.length > mostCatalogueTools)
    throw new AppError(
      'invalid',
      `the catalogue would have ${next.length} tools, at most ${mostCatalogueTools} are allowed`,
      { path: '/tools' },
    );
  for (const [place, tool] of next.entries()) {
    if (wasImported([tool], listing.server) && !listed.has(place))
      changes.push({ name: tool.name, change: 'NOT_LISTED', held: Boolean(tool.waiting), fields: [] });
  }
  return { next: { ...present, tools: next, ...seenBeside(next, seen) }, changes, refused };
}

/** A tool that an import brings into the catalogue. The definition that a proxy saw first stays the one that others are compared with. */
function addedTool(
  tool: ReadTool,
  seen: StoredTool | undefined,
  at: number,
  { holds, holdsNew }: { holds: boolean; holdsNew: boolean },
): StoredTool {
  if (tool.isCalled) {
    // Its server is pinned when a proxy sees it.
    const { listed: _, waiting: __, ...called } = newTool(tool, at);
    return seen ?? called;
  }
  return seen ? take(listedAgain(seen, tool, at), holds) : take(newTool(tool, at), holdsNew);
}

/** An addition or a change as it is told. */
export const toldOf = (
  { name, waiting, warnings }: StoredTool,
  change: 'ADDED' | 'CHANGED',
): Omit<ToolChange, 'fields'> => ({
  name,
  change,
  held: waiting !== undefined,
  ...(warnings && { warnings: [...warnings] }),
});

/** Reads the names of tools of other servers once, and when they are needed. */
export function namesBeside(
  { tools, seen = [] }: StoredCatalogue,
  server: string | null,
  listed: readonly unknown[],
): () => readonly string[] {
  let names: readonly string[] | null = null;
  return () => {
    const others = [...tools, ...seen].filter((tool) => server === null || !isOf(server, tool));
    names ??= foreignNames(
      others.map(({ name }) => name),
      listed.map((tool) => nameOf(tool) ?? ''),
    );
    return names;
  };
}

/** An operator looks at a first import as a whole; what a later one adds may be a tool under another name. */
const wasImported = (tools: readonly StoredTool[], server: string | null): boolean =>
  tools.some((tool) => tool.listed && (server === null || isOf(server, tool)));

/** Whether it is a tool of the MCP server by its name. */
export const isOf = (server: string, { name }: StoredTool): boolean =>
  normalizedToolName(name).startsWith(normalizedToolName(mcpToolName(server, '')));

export const take = (tool: StoredTool, holds: boolean): StoredTool => (holds ? tool : acceptedTool(tool));

export function changeBetween(before: StoredTool, after: StoredTool, held: boolean): ToolChange[] {
  const { name, warnings } = after;
  const waits = waitingChange(after);
  if (waits) return [{ ...toldOf(after, waits.change), held, fields: waits.fields }];
  if (before.waiting) return [{ name, change: 'WITHDRAWN', held: false, fields: [] }];
  const fields = differences(before, after);
  const isSame = fields.length === 0 && before.warnings === warnings;
  return isSame ? [] : [{ ...toldOf(after, 'CHANGED'), held: false, fields }];
}

/** Why a listed tool cannot be judged by the name that it is to have; null when it can. */
export function reasonAgainst(listed: unknown, named: unknown, names: Set<string>): string | null {
  if (!isObject(listed) || !isObject(named)) return 'must be an object';
  const { name, description, inputSchema, annotations } = listed;
  if (typeof name !== 'string' || name === '') return 'name must be a text';
  if (String(named.name).length > toolNameLimit || name.includes('\0'))
    return `name must have at most ${toolNameLimit} characters, none of them NUL`;
  const key = normalizedToolName(name);
  if (key !== name.normalize('NFC') || key === '') return 'name must not begin or end with white space';
  if (names.has(key)) return 'is listed twice';
  names.add(key);
  if (description !== undefined && (typeof description !== 'string' || description.includes('\0')))
    return 'description must be a text without NUL';
  if (annotations !== undefined && !isObject(annotations)) return 'annotations must be an object';
  for (const hint of ['readOnlyHint', 'destructiveHint', 'openWorldHint']) {
    const given = annotations?.[hint];
    if (given !== undefined && typeof given !== 'boolean') return `annotations.${hint} must be true or false`;
  }
  return inputSchema === undefined || isObject(inputSchema) ? null : 'inputSchema must be an object';
}

function schemaMistake({ inputSchema }: ReadTool): string | null {
  if (inputSchema === undefined) return null;
  try {
    compileArguments(inputSchema);
    return null;
  } catch (error) {
    return `inputSchema cannot be used: ${(error as Error).message}`.slice(0, 500);
  }
}

export const nameOf = (tool: unknown): string | null =>
  isObject(tool) && typeof tool.name === 'string'
    ? tool.name.replaceAll('\0', '').slice(0, toolNameLimit)
    : null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
