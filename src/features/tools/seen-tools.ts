import { AppError } from '../../errors.ts';
import { normalized as normalizedToolName } from '../../policy/tool-calls.ts';
import { minuteMs } from '../../schemas/durations.ts';
import type { NextStep } from '../../services/steps.ts';
import {
  changeBetween,
  isOf,
  nameOf,
  namesBeside,
  ofServer,
  reasonAgainst,
  take,
  toldOf,
} from './imported-tools.ts';
import type { ListedTool, ToolChange, ToolWarning } from './schema.ts';
import {
  boundedTool,
  changedReason,
  newTool,
  type StoredCatalogue,
  type StoredTool,
  seenAgain,
  warned,
} from './stored-catalogue.ts';

/** One tool as a proxy saw it. */
export interface SeenTool {
  /** As rules see it; empty when it has none. */
  name: string;
  /** As its server names it. */
  tool: string;
  /** Why nobody may see or call it; null when it can be judged. */
  refused: string | null;
  /** Why its calls are held or blocked; null when they are not. */
  held: string | null;
  /** Orders to the model in its definition. */
  warnings: readonly ToolWarning[];
}

export interface Seen {
  next: StoredCatalogue;
  changes: readonly ToolChange[];
  /** In the order of the list. */
  tools: readonly SeenTool[];
}

/** Servers list their tools page by page, and more of them for a client that can do more. */
const firstListingMs = 10 * minuteMs;
const mostSeenTools = 1_000;
const mostServers = 200;

/**
 * Brings what a proxy saw at an MCP server into a catalogue: the first definition of each tool is kept, and a changed one waits. A
 * tool that nobody imported stays beside the catalogue, because its integration could otherwise describe its own tools.
 */
export async function seenAt(
  present: StoredCatalogue,
  { server, tools: listed }: { server: string; tools: readonly unknown[] },
  at: number,
  step: NextStep,
): Promise<Seen> {
  const { onChange, servers = {} } = present;
  const others = namesBeside(present, server, listed);
  const kept = new KeptTools(present, others);
  const firstAt = Object.hasOwn(servers, server) ? servers[server] : undefined;
  const wasListed = present.tools.some((tool) => tool.listed && isOf(server, tool));
  const holds = onChange !== 'ACCEPT';
  const holdsNew = holds && (firstAt === undefined ? wasListed : at - firstAt > firstListingMs);
  const changes: ToolChange[] = [];
  const names = new Set<string>();
  const tools: SeenTool[] = [];
  for (const one of listed) {
    const tool = ofServer(server, one);
    const refused = reasonAgainst(one, tool, names);
    const seen = { name: nameOf(tool) ?? '', tool: nameOf(one) ?? '', refused, held: null, warnings: [] };
    if (refused === null) {
      const { before, after } = kept.see(tool as ListedTool, at, { holds, holdsNew });
      changes.push(...changesBetween(before, after, holds));
      const { waiting, warnings = [] } = after;
      tools.push({ ...seen, warnings, held: waiting ? changedReason(waiting.isNew ?? false) : null });
    } else tools.push(seen);
    await step();
  }
  const { tools: catalogue, seen } = kept;
  const known = firstAt === undefined ? { ...servers, [server]: at } : servers;
  if (seen.length > mostSeenTools || Object.keys(known).length > mostServers)
    throw new AppError(
      'invalid',
      `definitions of at most ${mostSeenTools} tools of ${mostServers} servers are kept: import those that are used into the tool catalogue`,
      { path: '/tools' },
    );
  return { next: { ...present, tools: catalogue, seen, servers: known }, changes, tools };
}

function changesBetween(before: StoredTool | null, after: StoredTool, holds: boolean): ToolChange[] {
  if (before === null) return [{ ...toldOf(after, 'ADDED'), fields: [] }];
  const isSame = after.waiting === before.waiting && after.listed === before.listed;
  return isSame ? [] : changeBetween(before, after, holds);
}

/** The tools of a catalogue, and those beside it, under the names by which proxies see them. */
class KeptTools {
  readonly tools: StoredTool[];
  readonly seen: StoredTool[];
  readonly #places = new Map<string, { among: StoredTool[]; at: number }>();

  readonly #others: () => readonly string[];

  constructor({ tools, seen = [] }: StoredCatalogue, others: () => readonly string[]) {
    this.#others = others;
    this.tools = [...tools];
    this.seen = [...seen];
    // An alias may be that of tools of several servers: the definition of each is its own.
    for (const among of [this.seen, this.tools])
      for (const [at, { name }] of among.entries()) this.#places.set(normalizedToolName(name), { among, at });
  }

  see(
    tool: ListedTool,
    at: number,
    { holds, holdsNew }: { holds: boolean; holdsNew: boolean },
  ): { before: StoredTool | null; after: StoredTool } {
    const key = normalizedToolName(tool.name);
    const place = this.#places.get(key) ?? { among: this.seen, at: this.seen.length };
    const { among } = place;
    const read = among === this.seen ? boundedTool(tool) : tool;
    const before = among[place.at] ?? null;
    const now = before ? take(seenAgain(before, read, at), holds) : take(newTool(read, at), holdsNew);
    const after = warned(before, now, tool, this.#others);
    among[place.at] = after;
    this.#places.set(key, place);
    return { before, after };
  }
}
