import { checkPolicyDocument, compileOnly } from '../../policy/document/check-policy-document.ts';
import { testBudget } from '../../policy/document/document-tests.ts';
import type { PolicyIssue } from '../../policy/document/policy-issue.ts';
import { type ReportAt, readDocument } from '../../policy/document/read-document.ts';
import { epochMs, testSubject } from '../../policy/document/test-subject.ts';
import type { CheckedProperty } from '../../policy/expressions.ts';
import { compareVersions, type Difference } from '../../policy/proof/compare.ts';
import { type ProvedPolicy, provedPolicy } from '../../policy/proof/decision-model.ts';
import { ruleWarnings } from '../../policy/proof/findings.ts';
import { fails, type PropertyResult, proveProperty } from '../../policy/proof/property.ts';
import { type Proof, proveByIntervals } from '../../policy/proof/question.ts';
import { outweighedRules } from '../../policy/proof/together.ts';
import type { PolicyMode } from '../../schemas/decisions.ts';
import type { PolicyTestStep } from '../../schemas/policy-tests.ts';
import { createMemoryRecord } from './policy-tests/memory-record.ts';
import { createStepEvaluator } from './policy-tests/step-evaluator.ts';
import type { PolicyDifference, PolicyProof, ProvedProperty } from './schema.ts';

/** A policy document, and the terms by which it applies. Plain data. */
export interface AppliedPolicy {
  readonly text: string;
  /** Values of a binding; absent for the defaults of the document. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The mode of the binding; null keeps the mode of the document. */
  readonly mode?: PolicyMode | null;
}

/** A policy that was read, to prove something about. */
export interface ReadPolicy {
  readonly proved: ProvedPolicy;
  readonly report: ReportAt;
  /** Whether it decides where it applies, and not only reports. */
  readonly isEnforced: boolean;
}

/** Reads a policy; the text of its first mistake for one that cannot decide. */
export function readForProof({ text, params, mode = null }: AppliedPolicy): ReadPolicy | string {
  // A misspelt key would be proved about as if it were not there.
  const [issue] = checkPolicyDocument(text, compileOnly).issues;
  const proved = issue?.message ?? provedPolicy(text, params);
  if (typeof proved === 'string') return proved;
  const isEnforced = (mode ?? proved.document.mode ?? 'ENFORCE') === 'ENFORCE';
  return { proved, report: readDocument(text).report, isEnforced };
}

/** The findings about one policy, in its own words. */
export interface Proved {
  rules: PolicyIssue[];
  properties: ({ name: string; line: number; column: number } & (PropertyResult | RepeatedViolation))[];
}

/** Proves what can be said of one of the policies that decide together. `ruleSteps`: the work for its rules, by intervals alone. */
export function* proofOf(policies: readonly ReadPolicy[], index: number, ruleSteps: number): Proof<Proved> {
  const { proved, report } = policies[index] as ReadPolicy;
  const all = policies.map((one) => one.proved);
  const others = all.filter((one) => one !== proved);
  // Pairs of rules are many: a solver would take long for what intervals say of nearly all of them.
  const steps = { left: ruleSteps };
  const rules = proveByIntervals(
    ruleWarnings(proved, () => false, report),
    steps,
    ruleSteps / 100,
  );
  const named = new Set(rules.flatMap(({ path }) => [path, path.replace(/\/when$/, '')]));
  const outweighed =
    others.length === 0 ? [] : proveByIntervals(outweighedRules(all, index, report), steps, ruleSteps / 100);
  rules.push(...outweighed.filter(({ path }) => !named.has(path)));
  const properties: Proved['properties'] = [];
  for (const [place, { name }] of (proved.document.properties ?? []).entries()) {
    const found = yield* proveProperty(proved, place, { others });
    const { line, column } = report(['properties', place], { code: '', message: '' });
    const result = violatedByRepeating(proved, place, { found, others }) ?? found;
    properties.push({ name, line, column, ...result });
  }
  return { rules: rules.sort((one, two) => one.line - two.line || one.column - two.column), properties };
}

/** Steps of the search: one to three seconds for large policies. */
const mostSteps = 1_000_000;

/** The mistake of a policy in force that cannot decide. */
export interface CannotDecide {
  cannotDecide: string;
}

/** Policies that apply together: proves what can be said of the one at `index`, and compares all with those before. Plain data. */
export interface ProveJob {
  policies: readonly AppliedPolicy[];
  index: number;
  before: readonly AppliedPolicy[] | null;
}

