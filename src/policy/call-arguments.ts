import { CelError, Unknown } from '../cel/index.ts';
import { isNestedDeeper } from '../json/members.ts';
import { tryParseStrictly } from '../json/parse.ts';
import { canonicalJson } from '../json/stringify.ts';
import { isRecord, own } from './records.ts';
import { argumentsIn, knownCalls, plainName } from './tool-calls.ts';

type Json = Readonly<Record<string, unknown>>;

/** The JSON texts of a call, parsed: one may be a megabyte, and is looked at in several places. */
type ReadTexts = Map<string, Json | CelError>;

/** A value that holds the arguments of a call, as it was sent, and its JSON Pointer in the input. */
interface Place {
  readonly path: string;
  readonly sent: unknown;
}

/** Deepest nesting of arguments in a JSON text, which no check of the request has seen. */
const deepest = 64;

const unreadable = new CelError(
  'invalid_argument',
  'the arguments of the call are neither a JSON object nor the text of one',
);
const ambiguous = new CelError('invalid_argument', 'the call has different arguments in two places');

/**
 * The arguments of the call that an input is, in whatever format. Everything is read when it is first asked for, and once.
 */
export class CallArguments {
  readonly #input: Json;
  readonly #texts: ReadTexts = new Map();
  #places: readonly Place[] | undefined;
  #value: Json | CelError | undefined;
  #nested: readonly Json[] | undefined;
  #own: Json | undefined;

  /** `input` may hold errors in place of what is not known. */
  constructor(input: Json) {
    this.#input = input;
  }

  /**
   * The value that rules read as `arguments`. An input that has no place for arguments is the arguments itself. Arguments that cannot be
   * read are an error, never an empty object: a rule that reads them must not pass.
   */
  get value(): Json | CelError {
    this.#value ??= this.#read();
    return this.#value;
  }

  get isReadable(): boolean {
    return !(this.value instanceof CelError);
  }

  /** JSON Pointers to the objects whose fields are those of `value`, or to the text of one; `''` is the input. */
  get paths(): readonly string[] {
    const places = this.#sent();
    return places.length === 0 ? ['', ...holders.map((key) => `/${key}`)] : places.map(({ path }) => path);
  }

  /** As the call has them, whether or not they can be read; null when it has none. */
  get sent(): unknown {
    return this.#sent()[0]?.sent ?? null;
  }

