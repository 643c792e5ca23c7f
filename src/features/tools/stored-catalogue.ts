import { hash } from 'node:crypto';
import { parseJson } from '../../json/parse.ts';
import { canonicalJson, stringifyJson } from '../../json/stringify.ts';
import { normalized as normalizedToolName } from '../../policy/tool-calls.ts';
import type { JsonObject } from '../../schemas/values.ts';
import { isoTime } from '../../services/times.ts';
import { hiddenInstructions } from './hidden-instructions.ts';
import { type Proposal, proposeTool } from './propose.ts';
import {
  type CatalogueTool,
  type ListedTool,
  type OnChange,
  type ToolChange,
  type ToolWarning,
  toolDescriptionLimit,
  type WaitingToolChange,
} from './schema.ts';
import { isObject, type ReadTool } from './tool-lists.ts';
import { type ToolEffect, type ToolField, toolEffects } from './words.ts';

/** The hints of MCP, with its defaults, which are the worst case, for those that are absent. */
interface Hints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  openWorldHint: boolean;
}

/** How a server listed a tool: SHA-256 of the parts, null for one that is absent. */
interface Listing {
  description: string | null;
  inputSchema: string | null;
  hints: Hints;
  /** The hints that the server gives. */
  given?: Partial<Hints>;
  /** The other parts as they were listed, a large one as its SHA-256. Missing in listings of earlier versions. */
  others?: Partial<Record<OtherPart, unknown>>;
}

/** Parts of a definition that no rule reads, and models do. */
const otherParts = ['title', 'outputSchema', 'annotations'] as const satisfies readonly ToolField[];
type OtherPart = (typeof otherParts)[number];

/** A tool as operators accepted it, with what its server said of it then, and says now. */
export interface StoredTool extends CatalogueTool {
  /** Missing for a tool that was neither imported nor seen by a proxy. */
  listed?: Listing;
  /** Digests of listings that were accepted before this one: some of a fleet may still run an earlier version of a server. */
  acceptedBefore?: readonly string[];
  /** Orders to the model in how its server listed it last. Missing where there is none. */
  warnings?: readonly ToolWarning[];
  /** A change that nobody accepted yet: only the parts that changed, null for one that is gone. */
  waiting?: {
    at: number;
    listed: Listing;
    /** For a tool that is new, and as a whole not accepted. */
    isNew?: true;
    description?: string | null;
    inputSchema?: JsonObject | null;
  };
}

export interface StoredCatalogue {
  onChange: OnChange;
  tools: readonly StoredTool[];
  /** Tools that proxies saw and that are not in the catalogue: nothing of them decides but whether their calls are held. */
  seen?: readonly StoredTool[];
  /** When a proxy first saw each MCP server. */
  servers?: Readonly<Record<string, number>>;
}

/** `text` is what the store has; null before any was stored. Catalogues of earlier versions are lists. */
export function parseCatalogue(text: string | null): StoredCatalogue {
  const stored = text === null ? [] : (parseJson(text) as StoredCatalogue | StoredTool[]);
  return Array.isArray(stored) ? { onChange: 'HOLD', tools: stored } : stored;
}

export const catalogueText = (catalogue: StoredCatalogue): string => stringifyJson(catalogue);

export const publicTool = ({
  listed: _,
  waiting: __,
  acceptedBefore: ___,
  warnings: ____,
  ...tool
}: StoredTool): CatalogueTool => tool;

/** Entries that replace a catalogue keep the definitions of their servers: only accepting a change ends a hold. */
export function replacedBy(present: StoredCatalogue, tools: readonly CatalogueTool[]): StoredCatalogue {
  const byName = new Map(
    [...(present.seen ?? []), ...present.tools].flatMap((tool) => namesOf(tool).map((name) => [name, tool])),
  );
  const next = tools.map((tool) => {
    const before = namesOf(tool).flatMap((name) => byName.get(name) ?? []);
    // Two that become one: a change of either waits.
    const listed = before.find((one) => one.listed)?.listed;
    const waiting = before.find((one) => one.waiting)?.waiting;
    const acceptedBefore = before.find((one) => one.acceptedBefore)?.acceptedBefore;
    const warnings = before.find((one) => one.warnings)?.warnings;
    return {
      ...tool,
      ...(listed && { listed }),
      ...(waiting && { waiting }),
      ...(acceptedBefore && { acceptedBefore }),
      ...(warnings && { warnings }),
    };
  });
  return { ...present, tools: next, ...seenBeside(next, present.seen) };
}

