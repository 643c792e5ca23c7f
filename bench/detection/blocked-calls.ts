import { readdirSync, readFileSync } from 'node:fs';
import { type Detector, taxonomy } from '../../src/detectors/index.ts';
import { type CompiledPolicy, compilePolicy } from '../../src/policy/compile-policy.ts';
import { decide } from '../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';
import { EVERYWHERE } from './tags.ts';

/** What people write first: nothing personal, no cards, no secrets, nothing that could not be read. */
const FIRST_RULES = JSON.stringify({
  schemaVersion: 1,
  name: 'first-rules',
  rules: ['PII', 'PCI', 'CREDENTIALS', 'PHI', 'FINANCIAL', 'UNSCANNED'].map((tag) => ({
    id: tag.toLowerCase(),
    when: `"${tag}" in dataTags`,
    effect: 'BLOCK',
  })),
});

function compiled(source: string): CompiledPolicy {
  const { document, issues } = checkPolicyDocument(source, { runTests: false });
  if (!document) throw new Error(JSON.stringify(issues));
  return compilePolicy(document, { policyId: document.name, policyVersion: 1 });
}

/** The starter policies, the packs that judge data, and the rules above. */
function policies(): CompiledPolicy[] {
  const starters = readdirSync('policies').filter((name) => name.endsWith('.yaml'));
  const files = [...starters, 'packs/data-export.yaml', 'packs/email-and-chat.yaml'];
  return [FIRST_RULES, ...files.map((name) => readFileSync(`policies/${name}`, 'utf8'))].map(compiled);
}

const CATEGORIES = new Map(taxonomy.map(({ tag, categories }) => [tag, categories]));

/** Whether a policy blocks or holds a call with these tags. */
function stops(all: readonly CompiledPolicy[], call: unknown, dataTags: readonly string[]): boolean {
  const { tool = 'tools.call', arguments: input = call } = call as Record<string, unknown>;
  const action = { tool: String(tool), input: input as Record<string, unknown>, dataTags: [...dataTags] };
  return !['ALLOW', 'WARN'].includes(decide(all, testSubject(action, [])).enforcementAction);
}

/** The share of harmless calls that a policy blocks or holds because of what was found in them, and would not otherwise. */
export function blockedShare(d: Detector, calls: readonly unknown[]): number {
  const all = policies();
  const blocked = calls.filter((input) => {
    const wrong = d.scan({ input }).counts.flatMap(({ type }) => (EVERYWHERE.has(type) ? [] : [type]));
    if (wrong.length === 0) return false;
    const tags = wrong.flatMap((tag) => [...(CATEGORIES.get(tag) ?? []), tag]);
    return stops(all, input, tags) && !stops(all, input, []);
  });
  return blocked.length / calls.length;
}
