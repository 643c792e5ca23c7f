import type { IntegrationSettings } from '../features/integrations/schema.ts';
import { changedReason, type StoredCatalogue, type StoredTool } from '../features/tools/stored-catalogue.ts';
import type { OnChange, ToolEffect } from '../features/tools/words.ts';
import { compileSchema, type Matcher, StepBudget } from '../json-schema/compile.ts';
import { type CallArguments, valuesAt } from '../policy/call-arguments.ts';
import { anyAuthor, type FieldAuthors } from '../policy/seen.ts';
import type { CataloguedTool, Decision } from '../policy/subject.ts';
import { normalized as normalizedToolName } from '../policy/tool-calls.ts';
import { letsThrough, type Phase } from '../schemas/decisions.ts';
import type { Sighting } from '../schemas/session-context.ts';
import type { JsonObject } from '../schemas/values.ts';

/** The catalogue of an integration, ready to look tools up in. */
export interface DecidingTools {
  readonly isEmpty: boolean;
  /** Whether a call of one of them is held because the tool was changed. */
  readonly isAnyChanged: boolean;
  /** By its name or an alias; null for a tool that is not in it, and for none. */
  find(name: string): DecidingTool | null;
  /** Why a call under this name is held or blocked, because the definition of the tool is another one than was accepted; null when it is not. */
  changeOf(name: string, tool: DecidingTool | null): Found | null;
  /** Who writes the field that a value was seen in. */
  authorsOf(this: void, sighting: Sighting): FieldAuthors;
}

/** The most tools of one integration that are told of: a caller that makes up names cannot fill the log. */
const mostTold = 100;

/** Tools that are not in a catalogue, and of which an event of this process told. */
export class ToldTools {
  readonly #names = new Map<string, Set<string>>();

  /** The tool that a call names, where an event should tell that it is not in the catalogue; null where not, and without a catalogue. */
  untold(
    integrationId: string,
    { known, tool }: { known: DecidingTool | null; tool: string },
    { isEmpty }: Pick<DecidingTools, 'isEmpty'>,
  ): string | null {
    if (known !== null || tool === '' || isEmpty) return null;
    const told = this.#names.get(integrationId);
    return told && (told.size >= mostTold || told.has(tool)) ? null : tool;
  }

  add(integrationId: string, tool: string | null): void {
    if (tool === null) return;
    const told = this.#names.get(integrationId) ?? new Set();
    this.#names.set(integrationId, told.add(tool));
  }
}

export interface DecidingTool {
  readonly name: string;
  /** Its name and its aliases; null when it has no alias. */
  readonly names: readonly string[] | null;
  readonly effect: ToolEffect;
  readonly untrustedResults: boolean;
  readonly directory: boolean;
  /** The fields of its results that others write, as an operator confirmed them; null where any may be. */
  readonly untrustedFields: readonly string[] | null;
  /** False for one that may change or send something, and whose entry says an effect alone: nobody knows where it goes. */
  readonly described: boolean;
  /** Whether its server changed it, and nobody accepted the change yet. The accepted definition decides, and each call is held. */
  readonly isChanged: boolean;
  /** Whether nobody accepted it at all: its server added it. */
  readonly isNew: boolean;
  /** Values of the arguments that say where something goes, and of those that identify something. */
  destinationsIn(call: CallArguments): readonly string[] | null;
  identifiersIn(call: CallArguments): readonly string[] | null;
  /** The same for a value in a result of this tool. */
  authorsOf(this: void, sighting: Sighting): FieldAuthors;
  /** The first mistake in the arguments; null when there is none, or the tool has no schema. */
  mistakeIn(call: CallArguments): string | null;
}