/** The tools that proxies saw, but for those that are in the catalogue now. */
export function seenBeside(
  tools: readonly StoredTool[],
  seen: readonly StoredTool[] = [],
): Pick<StoredCatalogue, 'seen'> {
  const names = new Set(tools.map(({ name }) => normalizedToolName(name)));
  const left = seen.filter(({ name }) => !names.has(normalizedToolName(name)));
  return seen.length === 0 ? {} : { seen: left };
}

export const namesOf = ({ name, aliases = [] }: CatalogueTool): string[] =>
  [name, ...aliases].map(normalizedToolName);

/** A tool that is not in the catalogue yet. Until an operator accepts it, its calls are held. */
export function newTool(listed: ReadTool, at: number): StoredTool {
  const listing = listingOf(listed);
  return {
    name: listed.name,
    ...proposedParts(proposeTool(listed)),
    ...definitionOf(listed),
    listed: listing,
    waiting: { at, listed: listing, isNew: true },
  };
}

/** The parts that an entry of the catalogue takes over from a proposal. An entry without arguments of any kind says none. */
function proposedParts(proposal: Proposal): Omit<StoredTool, 'name'> {
  const {
    effect,
    untrustedResults,
    untrustedFields,
    destinations,
    identifiers,
    content,
    directory,
    reasons,
  } = proposal;
  return {
    effect,
    untrustedResults,
    ...(untrustedFields.length > 0 && { untrustedFields }),
    ...(destinations.length > 0 && { destinations }),
    ...(identifiers.length > 0 && { identifiers }),
    ...(content.length > 0 && { content }),
    ...(directory && { directory }),
    proposed: reasons,
  };
}

/** A tool that nobody accepted, and that its server lists differently by now. What operators wrote of it meanwhile becomes no milder. */
function newAgain({ description: _, inputSchema: __, ...tool }: StoredTool, now: StoredTool): StoredTool {
  const { name, aliases, effect, untrustedResults = false, ...listed } = now;
  return {
    ...tool,
    ...listed,
    effect: rankOf(effect) > rankOf(tool.effect) ? effect : tool.effect,
    untrustedResults: untrustedResults || (tool.untrustedResults ?? false),
  };
}

/**
 * The tool after its server listed it like this: a change of what was accepted waits. Parts that operators wrote are compared when
 * a tool is listed for the first time, and later only what the server listed before: then it is the server that changed it.
 */
export function listedAgain(tool: StoredTool, listed: ListedTool, at: number): StoredTool {
  const { waiting, ...accepted } = tool;
  const definition = definitionOf(listed);
  const listing = listingOf(listed);
  if (waiting && canonicalJson(waiting.listed) === canonicalJson(listing)) return tool;
  if (waiting?.isNew) return newAgain(tool, newTool(listed, at));
  const isChanged = (part: 'description' | 'inputSchema'): boolean => {
    if (tool.listed) return tool.listed[part] !== listing[part];
    const isSaidTwice = tool[part] !== undefined && definition[part] !== undefined;
    return isSaidTwice && digestOf(tool[part]) !== digestOf(definition[part]);
  };
  const [description, inputSchema] = [isChanged('description'), isChanged('inputSchema')];
  const hints = tool.listed && canonicalJson(tool.listed.hints) !== canonicalJson(listing.hints);
  const others = tool.listed?.others && canonicalJson(tool.listed.others) !== canonicalJson(listing.others);
  if (!description && !inputSchema && !hints && !others) {
    if (!tool.listed) return { ...definition, ...accepted, listed: listing };
    return tool.listed.others ? accepted : { ...accepted, listed: listing };
  }
  return {
    ...accepted,
    waiting: {
      at,
      listed: listing,
      ...(description && { description: definition.description ?? null }),
      ...(inputSchema && { inputSchema: definition.inputSchema ?? null }),
    },
  };
}

/**
 * The tool after a proxy saw it like this. What operators wrote of it is theirs, and says nothing about its server. Proxies of one integration may see a server in two versions: a change waits on whatever
 * another one sees, and a definition that was accepted before is no change.
 */
export function seenAgain(tool: StoredTool, listed: ListedTool, at: number): StoredTool {
  if (!tool.listed && !tool.waiting) return { ...tool, listed: listingOf(listed) };
  if (tool.acceptedBefore?.includes(listingDigest(listingOf(listed)))) return tool;
  const after = listedAgain(tool, listed, at);
  return tool.waiting && !after.waiting ? tool : after;
}

const listingDigest = (listing: Listing): string => digestOf(listing) ?? '';

const mostAcceptedBefore = 4;

