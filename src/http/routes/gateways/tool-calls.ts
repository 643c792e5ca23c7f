import { AppError } from '../../../errors.ts';
import { parseStrictly } from '../../../json/parse.ts';
import type { EvaluateRequest } from '../../../schemas/evaluations.ts';
import { checkJson } from '../../json-checks.ts';

type Input = EvaluateRequest['input'];

/** Most calls in what a model says at once: each is an evaluation. */
const mostCalls = 100;

/**
 * The calls that a model asks for, as actions in the form in which adapters send theirs, so that one rule about a tool judges both.
 * `path`: where they are in the request. Throws AppError for a call without a name, because no rule could see what it calls.
 */
export function actionsOf(calls: readonly object[], path: string): Input[] {
  if (calls.length > mostCalls)
    throw new AppError('invalid', `must not have more than ${mostCalls} calls`, { path });
  return calls.map((call, at) => actionOf(call, `${path}/${at}`));
}

/** In the forms of OpenAI: of chat completions (`function`, `custom`) and of responses. */
function actionOf(call: object, path: string): Input {
  const { function: named, custom } = call as { function?: unknown; custom?: unknown };
  const { name, arguments: sent, input } = (named ?? custom ?? call) as Record<string, unknown>;
  if (typeof name !== 'string' || name.trim() === '')
    throw new AppError('invalid', 'must name the tool, as function.name', { path });
  return { tool: name, arguments: readArguments(sent ?? input) } as Input;
}

/** What is no JSON, or has a key twice, stays a text: a rule that reads an argument of it fails, and its policy blocks. */
function readArguments(sent: unknown): unknown {
  if (sent === undefined || sent === null || sent === '') return {};
  if (typeof sent !== 'string') return sent;
  try {
    const read = parseStrictly(sent);
    checkJson(read);
    return read;
  } catch {
    return sent;
  }
}
