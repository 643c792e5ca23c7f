import { type CompiledPolicy, compilePolicy } from '../../src/policy/compile-policy.ts';
import { decide } from '../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';
import type { Decision } from '../../src/policy/subject.ts';
import type { PolicyTestGiven } from '../../src/schemas/policy-tests.ts';

/** Compiles the rules of a document; its head may be left out. Throws on one that does not check. */
export function policy(body: string, name = 'p', policyVersion = 1): CompiledPolicy {
  const { document, issues } = checkPolicyDocument(`schemaVersion: 1\nname: ${name}\n${body}`);
  if (!document) throw new Error(JSON.stringify(issues, null, 2));
  return compilePolicy(document, { policyId: `id-${name}`, policyVersion });
}

/** A rule as YAML: `rule('a', 'true', 'effect: WARN, severity: HIGH')`. */
export function rule(id: string, when: string, does: string): string {
  return `  - { id: ${id}, when: ${JSON.stringify(when)}, ${does} }\n`;
}

export function decideFor(policies: readonly CompiledPolicy[], given: PolicyTestGiven = {}): Decision {
  return decide(policies, testSubject(given, []));
}

/** The findings, shortly: `id ACTION SEVERITY reason`. */
export function findings({ violations }: Decision): string[] {
  return violations.map((v) => `${v.ruleId} ${v.enforcementAction} ${v.severity} ${v.reason}`);
}

/** The document with `rules:` before the given ones. */
export function rules(...list: string[]): string {
  return `rules:\n${list.join('')}`;
}