export function createDecidingTools({
  tools,
  seen = [],
  onChange,
}: Pick<StoredCatalogue, 'tools' | 'seen' | 'onChange'>): DecidingTools {
  const byName = new Map<string, DecidingTool>();
  for (const tool of tools) {
    const deciding = createDecidingTool(tool);
    for (const name of [tool.name, ...(tool.aliases ?? [])]) byName.set(normalizedToolName(name), deciding);
  }
  const isChanged = ({ waiting }: StoredTool): boolean => waiting !== undefined;
  const changedSeen = new Map(
    seen.filter(isChanged).map((tool) => [normalizedToolName(tool.name), tool.waiting?.isNew ?? false]),
  );
  const isAnyChanged = changedSeen.size > 0 || tools.some(isChanged);
  const findings = { added: changeFinding(true, onChange), changed: changeFinding(false, onChange) };
  return {
    isEmpty: tools.length === 0,
    isAnyChanged,
    find: (name) => byName.get(name) ?? null,
    changeOf(name, tool) {
      if (!isAnyChanged) return null;
      const isNew = tool?.isChanged ? tool.isNew : changedSeen.get(name);
      return isNew === undefined ? null : isNew ? findings.added : findings.changed;
    },
    authorsOf(sighting) {
      if (sighting.phase === 'PROMPT') return ownAuthor;
      // The agent may repeat what it has read.
      if (sighting.phase === 'ACTION') return anyAuthor;
      return byName.get(sighting.tool)?.authorsOf(sighting) ?? anyAuthor;
    },
  };
}

const none: readonly string[] = [];

function createDecidingTool(tool: StoredTool): DecidingTool {
  const { destinations = none, identifiers = none, inputSchema } = tool;
  const read = (named: readonly string[]) => {
    const paths = named.map((path) => path.split('.'));
    return (call: CallArguments) => {
      if (paths.length === 0) return none;
      if (!call.isReadable) return null;
      // Beside the name of the tool, `id` is an argument: `own` leaves it out, as in formats where it is that of the call.
      return valuesAt({ nested: [...call.nested, call.value as JsonObject], own: call.own }, paths);
    };
  };
  const isConfirmed = !tool.proposed && !tool.waiting;
  const untrustedFields = (isConfirmed && tool.untrustedFields) || null;
  let check: CheckArguments | null = null;
  return {
    name: normalizedToolName(tool.name),
    names: tool.aliases?.length ? [tool.name, ...tool.aliases].map(normalizedToolName) : null,
    effect: tool.effect,
    untrustedResults: tool.untrustedResults ?? false,
    directory: tool.directory ?? false,
    described: tool.effect === 'READ' || tool.destinations !== undefined || tool.identifiers !== undefined,
    isChanged: tool.waiting !== undefined,
    isNew: tool.waiting?.isNew ?? false,
    destinationsIn: tool.proposed
      ? withAddresses(read(destinations), tool.effect === 'READ' ? isUrl : isAddress)
      : read(destinations),
    identifiersIn: read(identifiers),
    untrustedFields,
    authorsOf: createAuthors(tool, isConfirmed, untrustedFields),
    mistakeIn(call) {
      if (!inputSchema) return null;
      if (!call.isReadable) return 'they are not a JSON object';
      // Most tools of a catalogue are never called.
      check ??= compiled(inputSchema);
      return check(call);
    },
  };
}

const ownAuthor: FieldAuthors = { byOthers: false, fieldsDescribed: false };
const describedAuthors = [false, true].map((byOthers): FieldAuthors => ({ byOthers, fieldsDescribed: true }));

/**
 * Who writes the fields of a tool's results. Only what an operator confirmed says that others do not: a proposal is made from what the
 * tool's server says, and so is a change that waits. A listed path is found wherever it stands in the path of a field, because callers
 * wrap results. A text that was read as lines or as a table has no fields of which anybody knows who wrote them.
 */
