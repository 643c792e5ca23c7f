import { createBudget } from '../cel/index.ts';
import type { PolicyDocument, PolicyRule } from '../schemas/policy-documents.ts';
import type { CompiledPolicy } from './compile-policy.ts';

/**
 * What a condition gives whatever the action and the session are; undefined when it depends on them. It is run with
 * nothing but the params, the variables and, where the rule is bound to one tool, that tool: what needs more is an
 * error, and `&&`, `||` absorb errors exactly where they do not decide.
 */
export function constantConditions(
  document: PolicyDocument,
  policy: CompiledPolicy,
): (boolean | undefined)[] {
  // One for all rules: a document must not buy a budget with every rule.
  const budget = createBudget();
  return policy.rules.map(({ when }, index) => {
    const activation = { params: policy.params, vars: {}, ...knownTool(document.rules[index] as PolicyRule) };
    activation.vars = policy.bindVariables(activation, budget);
    const value = when.run(activation, budget);
    return typeof value === 'boolean' ? value : undefined;
  });
}

function knownTool({ tool }: PolicyRule): { tool?: string } {
  const tools = [tool ?? []].flat();
  return tools.length === 1 ? { tool: tools[0] as string } : {};
}
