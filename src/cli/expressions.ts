import { createInterface } from 'node:readline';
import { CelError, check, compile, createBudget, toText, types } from '../cel/index.ts';
import { wholeCheck } from '../features/policies/check-job.ts';
import { Activation } from '../policy/activation.ts';
import { testSubject } from '../policy/document/test-subject.ts';
import { environment, paramsOf } from '../policy/environment.ts';
import { Exit, exitCodes } from './exit.ts';
import { type Io, inputIn, printable } from './io.ts';

/** The value of an expression as text, or why there is none; `at` is where, counted from 0. */
type Evaluated = { value: string } | { mistakes: readonly { message: string; at: number | null }[] };

/** An expression as a rule would read it, of an action with this input in a new session. Without params, variables, lists and counters. */
function evaluateExpression(source: string, input: Record<string, unknown>): Evaluated {
  const checked = check(source, environment(paramsOf({}, []), types.object('vars', {})));
  if (!checked.ok) {
    return {
      mistakes: checked.issues.map(({ message, hint, offset }) => ({
        message: hint === undefined ? message : `${message}; ${hint}`,
        at: offset,
      })),
    };
  }
  const budget = createBudget();
  const activation = new Activation(testSubject({ input }, [], wholeCheck.detect));
  const value = compile(checked.expression).run(activation, budget);
  const text = value instanceof CelError ? value : toText(value, budget);
  return text instanceof CelError ? { mistakes: [{ message: text.message, at: null }] } : { value: text };
}

/** The value, or each mistake with the place in the expression, as text for a person. */
function linesOf(source: string, evaluated: Evaluated): string {
  if ('value' in evaluated) return `${printable(evaluated.value)}\n`;
  return evaluated.mistakes
    .map(({ message, at }) => {
      const isOneLine = !source.includes('\n');
      const frame = at === null || !isOneLine ? '' : `  ${source}\n  ${' '.repeat(at)}^\n`;
      return `${frame}${printable(message)}\n`;
    })
    .join('');
}

/** `assize policies eval`: one expression, with the input of an action. */
export function evalExpression(source: string, input: string | undefined, json: boolean, io: Io): void {
  const evaluated = evaluateExpression(source, input === undefined ? {} : inputIn(input));
  const isWrong = 'mistakes' in evaluated;
  if (json) io.stdout.write(`${JSON.stringify(evaluated)}\n`);
  else (isWrong ? io.stderr : io.stdout).write(linesOf(source, evaluated));
  if (isWrong) throw new Exit(exitCodes.failed);
}

/** `assize policies repl`: expressions line by line, until the input ends. A line that is a JSON object is the next input. */
export async function repl(input: string | undefined, io: Io, lines: NodeJS.ReadableStream): Promise<void> {
  let current = input === undefined ? {} : inputIn(input);
  const isTerminal = io.stdout.isTTY === true;
  if (isTerminal)
    io.stdout.write('Type an expression, or a JSON object as the next input. Ctrl-D ends it.\n');
  const prompt = () => (isTerminal ? void io.stdout.write('> ') : undefined);
  prompt();
  for await (const line of createInterface({ input: lines })) {
    const source = line.trim();
    if (/^\{\s*["}]/.test(source)) current = nextInput(source, current, io);
    else if (source !== '') io.stdout.write(linesOf(source, evaluateExpression(source, current)));
    prompt();
  }
}

/** A map of CEL begins alike: it is an expression when it is not JSON. */
function nextInput(source: string, current: Record<string, unknown>, io: Io): Record<string, unknown> {
  try {
    return inputIn(source);
  } catch {
    io.stdout.write(linesOf(source, evaluateExpression(source, current)));
    return current;
  }
}
