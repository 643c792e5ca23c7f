import { type Budget, type CheckedExpression, compile, type Program } from '../cel/index.ts';
import type { EnforcementAction, Phase, PolicyMode, Severity } from '../schemas/decisions.ts';
import type { CustomDetector, PolicyDocument } from '../schemas/policy-documents.ts';
import type { PolicyRule } from '../schemas/policy-rules.ts';
import { type GrantTerms, plainTerms, type ReviewTerms } from '../schemas/review-terms.ts';
import { enforcementActions, phases, severities } from '../schemas/words.ts';
import { type CounterLimit, knownOf, limitsOf } from './analysis/conditions.ts';
import { type CompiledCounter, compileCounter } from './counters/compile-counter.ts';
import { type BindCounters, compileBinding } from './counters/read-counters.ts';
import { lengthMs } from './counters/window.ts';
import type { DocumentPath } from './document/policy-issue.ts';
import type { ListEntries } from './environment.ts';
import {
  atOnce,
  type CheckedExpressions,
  type CheckedRule,
  checkingExpressions,
  expressionSource,
  type MessagePart,
  preparingPatterns,
} from './expressions.ts';
import { boundParams, valuesOf } from './params.ts';
import { type CallRead, callRead, inputPathsRead, namesMentioned, pathsRead } from './reads.ts';
import { normalized } from './tool-calls.ts';

/** How long a review can be decided when no policy says it. */
export const defaultReviewExpirySeconds = 900;

/** A message: a text, or pieces that are joined when the rule matches. */
export type CompiledMessage = string | readonly (string | Program)[];

export interface CompiledRule {
  readonly id: string;
  readonly name: string;
  /** null: every tool. */
  readonly tools: ReadonlySet<string> | null;
  /** The phases it applies to, as bits: `phaseBit` of each. */
  readonly phases: number;
  readonly when: Program;
  readonly callRead: CallRead;
  /** Index in `enforcementActions`; -1 for a rule that escalates or only labels. */
  readonly effect: number;
  /** Steps; 0 for a rule with an effect, and for one that only labels. */
  readonly escalate: number;
  readonly labels: readonly string[];
  /** Index in `severities`. */
  readonly severity: number;
  /** The approvals that an action needs which it holds. */
  readonly terms: ReviewTerms;
  /** Life of a review; null for that of the policy. */
  readonly expirySeconds: number | null;
  /** The later actions that an approval covers; null for none. */
  readonly grant: GrantTerms | null;
  readonly reason: string;
  readonly message: CompiledMessage;
}