function createAuthors(
  { untrustedResults = false, directory = false }: StoredTool,
  isConfirmed: boolean,
  untrustedFields: readonly string[] | null,
): DecidingTool['authorsOf'] {
  if (!isConfirmed) return () => anyAuthor;
  if (!untrustedResults) return () => ownAuthor;
  if (!untrustedFields) return directory ? () => ownAuthor : () => anyAuthor;
  const listed = untrustedFields.map((path) => `.${path.toLowerCase()}.`);
  const [ofService, ofOthers] = describedAuthors as [FieldAuthors, FieldAuthors];
  return ({ whole, field, origin }) => {
    if (!whole || origin === '' || !field.startsWith('.') || field.startsWith('..')) return ofOthers;
    const ended = `${field}.`;
    return listed.some((path) => ended.includes(path)) ? ofOthers : ofService;
  };
}

type ReadValues = DecidingTool['destinationsIn'];

/**
 * Names and descriptions of arguments tell too little for proposals to find all that say where something goes. So of a tool that nobody
 * confirmed, every argument that is an address counts. Of one that reads, only URLs: other addresses are what it looks for.
 */
const withAddresses =
  (listed: ReadValues, isAddress: (value: string) => boolean): ReadValues =>
  (call) => {
    const found = call.isReadable ? listed(call) : null;
    if (found === null) return null;
    const all = valuesAt({ nested: [], own: call.value as JsonObject }, everything);
    return [...new Set([...found, ...all.filter(isAddress)])];
  };
const everything = [[]];

const url = /^\s*[a-z][a-z\d+.-]{1,20}:\/\/[^\s/]/i;
const isUrl = (value: string): boolean => url.test(value);