/**
 * The tool with the change that waits for it. Its effect can become graver, never milder, and its results untrusted, never trusted:
 * hints are claims of the server, and an operator may have said otherwise.
 */
export function acceptedTool({ waiting, ...tool }: StoredTool): StoredTool {
  if (!waiting) return tool;
  const { description, inputSchema, untrustedFields, ...rest } = tool;
  const parts = {
    description: waiting.description === undefined ? description : waiting.description,
    inputSchema: waiting.inputSchema === undefined ? inputSchema : waiting.inputSchema,
  };
  const [then, now] = [tool.listed?.hints, waiting.listed.hints];
  const { name } = tool;
  const before = proposeTool({ ...definedParts(tool), ...statedParts(tool.listed), name });
  const after = proposeTool({ ...definedParts(parts), ...statedParts(waiting.listed), name });
  const isGraver = then !== undefined && rankOf(after.effect) > rankOf(before.effect);
  const isOpened = then !== undefined && now.openWorldHint && !then.openWorldHint;
  return {
    ...rest,
    ...(tool.proposed && !waiting.isNew && proposedAgain(tool, after)),
    ...(isGraver && rankOf(after.effect) > rankOf(tool.effect) && { effect: after.effect }),
    ...((isOpened || (tool.proposed && (after.untrustedResults || tool.untrustedResults))) && {
      untrustedResults: true,
    }),
    ...untrustedFieldsAgain(untrustedFields, {
      isSame: areSame(tool.listed?.others?.outputSchema, waiting.listed.others?.outputSchema),
      after,
    }),
    ...(typeof parts.description === 'string' && { description: parts.description }),
    ...(parts.inputSchema && { inputSchema: parts.inputSchema }),
    listed: waiting.listed,
    ...(tool.listed &&
      !waiting.isNew && {
        acceptedBefore: [listingDigest(tool.listed), ...(tool.acceptedBefore ?? [])].slice(
          0,
          mostAcceptedBefore,
        ),
      }),
  };
}

const areSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null);

/** The fields that others write after a change of the result schema: never fewer than before, and any where the schema does not list all. */
function untrustedFieldsAgain(
  before: readonly string[] | undefined,
  { isSame, after }: { isSame: boolean; after: Proposal },
): Pick<StoredTool, 'untrustedFields'> {
  if (before === undefined) return {};
  if (isSame) return { untrustedFields: [...before] };
  if (after.untrustedFields.length === 0) return {};
  return { untrustedFields: [...new Set([...before, ...after.untrustedFields])] };
}

/** The proposal for the changed definition, beside the one before: an argument that is no longer listed may still be taken. */
function proposedAgain(tool: StoredTool, proposal: Proposal): Partial<StoredTool> {
  const { effect: _, untrustedFields: __, ...next } = proposedParts(proposal);
  const both = (before: readonly string[] = [], after: readonly string[] = []) => [
    ...new Set([...before, ...after]),
  ];
  const destinations = both(tool.destinations, next.destinations);
  const identifiers = both(tool.identifiers, next.identifiers);
  return {
    ...next,
    ...(destinations.length > 0 && { destinations }),
    ...(identifiers.length > 0 && { identifiers }),
  };
}

/**
 * The tool with the orders to the model in a definition that is new to it, and with these alone. `others`: names of tools of other
 * servers.
 */
export function warned(
  before: StoredTool | null,
  after: StoredTool,
  listed: ListedTool,
  others: () => readonly string[],
): StoredTool {
  if (before && before.listed === after.listed && before.waiting === after.waiting) return after;
  const { warnings: _, ...tool } = after;
  const warnings = hiddenInstructions(listed, others());
  return warnings.length === 0 ? tool : { ...tool, warnings };
}

/** Why calls of a tool are held whose definition nobody accepted. */
export const changedReason = (isNew: boolean): string =>
  isNew
    ? 'the tool was added by its server after the first import, and no operator accepted it yet'
    : 'the definition of the tool was changed by its server, and no operator accepted that yet';

const hintNames = ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const;
type Fields = ToolChange['fields'];

/** The differences that accepting the change would make. */
export function waitingChange(tool: StoredTool): WaitingToolChange | null {
  const { waiting, listed } = tool;
  if (!waiting) return null;
  const hints: Fields = hintNames.flatMap((field) => {
    const [before, after] = [listed?.hints[field] ?? null, waiting.listed.hints[field]];
    return before === null || before === after ? [] : [{ field, before, after }];
  });
  const { isNew = false } = waiting;
  const known = isNew ? {} : listed?.others;
  const others: Fields = otherParts.flatMap((field) => {
    const [before, after] = [known?.[field] ?? null, waiting.listed.others?.[field] ?? null];
    return !known || canonicalJson(before) === canonicalJson(after) ? [] : [{ field, before, after }];
  });
  const fields = [...differences(isNew ? {} : tool, acceptedTool(tool)), ...hints, ...others];
  // All that was listed, so that a description that differs beyond its limit is another change.
  const digest = digestOf([tool.name, fields, waiting.listed]) ?? '';
  const change = isNew ? 'ADDED' : 'CHANGED';
  return { name: tool.name, change, digest, listedAt: isoTime(waiting.at), fields };
}

