import { createMemoryRecord } from '../../features/policies/policy-tests/memory-record.ts';
import { createStepEvaluator } from '../../features/policies/policy-tests/step-evaluator.ts';
import { testBudget } from '../../policy/document/document-tests.ts';
import { epochMs, testSubject } from '../../policy/document/test-subject.ts';
import type { CheckedProperty } from '../../policy/expressions.ts';
import type { ProvedPolicy } from '../../policy/proof/decision-model.ts';
import { fails, type PropertyResult } from '../../policy/proof/property.ts';
import type { PolicyTestStep } from '../../schemas/policy-tests.ts';

/** A property of sessions that a new session loses when it does one thing over and over, as the engine recorded it. */
export interface RepeatedViolation {
  readonly verdict: 'VIOLATED';
  readonly step: PolicyTestStep;
}

/** Repetitions at most: limits of policies are mostly below it. */
const most = 300;

/** Does the action after which a property may stop holding, again and again in a new session; null when the property goes on to hold. */
export function violatedByRepeating(
  proved: ProvedPolicy,
  index: number,
  found: PropertyResult,
): RepeatedViolation | null {
  if (found.verdict !== 'UNKNOWN' || !found.induction) return null;
  const { phase = 'ACTION', tool = '', input = {}, dataTags = [], toolEffect } = found.induction;
  if (phase !== 'ACTION') return null;
  const property = proved.expressions.properties[index] as CheckedProperty;
  const record = createMemoryRecord();
  const tools = toolEffect && tool !== '' ? [{ name: tool, effect: toolEffect }] : [];
  const evaluate = createStepEvaluator(
    { policies: [proved.policy], integration: {}, tools, budget: testBudget() },
    record,
  );
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