  /** JSON Pointer to other arguments than the first; null when there are none. One of them is executed, and rules see the first. */
  get otherPath(): string | null {
    const [first, ...others] = this.#sent();
    if (first === undefined) return null;
    return (
      others.find((other) => !isSame(first, other, this.#texts))?.path ??
      otherValuePath(this.#input, first, this.#texts)
    );
  }

  /** Every object that may hold arguments, besides the input: which of them is used, only the caller knows. */
  get nested(): readonly Json[] {
    this.#nested ??= [...argumentsIn(this.#input)].flatMap((sent) => {
      const found = textOrObject(sent, this.#texts);
      return found === null ? [] : [found];
    });
    return this.#nested;
  }

  /** The fields of the input that do not describe the call: they may be arguments as well. */
  get own(): Json {
    this.#own ??= Object.fromEntries(Object.entries(this.#input).filter(([key]) => !ofCall.has(key)));
    return this.#own;
  }

  /**
   * The call of this tool, the same in each format: its arguments, and subject and resource where the input names them (AuthZEN).
   * Everything else beside the arguments, such as the `context` of AuthZEN, is not part of the call.
   */
  doneBy(tool: string): { arguments: unknown; beside: Json } {
    const input = this.#input;
    const places = this.#sent();
    if (isRawCall(input)) return { arguments: this.isReadable ? this.value : this.sent, beside: none };
    if (places.length === 0)
      return { arguments: withoutHolders(input, this.value, tool, this.#texts), beside: none };
    const beside = Object.entries(input).filter(([key]) => key === 'subject' || key === 'resource');
    return {
      arguments: this.isReadable ? this.value : this.sent,
      beside: Object.fromEntries(beside),
    };
  }

  #sent(): readonly Place[] {
    this.#places ??= this.#input instanceof CelError ? [] : placesIn(this.#input, this.#texts);
    return this.#places;
  }

  #read(): Json | CelError {
    const input = this.#input;
    if (input instanceof CelError) return input;
    const places = this.#sent();
    const [first] = places;
    if (first === undefined) return isRawCall(input) ? none : withNested(input, this.#texts);
    const unknown = places.find(({ sent }) => sent instanceof CelError)?.sent as CelError | undefined;
    return unknown ?? (this.otherPath === null ? objectOf(first.sent, this.#texts) : ambiguityOf(input));
  }
}

const none: Json = Object.freeze({});

/** Fields that may hold all arguments, when their value is an object or the text of one; any other value is an argument of that name. */
const holders = ['input', 'parameters', 'params', 'tool_input'] as const;

/** A call in a known format, whose other members describe the call. */
const isRawCall = (input: Json): boolean => plainName(input) === null && knownCalls(input).length > 0;

/** Null, and the empty text that OpenAI sends for no arguments, are none. */
const isSent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function placesIn(input: Json, texts: ReadTexts): Place[] {
  const places: Place[] = [];
  const add = (path: string, sent: unknown) => {
    if (isSent(sent) && places.every((place) => place.path !== path)) places.push({ path, sent });
  };
  add('/arguments', own(input, 'arguments'));
  add('/args', own(input, 'args'));
  const calls = knownCalls(input);
  for (const { path, call, holders: keys } of calls) {
    for (const key of keys) add(`${path}/${key}`, own(call, key));
    // In the definition of a tool, it is a schema.
    if (places.length === 0) add(`${path}/parameters`, own(call, 'parameters'));
  }
  // Beside `arguments`, an object under these names is another place for them.
  if (places.length > 0 && calls.length === 0)
    for (const key of holders)
      if (textOrObject(own(input, key), texts) !== null) add(`/${key}`, own(input, key));
  return places;
}

/** Pointer to a field of the input that has another value than the argument of the same name; null when there is none. */
function otherValuePath(input: Json, { path, sent }: Place, texts: ReadTexts): string | null {
  const found = path === '/arguments' || path === '/args' ? objectOf(sent, texts) : unreadable;
  if (found instanceof CelError) return null;
  for (const key of Object.keys(found))
    if (!ofCall.has(key) && Object.hasOwn(input, key) && !isEqual(found[key], input[key])) return `/${key}`;
  return null;
}

function isSame(one: Place, other: Place, texts: ReadTexts): boolean {
  const [left, right] = [objectOf(one.sent, texts), objectOf(other.sent, texts)];
  if (left instanceof CelError || right instanceof CelError) return left === right;
  return left === right || canonicalJson(left) === canonicalJson(right);
}

/** The arguments that were sent as this value; an error when it is none. */
function objectOf(sent: unknown, texts: ReadTexts): Json | CelError {
  if (sent instanceof CelError) return sent;
  if (isRecord(sent)) return sent;
  if (typeof sent !== 'string') return unreadable;
  const read = texts.get(sent) ?? objectIn(sent);
  texts.set(sent, read);
  return read;
}

function objectIn(text: string): Json | CelError {
  if (isNestedDeeper(text, deepest)) return unreadable;
  const parsed = tryParseStrictly(text);
  return isRecord(parsed) && isSound(parsed) ? parsed : unreadable;
}

/** Whether a request may hold the value: the text that it comes from was not checked with the request. */
function isSound(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, entry]) => key !== '__proto__' && key.isWellFormed() && isSound(entry),
  );
}

/**
 * Rules see the fields of the input and of the objects that may hold the arguments; where two have different values
 * for one argument, the arguments cannot be read.
 */
function withNested(input: Json, texts: ReadTexts): Json | CelError {
  let merged: Json = input;
  for (const key of holders) {
    const sent = own(input, key);
    if (sent instanceof CelError) return sent;
    const nested = textOrObject(sent, texts);
    if (nested === null) continue;
    for (const [name, value] of Object.entries(nested))
      if (!ofCall.has(name) && Object.hasOwn(merged, name) && !isEqual(merged[name], value))
        return ambiguityOf(input);
    merged = { ...merged, ...nested };
  }
  return merged;
}

/**
 * The arguments of an input that is the arguments itself, without what names the tool and what holds them. An argument in an object
 * that holds them may have the same key: it has another value than the input.
 */
function withoutHolders(input: Json, value: Json | CelError, tool: string, texts: ReadTexts): Json {
  if (value instanceof CelError) return input;
  const named = plainName(input)?.path ?? (input.name === tool ? '/name' : null);
  const isDropped = (key: string): boolean =>
    `/${key}` === named ||
    key === 'arguments' ||
    key === 'args' ||
    (holders.some((holder) => holder === key) && textOrObject(input[key], texts) !== null);
  const kept = Object.entries(value).filter(([key, entry]) => entry !== own(input, key) || !isDropped(key));
  return Object.fromEntries(kept);
}

/** Values that differ may be the same where a part of them is unknown. */
const ambiguityOf = (input: Json): CelError => unknownIn(input) ?? ambiguous;

function unknownIn(value: unknown): Unknown | null {
  if (value instanceof Unknown) return value;
  if (typeof value !== 'object' || value === null) return null;
  for (const entry of Object.values(value)) {
    const unknown = unknownIn(entry);
    if (unknown !== null) return unknown;
  }
  return null;
}

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other ||
  (!(one instanceof CelError || other instanceof CelError) && canonicalJson(one) === canonicalJson(other));

/** An object, or the text of one; null for anything else. */
function textOrObject(sent: unknown, texts: ReadTexts): Json | null {
  if (typeof sent === 'string' && !sent.trimStart().startsWith('{')) return null;
  const found = objectOf(sent, texts);
  return found instanceof CelError ? null : found;
}

/** Keys of an input that describe the call itself; whatever else it has may be an argument. */
const ofCall: ReadonlySet<string> = new Set([
  'tool',
  'toolName',
  'name',
  'type',
  'id',
  'call_id',
  'toolUseId',
  'toolCallId',
  'jsonrpc',
  'method',
]);
/**
 * The texts and numbers under paths such as `[to]` or `[message, recipients]`, each once, as texts. A list on the way stands for
 * each of its entries, and what stands at the end for all that is in it: a recipient that is an object must not go unseen.
 */
export function valuesAt(
  { nested, own }: Pick<CallArguments, 'nested' | 'own'>,
  paths: readonly (readonly string[])[],
): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (const place of nested) collect(place, path, 0, found);
    collect(own, path, 0, found);
  }
  return [...found];
}

function collect(value: unknown, path: readonly string[], at: number, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const entry of value) collect(entry, path, at, found);
    return;
  }
  const key = path[at];
  if (key === undefined) {
    if (typeof value === 'string') found.add(value);
    else if (typeof value === 'number' || typeof value === 'bigint') found.add(String(value));
    else if (isRecord(value)) for (const field of Object.values(value)) collect(field, path, at, found);
  } else if (isRecord(value) && Object.hasOwn(value, key)) collect(value[key], path, at + 1, found);
}
