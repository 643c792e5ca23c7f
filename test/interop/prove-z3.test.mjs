import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { installLine, openZ3, prove, provePolicies } from '../../src/cli/prove/prove.ts';
import { decide } from '../../src/policy/decide.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';
import { Model, provedPolicy } from '../../src/policy/proof/decision-model.ts';
import { allHold, and, not, textIs } from '../../src/policy/proof/formula.ts';
import { proveProperty } from '../../src/policy/proof/property.ts';
import { ask, proveByIntervals } from '../../src/policy/proof/question.ts';
import { Symbols } from '../../src/policy/proof/symbols.ts';
import { Random } from '../cel/fuzz/random.ts';
import { condition, head, leaves, subjects } from '../policy/proof/small-worlds.ts';

const seed = Number(process.env.PROOF_SEED ?? 1);
const cases = Number(process.env.PROOF_CASES ?? 6);

// As a reader of docs/proofs.md installs it: in an empty folder.
const folder = mkdtempSync(join(tmpdir(), 'assize-z3-'));
const [npm, ...words] = installLine.split(' ');
execFileSync(npm, [...words, '--prefer-offline', '--no-audit', '--no-fund'], {
  cwd: folder,
  stdio: 'ignore',
});
const z3 = await openZ3(folder, 0);
// Z3 answers one question at a time, on another thread.
t.setTimeout(600_000);
t.teardown(() => {
  z3.close();
  rmSync(folder, { recursive: true });
});

const read = (body) => {
  const proved = provedPolicy(`schemaVersion: 1\nname: p\n${body}`);
  if (typeof proved === 'string') throw new Error(proved);
  return proved;
};

t.test('Z3 proves what intervals cannot decide', { timeout: 300_000 }, async (t) => {
  const blocked = 'decision.enforcementAction == "BLOCK"';
  const rules = [
    [
      'arguments.a + arguments.b > 10 && arguments.b + arguments.c > 10 && arguments.a + arguments.c > 10',
      'isNumber(arguments.a) && isNumber(arguments.b) && isNumber(arguments.c) && arguments.a > 5 && arguments.b - arguments.c == 0 && arguments.a + arguments.b + arguments.c > 40 && arguments.a < 10',
    ],
    ['tool.matches("^crm[.][a-z]+$")', 'tool.matches("^crm[.](read|write)$")'],
    ['tool.startsWith("crm.")', 'tool.matches("^(?:crm|crm[.]x)[.]") && !tool.endsWith(".")'],
    ['size(tool) > 3', 'size(tool) > 3 && tool.contains("a") && tool.contains("b")'],
  ];
  for (const [rule, when] of rules) {
    const proved = read(
      `rules:\n  - { id: a, effect: BLOCK, when: ${JSON.stringify(rule)} }\nproperties:\n  - { name: q, when: ${JSON.stringify(when)}, holds: '${blocked}' }\n`,
    );
    t.equal((await prove(proveProperty(proved, 0), z3)).verdict, 'PROVED', rule);
  }
  const first = read(
    `rules:\n  - { id: a, effect: BLOCK, when: ${JSON.stringify(rules[1][0])} }\nproperties:\n  - { name: q, when: ${JSON.stringify(rules[1][1])}, holds: '${blocked}' }\n`,
  );
  t.equal(proveByIntervals(proveProperty(first, 0), { left: 200_000 }, 200_000).verdict, 'UNKNOWN');
});

t.test(
  'a text that Z3 finds for a pattern is one that the engine matches',
  { timeout: 300_000 },
  async (t) => {
    const proved = read(
      `rules:\n  - { id: a, effect: ALLOW, when: 'tool.matches("^[a-c]{2}[0-9]+-x?$")' }\nproperties:\n  - { name: q, when: 'tool.matches("^[a-c]{2}[0-9]+-x?$") && tool.endsWith("7-x")', holds: 'decision.enforcementAction == "BLOCK"' }\n`,
    );
    const found = await prove(proveProperty(proved, 0), z3);
    t.match(found, { verdict: 'VIOLATED', decision: { enforcementAction: 'ALLOW' } });
    t.match(found.witness.tool, /^[a-c]{2}[0-9]*7-x$/);
  },
);

