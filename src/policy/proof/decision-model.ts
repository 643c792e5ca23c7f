import type { CheckedExpression } from '../../cel/index.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import { enforcementActions, phases, severities } from '../../schemas/words.ts';
import { assemblePolicy, type CompiledPolicy, phaseBit } from '../compile-policy.ts';
import type { CheckedCounter } from '../counters/check-expressions.ts';
import { readablePath } from '../document/policy-issue.ts';
import { readDocument } from '../document/read-document.ts';
import {
  atOnce,
  type CheckedExpressions,
  checkExpressions,
  expressionSource,
  preparingPatterns,
} from '../expressions.ts';
import { boundParams, valuesOf } from '../params.ts';
import type { Scope } from './computation-keys.ts';
import { Translation } from './expression.ts';
import { and, constantSum, type Formula, flag, less, no, not, or, textIs, yes } from './formula.ts';
import { inPhase, SubjectModel } from './subject-model.ts';
import { Symbols } from './symbols.ts';
import { always, type Cases, type Outcome, outcomeOf, type Value } from './value.ts';

/** A policy to prove something about, as it decides where it is enforced. */
export interface ProvedPolicy {
  readonly document: PolicyDocument;
  readonly expressions: CheckedExpressions;
  readonly policy: CompiledPolicy;
}

/** Reads a policy that passes its check; the text of its first mistake for any other. */
export function provedPolicy(text: string, given?: Readonly<Record<string, unknown>>): ProvedPolicy | string {
  const { value, issues } = readDocument(text);
  const mistake = (message: string): string => message;
  if (issues[0]) return mistake(issues[0].message);
  const { params = {}, ...source } = expressionSource(value, new Set());
  const bound = boundParams(params, given ?? {});
  const found =
    given === undefined ? [] : bound.mistakes.map(({ name, message }) => `params.${name}: ${message}`);
  const declared = given === undefined ? params : bound.declared;
  const expressions = checkExpressions({ ...source, params: declared }, (path, { message }) =>
    found.push(`${readablePath(path)}: ${message}`),
  );
  if (found[0] !== undefined) return found[0];
  atOnce(preparingPatterns(expressions));
  const document = { ...(value as PolicyDocument), params: valuesOf(declared) };
  const identity = { policyId: document.name, policyVersion: 1 };
  return {
    document,
    expressions,
    policy: assemblePolicy(document, expressions, identity, { mode: 'ENFORCE' }),
  };
}

/** When a rule applies, matches and fails. */
export interface RuleModel {
  readonly id: string;
  readonly applies: Formula;
  readonly matches: Formula;
  readonly fails: Formula;
}

/** The decision of several policies together. */
export interface DecisionModel {
  /** By index in `enforcementActions`: when the action gets at least this one. */
  readonly atLeast: readonly Formula[];
  /** By index in `severities`: when the highest finding has at least this one. */
  readonly severityAtLeast: readonly Formula[];
  /** The rules of each policy, in its order. */
  readonly rules: readonly (readonly RuleModel[])[];
  /** The findings of each policy. */
  readonly findings: readonly (readonly Finding[])[];
  /** By index in `enforcementActions`: when some of the findings alone lead to at least this one, with the escalations and floors of all policies. */
  atLeastBy(findings: readonly Finding[]): readonly Formula[];
  /** The ids of rules and counters that find something. */
  readonly found: ReadonlyMap<string, Formula>;
  /** Labels that the session gets if the action is let through. */
  readonly labels: ReadonlyMap<string, Formula>;
}

/** Something that a rule or counter reports, before floors. */
export interface Finding {
  readonly id: string;
  /** The index of the rule; null for a counter. */
  readonly rule: number | null;
  /** Whether the rule matched; false for a failure. */
  readonly isMatch: boolean;
  readonly when: Formula;
  readonly effect: number;
  readonly severity: number;
}

/** The variables of a proof, and what expressions of policies mean in them. */
export class Model {
  readonly symbols = new Symbols();
  readonly subject = new SubjectModel(this.symbols);
  readonly #left: Scope['left'];

  /** `left`: the nodes of expressions that may still be translated. */
  constructor(left: Scope['left'] = { nodes: 400_000 }) {
    this.#left = left;
  }

