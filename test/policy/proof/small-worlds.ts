import type { PolicyTestGiven } from '../../../src/schemas/policy-tests.ts';
import type { Random } from '../../cel/fuzz/random.ts';

// Conditions over few fields, and every subject that these fields can make: small enough to evaluate all of them.

export const leaves: readonly string[] = [
  'tool == "a"',
  'tool != "b"',
  'tool in ["a", "ab"]',
  'tool.startsWith("a")',
  'tool.endsWith("b")',
  'tool.contains("")',
  'tool.matches("^a+$")',
  'tool < "b"',
  'input.x == 1',
  'input.x == "a"',
  'input.x != true',
  'input.x > 1',
  '1.5 >= input.x',
  'input.x + 1 > 2',
  'input.x * 2 <= input.y',
  'input.x - input.y < 0',
  'input.x / 2 == 0.5',
  'input.x in [1, "a", null]',
  'input.x in session.labels',
  'tool in session.labels',
  'has(input.x)',
  '!has(input.x.z)',
  'input.?x.orValue(0) > 0',
  'input.?x.?z.orValue(true)',
  'input.?x.hasValue()',
  'input[?tool].hasValue()',
  'isString(input.?x)',
  'isNumber(input.x)',
  'input.x == null',
  'input.x == []',
  'input.x.contains("a")',
  'input.x',
  'size(input.x) > 0',
  'input.x.size() == 0',
  '"A" in session.labels',
  'session.labels.containsAny(["A", "B"])',
  'session.labels.containsAll(["A", "B"])',
  'session.labels.exists(l, l == "A" || l == tool)',
  'session.labels.all(l, l in ["A", "B"])',
  'session.labels.exists(l, l.startsWith("B"))',
  'size(session.labels) > 1',
  'session.labels == []',
  '["a", "b"].exists(t, t == tool && input.x == t)',
  '[input.x, input.y].all(v, v > 0)',
  'session.warningCount >= 2',
  'session.warningCount == session.blockCount',
  'session.warningCount + session.blockCount > 3',
  'session.warningCount > session.actionCount',
  'session.toolCounts[?tool].orValue(0) > 0',
  'session.toolCounts["a"] > 0',
  'session.toolCounts[?"a"].orValue(1) == 1',
  '"a" in session.toolsUsed',
  'tool in session.toolCounts',
  'phase == "RESULT"',
  'result.status == "OK"',
  'result.status in ["OK", "FAILED"]',
  'toolEffect == "READ"',
  'toolUntrusted',
  'now - session.startedAt > duration("1h")',
  'now > timestamp("2026-01-01T00:00:00Z")',
  'counters.n >= 2',
  'counters.n + input.x > 3',
  'session.entityId == null',
  'session.entityId == "ann"',
  'severityRank(input.x) > 1',
  'input.?x.optMap(v, v == 1).orValue(false)',
  'cel.bind(v, input.x, v == 1 || v == "a")',
  'vars.large',
  'arguments.x == 1',
  'has(arguments.x)',
];