/** A policy version ready to decide. Immutable, and shared by all evaluations. */
export interface CompiledPolicy {
  readonly policyId: string;
  readonly policyName: string;
  readonly policyVersion: number;
  readonly mode: PolicyMode;
  /**
   * The parts of the subject its rules can read: `input`, `tool`, `session.recentActions`, … A caller may leave the
   * rest empty.
   */
  readonly reads: ReadonlySet<string>;
  /** The places of `input` and `arguments` that its rules and counters can read: `['input', 'amount']`. */
  readonly inputPaths: readonly (readonly string[])[];
  /** False when nothing that it finds can hold an action, whatever the other policies do. */
  readonly canHold: boolean;
  /** The names of tools it could look for. */
  readonly toolNames: ReadonlySet<string>;
  /** To be run over every action of an integration this policy is bound to. */
  readonly detectors: readonly CustomDetector[];
  /** Life of a review this policy asks for. */
  readonly reviewExpirySeconds: number;
  /** Index in `enforcementActions`: what a rule that fails does. */
  readonly onError: number;
  /** By index in `severities`: index in `enforcementActions` of the least a finding of that severity does. */
  readonly floors: readonly number[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly lists: ListEntries;
  readonly bindVariables: BindVariables;
  readonly rules: readonly CompiledRule[];
  readonly counters: readonly CompiledCounter[];
  readonly bindCounters: BindCounters;
  /** For operators: no decision reads it. */
  readonly counterLimits: readonly CounterLimit[];
}

/** The policy and version of a document; every violation names both. */
export interface PolicyIdentity {
  policyId: string;
  policyVersion: number;
}

const holds = enforcementActions.indexOf('APPROVAL_REQUIRED');
const actionOnly: readonly Phase[] = ['ACTION'];
export const phaseBit = (phase: Phase): number => 1 << phases.indexOf(phase);

/** Everything besides the document that it is compiled with. */
export interface CompileOptions {
  /** See `compileCounter`. */
  digest?: (text: string) => string;
  /** Entries of the shared lists that it reads. When absent, a program reads those of its activation. */
  lists?: ListEntries;
  /** Instead of the document's own. */
  mode?: PolicyMode;
  /** The params of a binding. Without them, a param that has no default may go without a value. */
  given?: Readonly<Record<string, unknown>>;
}

/** A document without its tests and properties, by which nothing is decided. */
export type DecidingDocument = Omit<PolicyDocument, 'tests' | 'properties'>;

/** A document that does not pass its check, or not with these params. */
export class UncheckedPolicy extends Error {}

/** Compiles a document that has passed `checkPolicyDocument`; throws `UncheckedPolicy` on any other. */
export const compilePolicy = (
  ...[document, identity, options]: Parameters<typeof compilingPolicy>
): CompiledPolicy => atOnce(compilingPolicy(document, identity, options));

/** The same, with a pause after each rule and each pattern. */
export function* compilingPolicy(
  document: DecidingDocument,
  identity: PolicyIdentity,
  { given, ...options }: CompileOptions = {},
): Generator<void, CompiledPolicy> {
  const refuse = (path: DocumentPath, { message }: { message: string }): never => {
    throw new UncheckedPolicy(`the policy never passed its check: ${path.join('.')}: ${message}`);
  };
  const source = expressionSource(document, new Set());
  if (given && source.params) {
    const { declared, mistakes } = boundParams(source.params, given);
    for (const mistake of mistakes) refuse(['params', mistake.name], mistake);
    source.params = declared;
  }
  const checked = yield* checkingExpressions(source, refuse);
  yield* preparingPatterns(checked);
  return assemblePolicy({ ...document, params: valuesOf(source.params ?? {}) }, checked, identity, options);
}

/** The same for a document whose expressions are already checked and patterns prepared, and whose params are their values. */
export function assemblePolicy(
  document: PolicyDocument,
  checked: CheckedExpressions,
  identity: PolicyIdentity,
  { digest = (text) => text, lists, mode = document.mode ?? 'ENFORCE' }: CompileOptions = {},
): CompiledPolicy {
  const { params = {} } = document;
  const onError = enforcementActions.indexOf(document.onError ?? 'BLOCK');
  const floors = floorsOf(document.severityFloors ?? {});
  const constants = { params, ...(lists && { lists }) };
  const rules = document.rules.map((rule, index) =>
    compileRule(rule, checked.rules[index] as CheckedRule, callRead(checked, index), constants),
  );
  const counters = Object.entries(document.counters ?? {}).map(([name, counter]) =>
    compileCounter(name, counter, checked.counters.get(name) ?? {}, constants, digest),
  );
  const reads = pathsRead(checked);
  // Which record named a value is kept with where it was seen.
  if (rules.some(({ grant }) => grant?.same?.includes('origin'))) reads.add('seen');
  return {
    ...identity,
    policyName: document.name,
    mode,
    reads,
    inputPaths: inputPathsRead(checked),
    canHold: mode !== 'MONITOR' && [onError, ...floors, ...rules.map(({ effect }) => effect)].includes(holds),
    toolNames: namesMentioned(document, checked, params, lists ?? {}),
    detectors: document.detectors ?? [],
    reviewExpirySeconds: document.reviewExpirySeconds ?? defaultReviewExpirySeconds,
    onError,
    floors,
    params,
    lists: lists ?? {},
    bindVariables: compileVariables(checked.variables, constants),
    rules,
    counters,
    bindCounters: compileBinding(counters),
    counterLimits:
      counters.length === 0
        ? []
        : document.rules.flatMap((rule, index) => limitsOfRule(rule, checked, index, params)),
  };
}

function limitsOfRule(
  { id, effect }: PolicyRule,
  checked: CheckedExpressions,
  index: number,
  params: Readonly<Record<string, unknown>>,
): CounterLimit[] {
  const when = checked.rules[index]?.when as CheckedExpression;
  return limitsOf(when, knownOf(params, checked)).map((limit) => ({
    ...limit,
    ruleId: id,
    effect: effect ?? null,
  }));
}

function compileRule(
  rule: PolicyRule,
  checked: CheckedRule,
  callRead: CallRead,
  constants: object,
): CompiledRule {
  const name = rule.name ?? rule.id;
  return {
    id: rule.id,
    name,
    tools: rule.tool === undefined ? null : new Set([rule.tool].flat().map(normalized)),
    phases: (rule.on ?? actionOnly).reduce((bits, phase) => bits | phaseBit(phase), 0),
    when: compile(checked.when as CheckedExpression, constants),
    callRead,
    effect: rule.effect === undefined ? -1 : enforcementActions.indexOf(rule.effect),
    escalate: rule.escalate ?? 0,
    labels: [...new Set(rule.label ?? [])],
    severity: severities.indexOf(rule.severity ?? 'MEDIUM'),
    ...compileApproval(rule.approval),
    reason: rule.reason ?? rule.id.replaceAll('-', '_'),
    message: checked.message ? compileMessage(checked.message, constants) : `matched the rule "${name}"`,
  };
}

function compileApproval(
  approval: PolicyRule['approval'],
): Pick<CompiledRule, 'terms' | 'expirySeconds' | 'grant'> {
  if (!approval) return { terms: plainTerms, expirySeconds: null, grant: null };
  const { quorum = 1, from = [], notRequester = false, expiresIn, grant } = approval;
  return {
    terms: { requires: [{ quorum, from: [...new Set(from)] }], notRequester },
    expirySeconds: secondsOf(expiresIn),
    grant: grant
      ? { same: grant.same ?? null, seconds: secondsOf(grant.for), uses: grant.uses ?? null }
      : null,
  };
}

const secondsOf = (length: string | undefined): number | null =>
  length === undefined ? null : lengthMs(length) / 1_000;

function compileMessage(parts: readonly MessagePart[], constants: object): CompiledMessage {
  const compiled = parts.map((part) => (typeof part === 'string' ? part : compile(part, constants)));
  return compiled.every((part) => typeof part === 'string') ? compiled.join('') : compiled;
}

/**
 * A floor applies to its severity and to all above it. If it applied to its own only, escalating past it would make
 * the action less strict.
 */
function floorsOf(floors: Partial<Record<Severity, EnforcementAction>>): number[] {
  let floor = 0;
  return severities.map((severity) => {
    floor = Math.max(floor, enforcementActions.indexOf(floors[severity] ?? 'ALLOW'));
    return floor;
  });
}

/** Creates the `vars` of one evaluation: an object whose fields are computed when they are first read. */
export type BindVariables = (activation: object, budget: Budget) => object;

/** The values of one evaluation. Programs read a field of it by name; the getters are in its subclasses. */
class Variables {
  // Private fields, because a variable may have any name.
  readonly #activation: object;
  readonly #budget: Budget;
  #values: unknown[] | undefined;

