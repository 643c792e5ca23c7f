import t from 'tap';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import type { Schema } from '../../../src/policy/document/check-structure.ts';
import { pointerOf } from '../../../src/policy/document/policy-issue.ts';
import { policySchema } from '../../../src/schemas/policy-documents.ts';

// Every key of every construct of a policy document, as the schema has it: a key that is added to the schema is tested here.
const schema = policySchema as Schema;
type Path = (string | number)[];
type Members = Record<string, unknown>;

const texts = ['a', 'tool', '1h', '2030-01-31T12:00:00Z', 'A', '+1h', '1'];

function keyOf(pattern: string): string {
  const key = ['a', 'A', '1'].find((text) => new RegExp(pattern).test(text));
  if (key === undefined) throw new Error(`no key for ${pattern}`);
  return key;
}

/** A value with every key there is. What it means is wrong in many places; how it is built is right. */
function sample(of: Schema): unknown {
  const type = [of.type ?? 'string'].flat()[0];
  if (of.enum) return of.enum[0];
  if (type === 'object') {
    const own = Object.entries(of.properties ?? {}).map(([key, value]) => [key, sample(value)]);
    const named = Object.entries(of.patternProperties ?? {}).map(([key, value]) => [
      keyOf(key),
      sample(value),
    ]);
    return Object.fromEntries([...own, ...named]);
  }
  if (type === 'array')
    return Array.from({ length: Math.max(1, of.minItems ?? 0) }, () => sample(of.items ?? {}));
  if (type === 'integer' || type === 'number') return of.minimum ?? 1;
  if (type === 'boolean') return true;
  const text = texts.find((one) => of.pattern === undefined || new RegExp(of.pattern).test(one));
  if (text === undefined) throw new Error(`no text for ${of.pattern}`);
  return text;
}

interface Place {
  path: Path;
  of: Schema;
  isRequired: boolean;
}

function* placesIn(of: Schema, path: Path = []): Generator<Place> {
  for (const [key, value] of Object.entries(of.properties ?? {})) {
    yield { path: [...path, key], of: value, isRequired: of.required?.includes(key) ?? false };
    yield* placesIn(value, [...path, key]);
  }
  for (const [pattern, value] of Object.entries(of.patternProperties ?? {})) {
    const inside = [...path, keyOf(pattern)];
    yield { path: inside, of: value, isRequired: false };
    yield* placesIn(value, inside);
  }
  if (of.items) {
    yield { path: [...path, 0], of: of.items, isRequired: false };
    yield* placesIn(of.items, [...path, 0]);
  }
}

const whole = sample(schema);

/** The whole document with something else at one place; `undefined` leaves it out. */
function wholeWithAt(
  path: Path,
  value: unknown,
  inside: unknown = whole,
  isKept = (_: unknown) => true,
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const within = (item: unknown) => wholeWithAt(rest, value, item, isKept);
  // A text may stand for a list of one.
  if (typeof step === 'number' && !Array.isArray(inside)) return [within(whole)];
  if (Array.isArray(inside)) return inside.map((item, place) => (place === step ? within(item) : item));
  const beside = Object.entries(inside as Members).filter(([, member]) => isKept(member));
  return { ...Object.fromEntries(beside), [step]: within((inside as Members)[step]) };
}

/** The same without lists and objects beside the way there: to read all of them takes ten times as long. */
const withAt = (path: Path, value: unknown): unknown =>
  wholeWithAt(path, value, whole, (member) => typeof member !== 'object');

const issuesOf = (document: unknown) =>
  checkPolicyDocument(JSON.stringify(document), { runTests: false }).issues;

function expectIssue(t: Tap, path: Path, document: unknown, codes: readonly string[]): void {
  const pointer = pointerOf(path);
  const found = issuesOf(document).filter((issue) => issue.path === pointer && codes.includes(issue.code));
  if (found.length === 0) t.fail(`${pointer}: ${codes.join(' or ')} is not reported`);
  for (const { message, line, column } of found)
    if (message === '' || line < 1 || column < 1) t.fail(`${pointer}: ${message} at ${line}:${column}`);
}
type Tap = Pick<typeof t, 'fail'>;

// biome-ignore format: short texts read better in rows
const structural = [
  'wrong_type', 'missing_key', 'unknown_key', 'too_long', 'too_short', 'too_few', 'too_many',
  'out_of_range', 'bad_name',
];
const others: Members = { null: null, boolean: true, number: 7.5, string: 'text', array: [], object: {} };
const unlisted: Members = { string: 'nonsense', integer: 77, boolean: false };
const places = [...placesIn(schema)];

t.test('the document with every key is built right', async (t) => {
  t.ok(places.length > 200, `${places.length} places`);
  const wrong = issuesOf(whole).filter(({ code }) => structural.includes(code));
  t.strictSame(
    wrong.map(({ path }) => path),
    ['/tests/0/given/counters/a'],
    'that one is split by a value',
  );
});

t.test(
  'every key that is missing, of another type, unbounded or out of its range is reported at its place',
  async (t) => {
    for (const { path, of, isRequired } of places) {
      const types = of.type === undefined ? null : [of.type].flat();
      for (const [type, value] of Object.entries(others))
        if (types && !types.includes(type)) expectIssue(t, path, withAt(path, value), ['wrong_type']);
      if (isRequired) expectIssue(t, path, withAt(path, undefined), ['missing_key']);
      if (of.enum && types) expectIssue(t, path, withAt(path, unlisted[types[0] ?? '']), ['not_allowed']);
      if (types?.includes('string') && !of.enum) {
        const isBounded = of.maxLength !== undefined || of.pattern !== undefined;
        t.ok(isBounded, `${pointerOf(path)} has a longest text`);
        const long = 'x'.repeat((of.maxLength ?? 1_000) + 1);
        expectIssue(t, path, withAt(path, long), ['too_long', 'bad_name']);
      }
      if (types?.includes('array')) {
        t.ok(of.maxItems, `${pointerOf(path)} has a most of entries`);
        const many = new Array((of.maxItems ?? 0) + 1).fill(null);
        expectIssue(t, path, withAt(path, many), ['too_many']);
      }
      if (of.minimum !== undefined) expectIssue(t, path, withAt(path, of.minimum - 1), ['out_of_range']);
      if (of.maximum !== undefined) expectIssue(t, path, withAt(path, of.maximum + 1), ['out_of_range']);
    }
  },
);

t.test('an unknown key, and one that is there twice, is reported in every construct', async (t) => {
  const constructs = places.filter(({ of }) => of.properties);
  for (const { path, of } of [{ path: [], of: schema }, ...constructs]) {
    const unknown = [...path, 'not-a-key'];
    expectIssue(t, unknown, withAt(unknown, 1), ['unknown_key', 'bad_name']);
    const [first = ''] = Object.keys(of.properties ?? {});
    const marked = JSON.stringify(wholeWithAt([...path, 'twice'], '#'));
    const text = marked.replace('"twice":"#"', `${JSON.stringify(first)}:1`);
    const { issues } = checkPolicyDocument(text);
    t.ok(
      issues.some(({ message, line }) => /unique|twice|more than once/i.test(message) && line === 1),
      `${pointerOf(path)}/${first} twice: ${issues[0]?.message}`,
    );
  }
});