/** The findings as plain data, in bounded time. */
export function provePolicy({ policies, index, before }: ProveJob): PolicyProof | CannotDecide {
  const steps = { left: mostSteps };
  const bounded = <Result>(proof: Proof<Result>): Result => proveByIntervals(proof, steps, mostSteps / 10);
  const [read, readBefore] = [readAll(policies), readAll(before ?? [])];
  if (!Array.isArray(read)) return read;
  if (!Array.isArray(readBefore)) return readBefore;
  const subject = read[index] as ReadPolicy;
  const enforced = (all: readonly ReadPolicy[]) => all.filter(({ isEnforced }) => isEnforced);
  const deciding = subject.isEnforced ? enforced(read) : [subject];
  const { rules, properties } = bounded(proofOf(deciding, deciding.indexOf(subject), mostSteps / 2));
  const provedOf = (all: readonly ReadPolicy[]) => enforced(all).map(({ proved }) => proved);
  const comparison = before && bounded(compareVersions(provedOf(readBefore), provedOf(read)));
  return {
    monitored: !subject.isEnforced,
    rules,
    properties: properties.map(propertyResponse),
    comparison: comparison && {
      ...comparison,
      stricter: differenceResponse(comparison.stricter),
      laxer: differenceResponse(comparison.laxer),
      notModelled: [...comparison.notModelled],
    },
  };
}

function readAll(policies: readonly AppliedPolicy[]): ReadPolicy[] | CannotDecide {
  const all: ReadPolicy[] = [];
  for (const policy of policies) {
    const read = readForProof(policy);
    if (typeof read === 'string') return { cannotDecide: read };
    all.push(read);
  }
  return all;
}

const differenceResponse = (difference: Difference | null): PolicyDifference | null =>
  difference && { given: { ...difference.witness }, before: difference.before, after: difference.after };

function propertyResponse(found: Proved['properties'][number]): ProvedProperty {
  const { name, line, column, verdict } = found;
  const base = {
    name,
    line,
    column,
    verdict,
    given: null,
    times: null,
    enforcementAction: null,
    notModelled: [],
  };
  if ('step' in found) {
    const { times = 1, expect: _, ...given } = found.step;
    return { ...base, given, times };
  }
  if (found.verdict === 'UNKNOWN')
    return {
      ...base,
      given: found.induction ? { ...found.induction } : null,
      notModelled: [...found.notModelled],
    };
  if (found.verdict === 'PROVED') return base;
  const enforcementAction = found.verdict === 'VIOLATED' ? found.decision.enforcementAction : null;
  return { ...base, given: { ...found.witness }, enforcementAction };
}

/** A property of sessions that a new session loses when it does one thing over and over, as the engine recorded it. */
export interface RepeatedViolation {
  readonly verdict: 'VIOLATED';
  readonly step: PolicyTestStep;
}

/** Repetitions at most: limits of policies are mostly below it. */
const most = 300;

/** Does the action after which a property may stop holding, again and again in a new session; null when the property goes on to hold. */
function violatedByRepeating(
  proved: ProvedPolicy,
  index: number,
  { found, others }: { found: PropertyResult; others: readonly ProvedPolicy[] },
): RepeatedViolation | null {
  if (found.verdict !== 'UNKNOWN' || !found.induction) return null;
  const { phase = 'ACTION', tool = '', input = {}, dataTags = [], toolEffect } = found.induction;
  if (phase !== 'ACTION') return null;
  const property = proved.expressions.properties[index] as CheckedProperty;
  const record = createMemoryRecord();
  const tools = toolEffect && tool !== '' ? [{ name: tool, effect: toolEffect }] : [];
  const policies = [proved, ...others].map(({ policy }) => policy);
  const evaluate = createStepEvaluator({ policies, integration: {}, tools, budget: testBudget() }, record);
  const at = epochMs('2026-01-01T12:00:00Z');
  for (let times = 1; times <= most; times++) {
    const evaluated = evaluate({
      phase,
      at,
      session: { name: 'main', entityId: null, metadata: '{}', parent: null },
      tool,
      input,
      targetKey: null,
      dataTags,
      resultOf: null,
      resultStatus: null,
      cost: null,
      identity: null,
      reviewRequestId: null,
    });
    const session = record.sessionNamed('main', at);
    if (typeof evaluated === 'string' || session === null) return null;
    if (!fails(proved, property, { ...testSubject({}, []), session })) continue;
    const step = { times, ...(tool !== '' && { tool }), input, ...(dataTags.length > 0 && { dataTags }) };
    return { verdict: 'VIOLATED', step };
  }
  return null;
}
