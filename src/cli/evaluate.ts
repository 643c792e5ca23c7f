import { wholeCheck } from '../features/policies/check-job.ts';
import { documentIn } from '../features/policies/cli-files.ts';
import { createMemoryRecord } from '../features/policies/policy-tests/memory-record.ts';
import { createStepEvaluator } from '../features/policies/policy-tests/step-evaluator.ts';
import type { CompiledPolicy } from '../policy/compile-policy.ts';
import { checkPolicyDocument } from '../policy/document/check-policy-document.ts';
import { testBudget } from '../policy/document/document-tests.ts';
import { toolOf } from '../policy/tool-calls.ts';
import { letsThrough } from '../schemas/decisions.ts';
import type { EvaluateResult } from '../schemas/evaluations.ts';
import type { TargetOptions } from './api/call.ts';
import { connect } from './api/connect.ts';
import { withKeyText } from './api-command.ts';
import { Exit, exitCodes } from './exit.ts';
import { inputIn } from './io.ts';
import type { Column, Output } from './output.ts';

export interface EvaluateOptions extends TargetOptions {
  policy?: string[];
  session?: string;
  fail?: boolean;
}

type Input = Record<string, unknown>;
/** Decisions of a file have no session or review that a server would know. */
type Decided = Pick<
  EvaluateResult,
  'outcome' | 'enforcementAction' | 'severity' | 'violations' | 'dataTags'
> &
  Partial<EvaluateResult>;

const fields: Column<Decided>[] = [
  { title: 'DECISION', of: ({ enforcementAction }) => enforcementAction, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  {
    title: 'RULES',
    of: ({ violations }) => violations.map(({ policyName, ruleId }) => `${policyName}/${ruleId}`).join(', '),
  },
  { title: 'WHY', of: ({ violations }) => violations.map(({ message }) => message).join('; ') },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
];
const serverFields: Column<Decided>[] = [
  ...fields,
  { title: 'SESSION', of: ({ sessionId }) => sessionId },
  { title: 'REVIEW', of: ({ reviewRequestId }) => reviewRequestId },
  { title: 'EVALUATION', of: ({ evaluationRunId }) => evaluationRunId },
];

/** One decision or several, by a server or by policy files alone. */
export async function evaluate(
  texts: readonly string[],
  options: EvaluateOptions,
  out: Output,
): Promise<void> {
  const inputs = texts.map(inputIn);
  const decided = options.policy ? byFiles(inputs, options.policy, options) : await byServer(inputs, options);
  print(decided, out, options.policy ? fields : serverFields);
  const stopped = decided.some(({ enforcementAction }) => !letsThrough(enforcementAction));
  if (options.fail && stopped) throw new Exit(exitCodes.failed);
}

function print(decided: readonly Decided[], out: Output, shown: readonly Column<Decided>[]): void {
  const [only] = decided;
  if (only !== undefined && decided.length === 1) out.record(only, shown);
  else out.list(decided, shown, '');
}

async function byServer(inputs: readonly Input[], options: EvaluateOptions): Promise<Decided[]> {
  const { http, keyText, close } = await connect(options, 'evaluate');
  const decided: Decided[] = [];
  let sessionId = options.session;
  try {
    for (const input of inputs) {
      const json = { input, ...(sessionId !== undefined && { sessionId }) };
      const { data } = await http.send<EvaluateResult>({ method: 'POST', path: '/v1/evaluate', json });
      sessionId = data.sessionId ?? undefined;
      decided.push(data);
    }
  } catch (error) {
    throw await withKeyText(error, keyText);
  } finally {
    await close();
  }
  return decided;
}

/** As the service would decide and record them, in memory. */
function byFiles(
  inputs: readonly Input[],
  files: readonly string[],
  { session }: EvaluateOptions,
): Decided[] {
  if (session !== undefined)
    throw new Exit(
      exitCodes.wrongUse,
      '--session goes with a server: give several inputs to share a session',
    );
  const policies = files.map(compiled);
  const budget = testBudget();
  const evaluateStep = createStepEvaluator(
    { policies, integration: {}, tools: [], budget },
    createMemoryRecord(),
  );
  return inputs.map((input) => {
    const evaluated = evaluateStep({
      phase: 'ACTION',
      at: Date.now(),
      session: { name: 'main', entityId: null, metadata: '{}', parent: null },
      tool: toolOf(input, ''),
      input,
      targetKey: null,
      dataTags: [],
      resultOf: null,
      resultStatus: null,
      cost: null,
      identity: null,
      reviewRequestId: null,
    });
    // The session is new, and no review or result is named: there is nothing that could be missing.
    if (typeof evaluated === 'string') throw new Exit(exitCodes.failed, `it was not evaluated: ${evaluated}`);
    const { outcome, enforcementAction, severity, violations, dataTags } = evaluated.verdict.data;
    return { outcome, enforcementAction, severity, violations, dataTags };
  });
}

function compiled(file: string): CompiledPolicy {
  const { text } = documentIn(file);
  const { compile, issues } = checkPolicyDocument(text, {
    ...wholeCheck,
    runTests: false,
    findWarnings: false,
  });
  if (compile) return compile({ policyId: file, policyVersion: 1 }, { mode: 'ENFORCE' });
  const lines = issues.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  throw new Exit(exitCodes.failed, lines.join('\n'));
}