  constructor(activation: object, budget: Budget) {
    this.#activation = activation;
    this.#budget = budget;
    this.#values = undefined;
  }

  /** The value of a variable that fails is its error, for every rule that reads it. */
  static read(variables: Variables, index: number, program: Program): unknown {
    let values = variables.#values;
    if (values === undefined) {
      values = [];
      variables.#values = values;
    }
    let value = values[index];
    if (value === undefined) {
      value = program.run(variables.#activation, variables.#budget);
      values[index] = value;
    }
    return value;
  }
}

const none = Object.freeze({});

/**
 * Compiles the variables of a policy, once, to a class with one getter each. An evaluation then allocates one small
 * object, and a list of values only when a variable is read.
 */
function compileVariables(
  expressions: ReadonlyMap<string, CheckedExpression>,
  constants: object,
): BindVariables {
  if (expressions.size === 0) return () => none;
  class PolicyVariables extends Variables {}
  const own: PropertyDescriptorMap = {};
  for (const [index, [name, expression]] of [...expressions].entries()) {
    const program = compile(expression, constants);
    const descriptor = {
      get(this: Variables) {
        return Variables.read(this, index, program);
      },
      enumerable: true,
    };
    if (isInherited(name)) own[name] = descriptor;
    else Object.defineProperty(PolicyVariables.prototype, name, descriptor);
  }
  if (Object.keys(own).length === 0) return (activation, budget) => new PolicyVariables(activation, budget);
  return (activation, budget) => Object.defineProperties(new PolicyVariables(activation, budget), own);
}

/** Names such as `constructor` and `size`, which programs read only where they are an object's own. */
function isInherited(name: string): boolean {
  return name in Array.prototype || name in Map.prototype;
}