  /** Reads expressions of a policy; `given` takes the place of parts of the subject. */
  translation(
    { expressions, policy, document }: ProvedPolicy,
    given: ReadonlyMap<string, Cases> = new Map(),
  ): Translation {
    return new Translation({
      symbols: this.symbols,
      subject: this.subject,
      params: policy.params,
      variables: expressions.variables,
      given,
      left: this.#left,
      counter: (name) => {
        const counter = policy.counters.find((one) => one.name === name);
        const documented = document.counters?.[name];
        if (!counter || !documented) return null;
        return {
          definition: counter.identity,
          isInt: documented.add === undefined,
          isSplit: counter.per !== null,
          isBounded: counter.per !== null || documented.distinct !== undefined,
        };
      },
    });
  }

  decisionOf(policies: readonly ProvedPolicy[], given?: ReadonlyMap<string, Cases>): DecisionModel {
    const all = policies.map((proved) => this.#policy(proved, given));
    const labels = new Map<string, Formula>();
    let steps: readonly Formula[] = [yes, no, no, no];
    for (const { policy, rules } of all) {
      for (const [index, { matches, fails }] of rules.entries()) {
        const { labels: its, escalate } = policy.rules[index] as CompiledPolicy['rules'][number];
        const happens = or(matches, fails);
        for (const label of its) labels.set(label, or(labels.get(label) ?? no, happens));
        if (escalate > 0) steps = raisedBy(steps, escalate, happens);
      }
    }
    const findings = all.flatMap((one) => one.findings);
    return {
      rules: all.map(({ rules }) => rules),
      findings: all.map((one) => one.findings),
      labels,
      ...concluded(findings, steps, policies),
    };
  }

  #policy(proved: ProvedPolicy, given?: ReadonlyMap<string, Cases>) {
    const { policy, expressions } = proved;
    const translation = this.translation(proved, given);
    const findings: Finding[] = [];
    const rules = policy.rules.map((rule, index): RuleModel => {
      const { when, message = [] } = expressions.rules[index] ?? {};
      const applies = this.#applies(rule);
      const outcome = translation.condition(when as CheckedExpression);
      const [matches, fails] = [and(applies, outcome.holds), and(applies, outcome.fails)];
      const base = { id: rule.id, rule: index, isMatch: false, severity: rule.severity };
      findings.push({ ...base, when: fails, effect: policy.onError });
      if (rule.escalate === 0 && rule.effect >= 0) {
        findings.push({ ...base, isMatch: true, when: matches, effect: rule.effect });
        // A message that fails takes onError where that is stricter.
        const shown = policy.onError > rule.effect ? message.filter((part) => typeof part !== 'string') : [];
        for (const part of shown)
          findings.push({
            ...base,
            when: and(matches, failing(translation.value(part))),
            effect: policy.onError,
          });
      }
      return { id: rule.id, applies, matches, fails };
    });
    for (const [name, checked] of expressions.counters) {
      const when = this.#counterFails(proved, name, checked, translation);
      findings.push({
        id: `counters.${name}`,
        rule: null,
        isMatch: false,
        when,
        effect: policy.onError,
        severity: medium,
      });
    }
    return { policy, rules, findings };
  }

  /** The decision as expressions read it: `decision.enforcementAction`, `decision.severity` and `decision.rules`. */
  decisionCases({ atLeast, severityAtLeast, found }: DecisionModel): Map<string, Cases> {
    const exactly = (all: readonly Formula[], index: number): Formula =>
      and(all[index] as Formula, not(all[index + 1] ?? no));
    const word = (text: string): Value => ({ kind: 'text', text: { constant: text } });
    return new Map<string, Cases>([
      [
        'decision.enforcementAction',
        enforcementActions.map((one, index) => ({ when: exactly(atLeast, index), value: word(one) })),
      ],
      [
        'decision.severity',
        [
          { when: not(severityAtLeast[0] as Formula), value: { kind: 'null' } },
          ...severities.map((one, index) => ({ when: exactly(severityAtLeast, index), value: word(one) })),
        ],
      ],
      [
        'decision.rules',
        always({
          kind: 'texts',
          set: {
            name: 'decision.rules',
            has: (text) =>
              'constant' in text
                ? (found.get(text.constant) ?? no)
                : or(...[...found].map(([id, when]) => and(textIs(text.variable, 'is', id), when))),
            size: this.subject.setOf('decision.rules').size,
          },
        }),
      ],
    ]);
  }

