export { type CheckOptions, checkPolicyDocument, type PolicyCheck } from './check-policy-document.ts';
export { type CompiledPolicy, compilePolicy, type PolicyIdentity } from './compile-policy.ts';
export { decide } from './decide.ts';
export type { PolicyTestResult } from './document-tests.ts';
export type { PolicyIssue } from './policy-issue.ts';
export type { Decision, DetectionCount, Subject } from './subject.ts';
export type { Detect } from './test-subject.ts';
export { findOtherTool, findSeveralCalls, findTool, toolOf } from './tool-of.ts';
