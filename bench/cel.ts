import { celEnv, parse, plan } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { Environment } from '@marcbachmann/cel-js';
import { type CheckedExpression, check, compile, createBudget } from '../src/cel/index.ts';
import { printHostile } from './cel-hostile.ts';
import {
  activation,
  bigintActivation,
  heavierRules,
  hundredRules,
  simpleRules,
  variables,
} from './cel-rules.ts';
import { nanoseconds } from './measure.ts';

// Speed of the policy language beside two other implementations, in one process: nanoseconds a rule, microseconds for
// a hundred, microseconds to check and compile one. The types of the variables are known to ours alone.

const bufbuildEnv = celEnv({ funcs: strings });
const marcbachmannEnv = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
// The engine of this service gives the params of a policy the same way.
const constants = { params: activation.params };
const bigints = bigintActivation as Record<string, never>;

function checked(rule: string): CheckedExpression {
  const result = check(rule, { variables });
  if (!result.ok) throw new Error(`${rule}: ${result.issues[0]?.message}`);
  return result.expression;
}

type Runner = () => unknown;

const ours = (rule: string): Runner => {
  const program = compile(checked(rule), constants);
  const budget = createBudget(Number.MAX_SAFE_INTEGER);
  return () => program.run(activation, budget);
};

/** Null where the library cannot run the rule. */
const orNull = (create: () => Runner): Runner | null => {
  try {
    const runner = create();
    const result = runner();
    return typeof result === 'boolean' ? runner : null;
  } catch {
    return null;
  }
};

const marcbachmann = (rule: string): Runner | null =>
  orNull(() => {
    const program = marcbachmannEnv.parse(rule);
    return () => program(bigints);
  });

const bufbuild = (rule: string): Runner | null =>
  orNull(() => {
    const program = plan(bufbuildEnv, parse(rule));
    return () => program(bigints);
  });

const cell = (value: number | null): string => (value === null ? 'cannot' : value.toFixed(1)).padStart(10);
const time = (runner: Runner | null): number | null => (runner === null ? null : nanoseconds(runner));

console.log('nanoseconds a run             ours   cel-js bufbuild');
for (const rule of [...simpleRules, ...heavierRules]) {
  console.log(
    `${[ours(rule), marcbachmann(rule), bufbuild(rule)].map((runner) => cell(time(runner))).join('')}  ${rule}`,
  );
}

function together(create: (rule: string) => Runner | null): number | null {
  const runners = hundredRules.map(create).filter((runner) => runner !== null);
  const all = nanoseconds(() => {
    let hits = 0;
    for (const run of runners) if (run() === true) hits += 1;
    return hits;
  });
  return runners.length === 0 ? null : (all / runners.length / 1000) * 100;
}

console.log('\nmicroseconds for 100 rules over a full context');
console.log([ours, marcbachmann, bufbuild].map((create) => cell(together(create))).join(''));

function build(rules: readonly string[], create: (rule: string) => unknown): number {
  let next = 0;
  return (
    nanoseconds(() => {
      next = (next + 1) % rules.length;
      return create(rules[next] as string);
    }) / 1000
  );
}

console.log('\nmicroseconds to make a rule ready (ours: check and compile)');
const buildable = simpleRules.filter((rule) => !rule.includes('[?'));
console.log(
  [
    build([...simpleRules, ...heavierRules], (rule) => compile(checked(rule), constants)),
    build(buildable, (rule) => marcbachmannEnv.parse(rule)),
    build(buildable, (rule) => plan(bufbuildEnv, parse(rule))),
  ]
    .map(cell)
    .join(''),
);

printHostile();