  #applies({ phases: bits, tools }: CompiledPolicy['rules'][number]): Formula {
    this.subject.read('phase');
    const inItsPhase = phases.filter((phase) => (bits & phaseBit(phase)) !== 0).map(inPhase);
    if (tools === null) return or(...inItsPhase);
    this.subject.read('tool');
    return and(or(...inItsPhase), or(...[...tools].map((tool) => textIs('tool', 'is', tool))));
  }

  /** When an action cannot be counted. */
  #counterFails(
    { document, policy }: ProvedPolicy,
    name: string,
    checked: CheckedCounter,
    translation: Translation,
  ): Formula {
    const { on = 'ACTION' } = document.counters?.[name] ?? {};
    const counter = policy.counters.find((one) => one.name === name);
    const fails: Formula[] = [];
    if (checked.settle) fails.push(and(inPhase('RESULT'), this.#unmodelledFlag(`counters.${name}.settle`)));
    if (counter?.readsDecision)
      return or(...fails, and(inPhase(on), this.#unmodelledFlag(`counters.${name}.where`)));
    const whether = (key: 'where' | 'reset', otherwise: Formula): Outcome =>
      checked[key] ? translation.condition(checked[key]) : { holds: otherwise, fails: no };
    const [selects, resets] = [whether('where', yes), whether('reset', no)];
    const counts = and(not(resets.fails), not(selects.fails));
    const ofKey = checked.per && this.#isNoKey(translation.value(checked.per), `counters.${name}.per`);
    const ofAmount = checked.add && notAmount(translation.value(checked.add));
    const ofValue =
      checked.distinct && this.#isNoKey(translation.value(checked.distinct), `counters.${name}.distinct`);
    return or(
      ...fails,
      and(
        inPhase(on),
        or(
          resets.fails,
          selects.fails,
          and(counts, or(resets.holds, selects.holds), ofKey ?? no),
          and(counts, selects.holds, or(ofAmount ?? no, ofValue ?? no)),
        ),
      ),
    );
  }

  #unmodelledFlag(source: string): Formula {
    const name = this.symbols.flag(`fails ${source}`);
    this.symbols.unmodelled.set(name, { source });
    return flag(name);
  }

  /** A text of more than 1,000 characters is no key; how long a text is is not modelled. */
  #isNoKey(cases: Cases, source: string): Formula {
    const tooLong = this.#unmodelledFlag(`${source} is too long`);
    return or(
      ...cases.map(({ when, value }) => {
        if (value.kind === 'number' || value.kind === 'bool') return no;
        if (value.kind === 'text') return 'constant' in value.text ? no : and(when, tooLong);
        return when;
      }),
    );
  }
}

const medium = severities.indexOf('MEDIUM');
const approval = enforcementActions.indexOf('APPROVAL_REQUIRED');
const block = enforcementActions.indexOf('BLOCK');

const failing = (cases: Cases): Formula =>
  outcomeOf(cases.filter(({ value }) => value.kind === 'error')).fails;

/** An amount is a number from 0 to 10^15. */
const notAmount = (cases: Cases): Formula =>
  or(
    ...cases.map(({ when, value }) =>
      value.kind === 'number'
        ? and(when, or(less(value.sum, constantSum(0), true), less(constantSum(1e15), value.sum, true)))
        : when,
    ),
  );

/** When severities rise by at least so many steps, by index. */
const raisedBy = (steps: readonly Formula[], by: number, when: Formula): Formula[] =>
  steps.map((before, count) => or(before, and(when, steps[Math.max(0, count - by)] as Formula)));

function concluded(
  findings: readonly Finding[],
  steps: readonly Formula[],
  policies: readonly ProvedPolicy[],
): Pick<DecisionModel, 'atLeast' | 'atLeastBy' | 'severityAtLeast' | 'found'> {
  const floors = severities.map((_, index) =>
    Math.max(0, ...policies.map(({ policy }) => policy.floors[index] as number)),
  );
  const rises = ({ severity, when }: Finding, to: number): Formula =>
    severity >= to ? when : and(when, steps[Math.min(to - severity, steps.length - 1)] as Formula);
  const gets = (finding: Finding, action: number): Formula => {
    if (finding.effect >= action) return finding.when;
    const from = floors.findIndex((floor) => floor >= action);
    return from < 0 ? no : rises(finding, from);
  };
  const atLeastBy = (some: readonly Finding[]): readonly Formula[] => {
    const atLeast = enforcementActions.map((_, action) =>
      action === 0 ? yes : or(...some.map((finding) => gets(finding, action))),
    );
    // A result cannot wait for approval.
    atLeast[block] = or(atLeast[block] as Formula, and(inPhase('RESULT'), atLeast[approval] as Formula));
    return atLeast;
  };
  const found = new Map<string, Formula>();
  for (const { id, when } of findings) found.set(id, or(found.get(id) ?? no, when));
  return {
    atLeast: atLeastBy(findings),
    atLeastBy,
    severityAtLeast: severities.map((_, to) => or(...findings.map((finding) => rises(finding, to)))),
    found,
  };
}
