import { decidingResources, versionedResources } from '../deciding-state.ts';
import type { ExportLine } from '../export-lines.ts';

type Test = (value: unknown) => boolean;
type Members = Readonly<Record<string, Test>>;

const text: Test = (value) => typeof value === 'string';
const number: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const textOrNull: Test = (value) => value === null || text(value);
const texts: Test = (value) => Array.isArray(value) && value.every(text);
const object: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const is =
  (word: unknown): Test =>
  (value) =>
    value === word;
/** No other member: one could stand in the place of one that is looked at. */
const shape =
  (members: Members): Test =>
  (value) =>
    object(value) &&
    Object.keys(value as object).every((name) => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, test]) => test((value as Record<string, unknown>)[name]));
const lineOf = (kind: ExportLine['kind'], members: Members): Test =>
  shape({ ...members, kind: is(kind), line: number });

const chainOrigin = lineOf('chain', {
  origin: (value) => object(value) && text((value as { chain?: unknown }).chain),
});
const chainHead = lineOf('chain', {
  chain: text,
  head: shape({ seq: number, hash: text }),
  index: number,
  proof: texts,
});

const shapes: Readonly<Record<ExportLine['kind'], Test>> = {
  export: lineOf('export', {
    format: is(1),
    madeAt: text,
    from: textOrNull,
    to: textOrNull,
    chain: textOrNull,
    frontier: texts,
  }),
  key: lineOf('key', { keyId: text, publicKey: text }),
  leaf: lineOf('leaf', { chain: text, seq: number, hash: text, index: number, proof: optional(texts) }),
  root: lineOf('root', {
    statement: shape({
      kind: is('root'),
      seq: number,
      at: text,
      previous: text,
      treeSize: number,
      rootHash: text,
      keyId: text,
    }),
    signature: text,
  }),
  chain: (value) => chainOrigin(value) || chainHead(value),
  entry: lineOf('entry', {
    hash: text,
    entry: object,
    content: optional((value) => object(value) && Object.values(value as object).every(text)),
  }),
  terms: lineOf('terms', { terms: text }),
  state: lineOf('state', {
    resource: (value) => decidingResources.some((one) => one === value),
    resourceId: text,
    state: (value) => value === null || object(value),
    text: textOrNull,
  }),
  version: lineOf('version', {
    resource: (value) => versionedResources.some((one) => one === value),
    resourceId: text,
    version: number,
    text,
  }),
  end: lineOf('end', {}),
};

/** Whether a parsed line has the members that its kind must have, and no others. */
export function isLine(value: unknown): value is ExportLine & { line: number } {
  if (!object(value)) return false;
  const { kind } = value as { kind?: unknown };
  return typeof kind === 'string' && Object.hasOwn(shapes, kind) && shapes[kind as ExportLine['kind']](value);
}
