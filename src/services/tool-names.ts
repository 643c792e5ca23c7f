import {
  CallArguments,
  findOtherTool,
  findSeveralCalls,
  findTool,
  findUnreadableName,
} from '../engine/index.ts';
import { AppError } from '../errors.ts';
import { type EvaluateRequest, toolNameLimit } from '../schemas/evaluations.ts';

/**
 * Characters that nobody sees. A name with one looks like another name to a reviewer and in a log, and matches none of
 * its rules.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The tool that an action names; empty when it names none. Throws for a name that cannot be judged, and for two sets of arguments. */
export function toolNamed(
  { input, targetKey = '' }: Pick<EvaluateRequest, 'input' | 'targetKey'>,
  call: CallArguments,
): string {
  const unreadable = findUnreadableName(input);
  if (unreadable !== null) throw refused(unreadable, 'the name of a tool must be a string');
  const several = findSeveralCalls(input);
  if (several)
    throw refused(
      several,
      'several calls in one evaluation: evaluate each on its own, as {"tool": name, "arguments": {…}}',
    );
  const tool = findTool(input, targetKey);
  const other = findOtherTool(input, tool);
  if (other) {
    const place = tool.path === null ? '/targetKey' : `/input${tool.path}`;
    throw refused(other.path, `names another tool than ${place}: name one tool in one place`);
  }
  if (call.otherPath !== null)
    throw refused(call.otherPath, 'other arguments than in another place: give them once');
  const { name, path } = tool;
  // Characters are counted as in the schemas, which is not in UTF-16 units; only a text beyond the limit in those needs it.
  if (name.length > toolNameLimit && [...name].length > toolNameLimit) {
    throw refused(path, `the name of a tool must have at most ${toolNameLimit} characters`);
  }
  if (path !== null && invisible.test(name)) {
    throw refused(path, 'the name of a tool must not contain control or invisible characters');
  }
  return name;
}

/**
 * A call of a list in which a model asks for calls, as the action that adapters send. Arguments that cannot be read stay as they are,
 * for rules to see. Throws for a call that names no tool, or several. `place`: JSON Pointer to the call.
 */
export function readToolCall(call: EvaluateRequest['input'], place: string): EvaluateRequest['input'] {
  const input = { tool_calls: [call] };
  const read = new CallArguments(input);
  const tool = within(place, () => toolNamed({ input }, read));
  if (tool === '') throw new AppError('invalid', 'must name the tool, as function.name', { path: place });
  return { tool, arguments: read.isReadable ? read.value : read.sent } as EvaluateRequest['input'];
}

/** Places of mistakes as those of the request. */
function within<Read>(place: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.details.map(({ path = '', message }) => ({
      message: message.replace('/input/tool_calls/0', place),
      path: path.replace('/input/tool_calls/0', place),
    }));
    throw new AppError(error.code, error.message, { details });
  }
}

const refused = (path: string | null, message: string): AppError =>
  new AppError('invalid', message, { path: path === null ? '/targetKey' : `/input${path}` });
