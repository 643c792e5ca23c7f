import { type CheckedExpression, compile, type Program } from '../cel/index.ts';
import {
  type EnforcementAction,
  enforcementActions,
  type Phase,
  type PolicyMode,
  phases,
  type Severity,
  severities,
} from '../schemas/decisions.ts';
import type { CustomDetector, PolicyDocument, PolicyRule } from '../schemas/policy-documents.ts';
import { type CompiledCounter, compileCounter } from './counters/compile-counter.ts';
import { type BindCounters, compileBinding } from './counters/read-counters.ts';
import { expressionSource } from './expression-source.ts';
import {
  type CheckedExpressions,
  type CheckedRule,
  checkExpressions,
  type MessagePart,
} from './expressions.ts';
import { pathsRead } from './paths-read.ts';
import { type BindVariables, compileVariables } from './policy-variables.ts';
import { namesMentioned } from './tool-names.ts';
import { normalized } from './tool-of.ts';

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
  /** Index in `enforcementActions`; -1 for a rule that escalates. */
  readonly effect: number;
  /** Steps; 0 for a rule with an effect. */
  readonly escalate: number;
  /** Index in `severities`. */
  readonly severity: number;
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
  readonly bindVariables: BindVariables;
  readonly rules: readonly CompiledRule[];
  readonly counters: readonly CompiledCounter[];
  readonly bindCounters: BindCounters;
}

/** The policy and version of a document; every violation names both. */
export interface PolicyIdentity {
  policyId: string;
  policyVersion: number;
}

const holds = enforcementActions.indexOf('APPROVAL_REQUIRED');
const actionOnly: readonly Phase[] = ['ACTION'];
export const phaseBit = (phase: Phase): number => 1 << phases.indexOf(phase);

/** Compiles a document that has passed `checkPolicyDocument`; throws on any other. `digest`: see `compileCounter`. */
export function compilePolicy(
  document: PolicyDocument,
  identity: PolicyIdentity,
  digest?: (text: string) => string,
): CompiledPolicy {
  const checked = checkExpressions(expressionSource(document, new Set()), (path, issue) => {
    throw new Error(`the policy never passed its check: ${path.join('.')}: ${issue.message}`);
  });
  return assemblePolicy(document, checked, identity, digest);
}

/** The same for a document whose expressions are already checked. */
export function assemblePolicy(
  document: PolicyDocument,
  checked: CheckedExpressions,
  identity: PolicyIdentity,
  digest: (text: string) => string = (text) => text,
): CompiledPolicy {
  const { params = {} } = document;
  const onError = enforcementActions.indexOf(document.onError ?? 'BLOCK');
  const floors = floorsOf(document.severityFloors ?? {});
  const constants = { params };
  const rules = document.rules.map((rule, index) =>
    compileRule(rule, checked.rules[index] as CheckedRule, constants),
  );
  const counters = Object.entries(document.counters ?? {}).map(([name, counter]) =>
    compileCounter(name, counter, checked.counters.get(name) ?? {}, params, digest),
  );
  return {
    ...identity,
    policyName: document.name,
    mode: document.mode ?? 'ENFORCE',
    reads: pathsRead(checked),
    canHold:
      document.mode !== 'MONITOR' &&
      [onError, ...floors, ...rules.map(({ effect }) => effect)].includes(holds),
    toolNames: namesMentioned(document, checked),
    detectors: document.detectors ?? [],
    reviewExpirySeconds: document.reviewExpirySeconds ?? defaultReviewExpirySeconds,
    onError,
    floors,
    params,
    bindVariables: compileVariables(checked.variables, constants),
    rules,
    counters,
    bindCounters: compileBinding(counters),
  };
}

function compileRule(rule: PolicyRule, checked: CheckedRule, constants: object): CompiledRule {
  const name = rule.name ?? rule.id;
  return {
    id: rule.id,
    name,
    tools: rule.tool === undefined ? null : new Set([rule.tool].flat().map(normalized)),
    phases: (rule.on ?? actionOnly).reduce((bits, phase) => bits | phaseBit(phase), 0),
    when: compile(checked.when as CheckedExpression, constants),
    effect: rule.effect === undefined ? -1 : enforcementActions.indexOf(rule.effect),
    escalate: rule.escalate ?? 0,
    severity: severities.indexOf(rule.severity ?? 'MEDIUM'),
    reason: rule.reason ?? rule.id.replaceAll('-', '_'),
    message: checked.message ? compileMessage(checked.message, constants) : `matched the rule "${name}"`,
  };
}

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
