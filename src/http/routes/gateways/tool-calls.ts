import { AppError } from '../../../errors.ts';
import { readToolCall } from '../../../evaluate/action.ts';
import type { EvaluateRequest } from '../../../schemas/evaluations.ts';

type Input = EvaluateRequest['input'];

/** Most calls in what a model says at once: each is an evaluation. */
const mostCalls = 100;

/**
 * The calls that a model asks for, as actions in the form in which adapters send theirs, so that one rule about a tool judges both.
 * `path`: where they are in the request. Throws
 * AppError for a call without a name, or with two, because no rule could see what it calls.
 */
export function actionsOf(calls: readonly object[], path: string): Input[] {
  if (calls.length > mostCalls)
    throw new AppError('invalid', `must not have more than ${mostCalls} calls`, { path });
  return calls.map((call, at) => readToolCall(call as Input, `${path}/${at}`));
}