const comparedFields = [
  'description',
  'inputSchema',
  'effect',
  'untrustedResults',
  'untrustedFields',
  'aliases',
  'destinations',
  'identifiers',
  'content',
  'directory',
  'proposed',
] as const satisfies readonly ToolField[];

export const differences = (before: Partial<CatalogueTool>, after: CatalogueTool): Fields =>
  comparedFields.flatMap((field) => {
    // A proposal counts only as one: its reasons say nothing else than the fields.
    const read = (tool: Partial<CatalogueTool>) =>
      (field === 'proposed' ? tool.proposed && true : tool[field]) ?? null;
    const [then, now] = [read(before), read(after)];
    return canonicalJson(then) === canonicalJson(now) ? [] : [{ field, before: then, after: now }];
  });

function hintsOf({ annotations = {} }: ListedTool): Hints {
  const { readOnlyHint = false, destructiveHint = true, openWorldHint = true } = annotations;
  return { readOnlyHint, destructiveHint, openWorldHint };
}

const rankOf = (effect: ToolEffect): number => toolEffects.indexOf(effect);

const definitionOf = ({
  description,
  inputSchema,
}: ListedTool): Pick<CatalogueTool, 'description' | 'inputSchema'> => ({
  ...(description !== undefined && { description: description.slice(0, toolDescriptionLimit) }),
  ...(inputSchema && { inputSchema }),
});

const listingOf = (listed: ListedTool): Listing => ({
  description: digestOf(listed.description),
  inputSchema: digestOf(listed.inputSchema),
  hints: hintsOf(listed),
  ...(listed.annotations && { given: givenHints(listed.annotations) }),
  others: othersOf(listed),
});

function othersOf({ title, outputSchema, annotations = {} }: ListedTool): NonNullable<Listing['others']> {
  const { readOnlyHint: _, destructiveHint: __, openWorldHint: ___, ...annotated } = annotations;
  return {
    ...(title !== undefined && { title: bounded(title) }),
    ...(outputSchema !== undefined && { outputSchema: bounded(outputSchema) }),
    ...(Object.keys(annotated).length > 0 && { annotations: bounded(annotated) }),
  };
}

/** Largest part, in characters of JSON, that is kept of a tool that nobody imported, or that no rule reads. */
const longestPart = 8_000;

function bounded<Part>(part: Part): Part | string {
  const { length } = canonicalJson(part);
  return length <= longestPart ? part : `${length} characters, SHA-256 ${digestOf(part)}`;
}

/** A definition that a proxy saw, with nothing in it that is too large to keep. */
export function boundedTool(tool: ListedTool): ListedTool {
  const inputSchema = tool.inputSchema && bounded(tool.inputSchema);
  return typeof inputSchema === 'string' ? { ...tool, inputSchema: { $comment: inputSchema } } : tool;
}

function givenHints(annotations: NonNullable<ListedTool['annotations']>): Partial<Hints> {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  return {
    ...(readOnlyHint !== undefined && { readOnlyHint }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(openWorldHint !== undefined && { openWorldHint }),
  };
}

const definedParts = ({
  description,
  inputSchema,
}: {
  description?: string | null | undefined;
  inputSchema?: JsonObject | null | undefined;
}): Pick<ListedTool, 'description' | 'inputSchema'> => ({
  ...(typeof description === 'string' && { description }),
  ...(inputSchema && { inputSchema }),
});

/** The texts of a listing beside its digests; a part that was too large to keep says nothing. */
function statedParts(
  listing: Listing | undefined,
): Pick<ListedTool, 'title' | 'outputSchema' | 'annotations'> {
  const { given = {}, others: { title, outputSchema, annotations } = {} } = listing ?? {};
  return {
    ...(typeof title === 'string' && { title }),
    ...(isObject(outputSchema) && { outputSchema }),
    annotations: { ...(isObject(annotations) && annotations), ...given },
  };
}

const digestOf = (value: unknown): string | null =>
  value === undefined ? null : hash('sha256', canonicalJson(value), 'hex');