/** An e-mail address with or without a name, a telephone number with its country, a bank account, or a wallet. */
const otherAddress = new RegExp(
  [
    /^\s*(?:mailto:)?[^\s@<>]{1,64}@[^\s@<>]{1,253}\.[^\s@<>.]{2,63}\s*$/,
    /^[^<>@]{0,100}<[^\s@<>]{1,64}@[^\s@<>]{1,253}>\s*$/,
    /^\s*\+\d[\d ()./-]{6,24}$/,
    /^\s*[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\s*$/,
    /^\s*0x[\da-fA-F]{40}\s*$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const isAddress = (value: string): boolean => isUrl(value) || otherAddress.test(value);

/** A schema that an earlier version took, and this one refuses, matches nothing. */
function compiled(inputSchema: JsonObject): CheckArguments {
  try {
    return compileArguments(inputSchema);
  } catch (error) {
    const mistake = `its schema cannot be used: ${(error as Error).message}`.slice(0, 500);
    return () => mistake;
  }
}

/** The tool as rules see it. Only a call has arguments. */
export const cataloguedOf = (tool: DecidingTool, phase: Phase, call: CallArguments): CataloguedTool => ({
  effect: tool.effect,
  untrustedResults: tool.untrustedResults,
  directory: tool.directory,
  described: tool.described,
  destinations: phase === 'ACTION' ? tool.destinationsIn(call) : none,
  identifiers: phase === 'ACTION' ? tool.identifiersIn(call) : none,
  ...(tool.names && { names: tool.names }),
});

type Found = Decision['violations'][number];

const finding = (rule: Pick<Found, 'ruleId' | 'ruleName' | 'reason'>, about: Partial<Found>): Found => ({
  ...rule,
  policyId: '',
  policyName: '',
  policyVersion: 0,
  mode: 'ENFORCE',
  severity: 'HIGH',
  enforcementAction: 'BLOCK',
  message: '',
  ...about,
});

/** The findings of the integration's settings about an action, beside those of its policies. */
export function toolViolations(
  { unknownTools, onSchemaMismatch }: IntegrationSettings,
  tools: DecidingTools,
  { tool, name, call }: { tool: DecidingTool | null; name: string; call: CallArguments },
): Found[] {
  const unknown = tool === null || tool.isNew ? unknownViolations(unknownTools, tool, name) : [];
  const change = tools.changeOf(name, tool);
  const held = change === null ? unknown : [...unknown, change];
  if (tool === null) return held;
  const mistake = tool.mistakeIn(call);
  if (mistake === null) return held;
  return [
    ...held,
    finding(
      { ruleId: 'schema-mismatch', ruleName: 'Schema mismatch', reason: 'schema_mismatch' },
      {
        enforcementAction: onSchemaMismatch,
        severity: onSchemaMismatch === 'BLOCK' ? 'HIGH' : 'MEDIUM',
        message: `the arguments do not match the schema of the tool: ${mistake}`,
      },
    ),
  ];
}

function unknownViolations(
  unknownTools: IntegrationSettings['unknownTools'],
  tool: DecidingTool | null,
  name: string,
): Found[] {
  if (unknownTools === 'ALLOW') return [];
  const what =
    name === ''
      ? 'the action names no tool'
      : tool?.isNew
        ? 'the tool was added by its server, and no operator accepted it yet'
        : 'the tool is not in the catalogue of the integration';
  return [
    finding(
      { ruleId: 'unknown-tool', ruleName: 'Unknown tool', reason: 'unknown_tool' },
      { enforcementAction: unknownTools, message: `${what} (unknownTools: ${unknownTools})` },
    ),
  ];
}

const changeFinding = (isNew: boolean, onChange: OnChange): Found =>
  finding(
    { ruleId: 'tool-changed', ruleName: 'Tool changed', reason: 'tool_definition_changed' },
    {
      enforcementAction: onChange === 'BLOCK' ? 'BLOCK' : 'APPROVAL_REQUIRED',
      message: changedReason(isNew),
    },
  );

/** Whether they let the action happen at all, whatever the policies say. */
export const stops = (found: readonly Found[]): boolean =>
  found.some(({ enforcementAction }) => !letsThrough(enforcementAction));

/** Returns the first mistake in the arguments of a call, with none of their content; null when they match. */
type CheckArguments = (call: Pick<CallArguments, 'nested' | 'own'>) => string | null;

/**
 * Compiles a JSON Schema of arguments. Throws an `Error` whose message says what is wrong with the schema. What takes too many
 * steps to compare does not match.
 */
export function compileArguments(schema: JsonObject): CheckArguments {
  const matches = compileSchema(schema);
  const properties = new Set(Object.keys(isObject(schema.properties) ? schema.properties : {}));
  if (matches({}) === 'endless') throw new Error('it refers to itself without an end');
  return ({ nested, own }) => mistakeIn(matches, placesToCheck(nested, own, properties));
}

const endless = 'to compare them with the schema takes too many steps';

/**
 * Where the arguments may be is decided by the caller's format, so each place that may hold them must match. The fields of
 * the input itself are arguments when nothing is nested, or when one of them is called like an argument: an agent must not
 * hide those that are used behind others that match.
 */
function placesToCheck(
  nested: readonly JsonObject[],
  own: JsonObject,
  properties: ReadonlySet<string>,
): JsonObject[] {
  const isFlat = nested.length === 0 || Object.keys(own).some((key) => properties.has(key));
  const holders = nested.length === 0 || !isFlat ? [] : wrappersIn(own, properties);
  const flat = Object.fromEntries(Object.entries(own).filter(([key]) => !holders.includes(key)));
  return isFlat ? [...nested, flat] : [...nested];
}

/** Keys that hold nested arguments, unless an argument has that name. */
const wrappersIn = (own: JsonObject, properties: ReadonlySet<string>): string[] =>
  ['arguments', 'args', 'input', 'parameters'].filter((key) => key in own && !properties.has(key));

function mistakeIn(matches: Matcher, places: readonly JsonObject[]): string | null {
  const budget = new StepBudget();
  for (const place of places) {
    const mistake = matches(place, budget);
    if (mistake === 'endless') return endless;
    if (mistake !== null) return `${mistake.message} (${mistake.path})`;
  }
  return null;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