/** Forms that few policies have, for an action each. */
export const rareForms: readonly string[] = [
  'input.?x.or(input.?y).hasValue()',
  'input.?x.or(optional.of(1)).orValue(0) == 1',
  'dyn(input.x) == 1',
  'double(input.x) > 0.5',
  'double(session.warningCount) > 0.5',
  'double(tool) > 1.0',
  'int(tool) > 1',
  'timestamp(tool) < now',
  'duration(tool) > duration("1h")',
  'input["x"] == 1',
  'input[tool] == 1',
  'input.x[tool]',
  'input.x[0] == 1',
  'session.toolCounts[tool] > 0',
  'session["warningCount"] > 1',
  'type(session.labels) == list',
  'type(session.toolCounts) == map',
  'type(input) == map',
  'type(input.?x) == optional_type',
  'type([tool]) == list',
  '(tool == "a") < (input.x == 1)',
  '(tool == "a") >= (input.x == 1)',
  'cel.bind(v, tool, commands(v).exists(c, c.program == "a"))',
  'cel.bind(v, commands(tool), v.exists(c, c.program == "a"))',
  'optional.of(1) == input.?x',
  'optional.none() == input.?x',
  'session.actionCount * 4611686018427387904 > 0',
  'session.actionCount + 9223372036854775807 > 0',
  'tool.startsWith("a") && tool.startsWith("ab")',
  'tool.startsWith("ab") && !tool.startsWith("a")',
  'tool.endsWith("b") && !tool.endsWith("ab")',
  'tool in input',
  'tool in input.x',
  'input.x in [tool]',
  'session.labels.containsAny(input.x)',
  '["A"].containsAny(session.labels)',
  'session.startedAt == now',
  'session.startedAt == timestamp("2025-12-31T00:00:00Z")',
  'now - session.startedAt == duration("1h")',
  'destinations.exists(d, d == "a")',
  'size(destinations) == 0 && size(identifiers) == 0',
  'identity.actor == "a"',
  '"a" in identity.actors',
  'has(identity.actor)',
  'identity.subject == "a" || identity.issuer == "b"',
  'cost.usd > 1.0',
  'size(input) > 1',
  'input.x == session.labels',
  'input.x == session.toolCounts',
  'input.x == {"z": false}',
  'input.x == [tool]',
  'input.x == identity',
  'cel.bind(k, "z", input.x[k])',
  '["a", tool].join("") == "ab"',
  'string(input.x) == "1"',
  'size("abc") == 3',
  'size(tool) > 1',
  'tool.startsWith("a") && tool.startsWith("b")',
  'commands(tool == "a" ? tool : "b").exists(c, c.program == "a")',
  'tool + "b" == "ab"',
  '"a" + "b" == tool',
  'session.labels + ["A"] == []',
  '"a" in tool.split(",")',
  'tool.split(",").exists(t, t == "a")',
  'commands(vars.large ? "a" : tool).exists(c, c.program == "a")',
  'commands([tool][0]).exists(c, c.program == "a")',
  'commands({"k": tool}["k"]).exists(c, c.program == "a")',
  'commands(cel.bind(v, tool, v)).exists(c, c.program == "a")',
  'commands(["a", tool].join("")).exists(c, c.program == "a")',
];

export const head = `counters: { n: { over: session, where: 'tool == "never"' } }
variables: { large: input.x > 2 }
`;

/** A condition over a few leaves, so that some of them contradict each other. */
export function condition(
  random: Random,
  depth = 3,
  few = Array.from({ length: 3 }, () => random.pick(leaves)),
): string {
  const inner = (): string => condition(random, depth - 1, few);
  if (depth === 0 || random.below(6) === 0) return random.pick(few);
  switch (random.below(6)) {
    case 0:
    case 1:
    case 2:
      return `(${inner()} && ${inner()})`;
    case 3:
      return `(${inner()} || ${inner()})`;
    case 4:
      return `!(${inner()})`;
    default:
      return `(${inner()} ? ${inner()} : ${inner()})`;
  }
}

const absent = Symbol('absent');
const values = [absent, null, true, 0, 1, 3, 'a', 'HIGH', [], {}, { z: false }];
const tools = ['', 'a', 'b', 'ab', 'x'];
const labels = [[], ['A'], ['B', 'x'], ['A', 'B']];
const sessions = [
  {},
  { actionCount: 2, warningCount: 2, toolCounts: { a: 1 } },
  { actionCount: 9, warningCount: 1, blockCount: 4, toolCounts: { b: 2, x: 1 }, entityId: 'ann' },
  { actionCount: 4, warningCount: 2, blockCount: 2, startedAt: '2025-12-31T00:00:00Z', entityId: 'bob' },
];

/** Subjects of all kinds of values; `random` chooses what of the less interesting fields goes together. */
export function subjects(random: Random): PolicyTestGiven[] {
  const found: PolicyTestGiven[] = [];
  for (const x of values)
    for (const tool of tools)
      for (const session of sessions) {
        const y = random.pick([absent, 0, 2, 5, 'b']);
        const phase = random.pick(['ACTION', 'ACTION', 'ACTION', 'RESULT'] as const);
        const input = Object.fromEntries(Object.entries({ x, y }).filter(([, value]) => value !== absent));
        found.push({
          ...(tool !== '' && { tool }),
          phase,
          ...(phase === 'RESULT' && { result: { status: random.pick(['OK', 'FAILED'] as const) } }),
          ...(random.below(2) === 0 && { toolEffect: 'READ' as const, toolUntrusted: random.below(2) === 0 }),
          input,
          counters: { n: random.below(5) },
          session: { ...session, labels: random.pick(labels) },
          now: random.pick(['2025-12-31T00:30:00Z', '2026-01-01T12:00:00Z']),
        });
      }
  return found;
}
