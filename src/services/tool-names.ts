import { toolOf } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import { type EvaluateRequest, toolNameLimit } from '../schemas/evaluations.ts';

/** The tool that an action names; empty when it names none. Throws for a name that cannot be kept. */
export function toolNamed(request: EvaluateRequest): string {
  const tool = toolOf(request.input, request.targetKey ?? '');
  // Characters are counted as in the schemas, which is not in UTF-16 units; only a text beyond the limit in those needs it.
  const fits = tool.length <= toolNameLimit || [...tool].length <= toolNameLimit;
  if (fits && !tool.includes('\0')) return tool;
  const field = ['tool', 'toolName', 'name'].find((name) => request.input[name] === tool) ?? 'tool';
  throw new AppError(
    'invalid',
    `the name of a tool must have at most ${toolNameLimit} characters and no NUL`,
    {
      path: `/input/${field}`,
    },
  );
}