t.test('Z3 matches texts with patterns as the engine does', { timeout: 300_000 }, async (t) => {
  const patterns = [
    'a',
    '^a|b$',
    '^(a|b)+c?$',
    '(?i)^K[a-z]s',
    '[^a-c]',
    '^\\d{2,3}-\\w*$',
    '\\s',
    '^$',
    'a.b',
    '(?i)[^k]$',
    '^(?:x{2}|y{1,})*$',
    'a\\.b',
    '^.*$',
    '\\S\\W\\D',
  ];
  const texts = [
    '',
    'a',
    'b',
    'aac',
    'KxS',
    'k\u017fs',
    '\u212a',
    '12-',
    '123-a_',
    ' ',
    'a\nb',
    'a.b',
    'xxyy',
    'xyx',
    '\ud83d\ude00',
    '\t. ',
  ];
  for (const pattern of patterns) {
    const symbols = new Symbols();
    const said = texts.map((value, index) => {
      const name = symbols.text(`x${index}`, null);
      const matches = textIs(name, 'matches', pattern);
      const isMatched = allHold([matches], {
        flags: new Map(),
        numbers: new Map(),
        texts: new Map([[name, value]]),
      });
      return and(textIs(name, 'is', value), isMatched ? matches : not(matches));
    });
    // One that Z3 matches in another way makes all of it impossible.
    t.match(await z3.answer({ formulas: said, symbols }), { kind: 'sometimes' }, pattern);
  }
});

t.test(
  `Z3 shows nothing that a subject of a small world contradicts (PROOF_SEED=${seed})`,
  { timeout: 300_000 },
  async (t) => {
    const random = new Random(seed + 3);
    const all = subjects(random);
    const found = { never: 0, sometimes: 0, unknown: 0 };
    for (let index = 0; index < cases; index++) {
      const few = [random.pick(leaves), random.pick(leaves), random.pick(leaves)];
      const when = condition(random, 3, few);
      const proved = read(
        `${head}rules:\n  - { id: one, on: [ACTION, RESULT], effect: WARN, when: ${JSON.stringify(when)} }\n`,
      );
      const model = new Model();
      const [[rule]] = model.decisionOf([proved]).rules;
      const outcomes = all.map((given) => {
        const [violation] = decide([proved.policy], testSubject(given, [])).violations;
        return violation === undefined ? 'no' : violation.reason === 'rule_error' ? 'error' : 'yes';
      });
      for (const [outcome, formula] of [
        ['yes', rule.matches],
        ['error', rule.fails],
        ['no', and(rule.applies, not(rule.matches), not(rule.fails))],
      ]) {
        const { kind } = await prove(ask(model, formula), z3);
        found[kind] += 1;
        const at = outcomes.indexOf(outcome);
        if (kind === 'never' && at >= 0) t.fail(`${when} is never ${outcome}: ${JSON.stringify(all[at])}`);
      }
    }
    t.comment(JSON.stringify(found));
    t.ok(found.never > 0 && found.sometimes > 0, JSON.stringify(found));
  },
);

t.test('the command finds the package in its folder', { timeout: 300_000 }, async (t) => {
  const file = join(folder, 'p.yaml');
  writeFileSync(
    file,
    `schemaVersion: 1\nname: p\nrules:\n  - { id: a, effect: BLOCK, when: 'tool.matches("^a+$")' }\nproperties:\n  - { name: q, when: 'tool.matches("^(aa)+$")', holds: 'decision.enforcementAction == "BLOCK"' }\n`,
  );
  const before = process.cwd();
  process.chdir(folder);
  t.teardown(() => process.chdir(before));
  let output = '';
  const code = await provePolicies([file], { json: true, write: (text) => (output += text) });
  t.equal(code, 0);
  t.match(JSON.parse(output), { solver: 'z3', files: [{ properties: [{ verdict: 'PROVED' }] }] });
});
