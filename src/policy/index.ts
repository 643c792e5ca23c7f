export { didYouMean } from '../cel/suggest.ts';
export { CallArguments, valuesAt } from './call-arguments.ts';
export {
  type CheckOptions,
  checkPolicyDocument,
  compileOnly,
  type PolicyCheck,
} from './check-policy-document.ts';
export {
  type CompiledPolicy,
  type CompileOptions,
  compilePolicy,
  compilingPolicy,
  type DecidingDocument,
  type PolicyIdentity,
  UncheckedPolicy,
} from './compile-policy.ts';
export type { CompiledCounter } from './counters/compile-counter.ts';
export { counterWrites } from './counters/count.ts';
export { lengthMs } from './counters/counter-source.ts';
export { countersOf } from './counters/read-counters.ts';
export { Recount } from './counters/recount.ts';
export { type RejectionCount, rejectionCounts, rejectionWrites } from './counters/rejections.ts';
export { readCell, readKeyCount } from './counters/tally.ts';
export { reachMs } from './counters/window.ts';
export { decide } from './decide.ts';
export {
  type PolicyTestResult,
  type Replay,
  type ReplaySteps,
  stepsPerScannedCharacter,
  type TestBudget,
  testBudget,
} from './document-tests.ts';
export type { ListEntries } from './lists.ts';
export { notKept } from './not-kept.ts';
export { policiesNamedIn } from './policies-named.ts';
export { type PolicyChange, type PolicyPart, policyChanges } from './policy-changes.ts';
export type { PolicyIssue } from './policy-issue.ts';
export { identifierOf } from './provenance/identifier.ts';
export { type Mentions, mentionOf, mentionsIn } from './provenance/mentions.ts';
export type { SightingReadings } from './provenance/seen.ts';
export { ruleReads } from './rule-reads.ts';
export type {
  CataloguedTool,
  Decision,
  DetectionCount,
  GrantableFinding,
  Subject,
  Unevaluated,
  Unknowns,
} from './subject.ts';
export { differencesFrom } from './test-differences.ts';
export { type Detect, epochMs } from './test-subject.ts';
export {
  findOtherTool,
  findSeveralCalls,
  findTool,
  findUnreadableName,
  normalized as normalizedToolName,
  toolOf,
} from './tool-of.ts';
