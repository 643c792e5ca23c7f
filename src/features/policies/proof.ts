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
import type { SessionContext } from '../../schemas/session-context.ts';
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
  properties: ({ name: string; line: number; column: number } & (PropertyResult | ViolatingSession))[];
}

/** How a policy is proved. */
export interface ProofTerms {
  /** The work for its rules, by intervals alone. */
  ruleSteps: number;
  /** Whether the policies are all that hold actions; false for a policy that is proved alone, because others may. */
  isWhole: boolean;
}

/** Proves what can be said of one of the policies that decide together. */
export function* proofOf(
  policies: readonly ReadPolicy[],
  index: number,
  { ruleSteps, isWhole }: ProofTerms,
): Proof<Proved> {
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
    const found = yield* proveProperty(proved, place, isWhole ? { others } : {});
    const { line, column } = report(['properties', place], { code: '', message: '' });
    const result = violatingSession(proved, place, { found, others }) ?? found;
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
  /** Whether `policies` are all that are in force. */
  isWhole: boolean;
}

/** The findings as plain data, in bounded time. */
export function provePolicy({ policies, index, before, isWhole }: ProveJob): PolicyProof | CannotDecide {
  const steps = { left: mostSteps };
  const bounded = <Result>(proof: Proof<Result>): Result => proveByIntervals(proof, steps, mostSteps / 4);
  const [read, readBefore] = [readAll(policies), readAll(before ?? [])];
  if (!Array.isArray(read)) return read;
  if (!Array.isArray(readBefore)) return readBefore;
  const subject = read[index] as ReadPolicy;
  const enforced = (all: readonly ReadPolicy[]) => all.filter(({ isEnforced }) => isEnforced);
  const deciding = subject.isEnforced ? enforced(read) : [subject];
  const terms = { ruleSteps: mostSteps / 2, isWhole: isWhole && subject.isEnforced };
  const { rules, properties } = bounded(proofOf(deciding, deciding.indexOf(subject), terms));
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
    steps: null,
    enforcementAction: null,
    notModelled: [],
  };
  if ('steps' in found) return { ...base, steps: found.steps.map((step) => ({ ...step })) };
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

/** The steps of a new session that loses a property of sessions, as the engine recorded them. */
export interface ViolatingSession {
  readonly verdict: 'VIOLATED';
  readonly steps: readonly PolicyTestStep[];
}

/** Repetitions at most: limits of policies are mostly below it. */
const most = 300;
/** Tools whose calls are tried in every order, and calls at most before the last action. */
const mostOrdered = 4;
const mostCalls = 1_000;

/**
 * Does the action after which a property may stop holding: again and again in a new session, and in one that has made the calls which
 * are counted there, in any order. Null when the property goes on to hold.
 */
function violatingSession(
  proved: ProvedPolicy,
  index: number,
  { found, others }: { found: PropertyResult; others: readonly ProvedPolicy[] },
): ViolatingSession | null {
  if (found.verdict !== 'UNKNOWN' || !found.induction) return null;
  const { phase = 'ACTION', tool = '', input = {}, dataTags = [], toolEffect, session } = found.induction;
  if (phase !== 'ACTION') return null;
  const tools = toolEffect && tool !== '' ? [{ name: tool, effect: toolEffect }] : [];
  const policies = [proved, ...others].map(({ policy }) => policy);
  const property = proved.expressions.properties[index] as CheckedProperty;
  const decided = { policies, integration: {}, tools, budget: testBudget() };
  const last = { ...(tool !== '' && { tool }), input, ...(dataTags.length > 0 && { dataTags }) };
  // A tool that was used has a count, whatever the witness says.
  const calls = Object.entries(session?.toolCounts ?? {}).map(([name, times]) => ({
    ...(times > 1 && { times }),
    tool: name,
    input: {},
  }));
  const isTried =
    calls.length <= mostOrdered && calls.reduce((all, { times = 1 }) => all + times, 0) <= mostCalls;
  const before = isTried && calls.length > 0 ? ordersOf(calls) : [];
  for (const steps of [[{ times: most, ...last }], ...before.map((order) => [...order, last])]) {
    const violating = stepsUntil(decided, steps, (one) =>
      fails(proved, property, { ...testSubject({}, []), session: one }),
    );
    if (violating) return { verdict: 'VIOLATED', steps: violating };
  }
  return null;
}

type Call = Pick<PolicyTestStep, 'times' | 'tool' | 'input' | 'dataTags'>;

function ordersOf(calls: readonly Call[]): Call[][] {
  if (calls.length === 0) return [[]];
  return calls.flatMap((first) =>
    ordersOf(calls.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  );
}

/** The steps up to the one after which a new session is as wanted; null when it never is. */
function stepsUntil(
  decided: Parameters<typeof createStepEvaluator>[0],
  steps: readonly Call[],
  isWanted: (session: SessionContext) => boolean,
): PolicyTestStep[] | null {
  const record = createMemoryRecord();
  const evaluate = createStepEvaluator(decided, record);
  const at = epochMs('2026-01-01T12:00:00Z');
  for (const [place, { times = 1, ...call }] of steps.entries()) {
    for (let done = 1; done <= times; done++) {
      const evaluated = evaluate({
        phase: 'ACTION',
        at,
        session: { name: 'main', entityId: null, metadata: '{}', parent: null },
        tool: call.tool ?? '',
        input: call.input ?? {},
        targetKey: null,
        dataTags: call.dataTags ?? [],
        resultOf: null,
        resultStatus: null,
        cost: null,
        identity: null,
        reviewRequestId: null,
      });
      const session = record.sessionNamed('main', at);
      if (typeof evaluated === 'string' || session === null) return null;
      if (isWanted(session)) return [...steps.slice(0, place), { ...(done > 1 && { times: done }), ...call }];
    }
  }
  return null;
}
