import { type Budget, CelError, type CelType, global, type Overload, SPENT, types } from '../cel/index.ts';
import { type Command, readCommands } from '../shell/commands.ts';
import { normalPath } from '../shell/path.ts';
import { isRecord } from './records.ts';
import { DecisionBudget } from './seen.ts';

const { bool, dyn, list, map, string } = types;

const command: CelType = types.object('command', {
  program: string,
  path: string,
  args: list(string),
  flags: list(string),
  operands: list(string),
  uses: list(string),
  redirects: list(types.object('redirect', { to: string, from: string, append: bool })),
  env: map(string),
  wrappers: list(string),
  pipedFrom: list(string),
  substituted: bool,
  input: string,
  isOpaque: bool,
});

const STEPS_A_CHARACTER = 4;
const STEPS_A_COMMAND = 60;
const LOOKUP = 12;

const lengthOf = (said: string | readonly unknown[]): number => {
  if (typeof said === 'string') return said.length;
  let length = said.length;
  for (const word of said) length += typeof word === 'string' ? word.length : 1;
  return length;
};

function commandsOf(budget: Budget, said: string | readonly unknown[]): readonly Command[] | CelError {
  const decision = budget instanceof DecisionBudget ? budget : null;
  const known = decision?.commands.get(said);
  if (decision !== null && known !== undefined) {
    budget.left -= known.paidBy === decision.policy ? LOOKUP : known.steps;
    known.paidBy = decision.policy;
    return budget.left < 0 ? SPENT : known.commands;
  }
  const length = lengthOf(said);
  budget.left -= STEPS_A_COMMAND + length * STEPS_A_CHARACTER;
  if (budget.left < 0) return SPENT;
  const error = typeof said === 'string' ? undefined : said.find((word) => word instanceof CelError);
  if (error !== undefined) return error as CelError;
  const { commands, charactersRead } = readCommands(said);
  const further =
    commands.length * STEPS_A_COMMAND + Math.max(0, charactersRead - length) * STEPS_A_CHARACTER;
  budget.left -= further;
  const steps = STEPS_A_COMMAND + length * STEPS_A_CHARACTER + further;
  decision?.commands.set(said, { commands, steps, paidBy: decision.policy });
  return budget.left < 0 ? SPENT : commands;
}

/** Names of arguments that hold the path of a file, in lower case and without `_`. */
const pathNames: ReadonlySet<string> = new Set(
  'path paths file files filepath filepaths filename filenames notebookpath targetfile absolutepath relativepath relativeworkspacepath oldpath newpath oldfilepath newfilepath sourcepath destinationpath source destination uri'.split(
    ' ',
  ),
);

const isPathName = (name: string): boolean => pathNames.has(name.replaceAll('_', '').toLowerCase());

/** Lines of a patch that name a file: those of `apply_patch`, and those of diff. */
const namesInPatch =
  /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |rename (?:from|to) |(?:\+\+\+|---) (?:[abciow]\/)?)([^\t\r\n]+)/gm;

const DEEPEST = 8;
const NESTED = new CelError('invalid_argument', 'paths: the arguments are nested too deeply');

/** Every path of a file in the arguments of a call, whatever the tool calls it, once and as `normalPath` gives it. */
function pathsIn(budget: Budget, args: object): readonly string[] | CelError {
  const found = new Set<string>();
  return addPaths(budget, args, found, false, 0) ?? [...found];
}

/** Returns why the paths of a value cannot be found; null when they were. */
function addPaths(
  budget: Budget,
  value: unknown,
  found: Set<string>,
  isPath: boolean,
  depth: number,
): CelError | null {
  if (value instanceof CelError) return value;
  if (typeof value === 'string') return addText(budget, value, found, isPath);
  if (typeof value !== 'object' || value === null) return null;
  if (depth > DEEPEST) return NESTED;
  budget.left -= LOOKUP;
  // `changes: {"src/a.ts": {…}}` of Codex
  if (depth > 0 && isRecord(value) && isChanges(value))
    for (const key of Object.keys(value)) addPath(key, found);
  // A map that an expression makes is a Map.
  for (const [key, entry] of value instanceof Map ? value : Object.entries(value)) {
    const isNamed = Array.isArray(value) ? isPath : isPathName(String(key));
    const error = addPaths(budget, entry, found, isNamed, depth + 1);
    if (error !== null) return error;
  }
  return null;
}

function addText(budget: Budget, text: string, found: Set<string>, isPath: boolean): CelError | null {
  budget.left -= LOOKUP + text.length;
  if (budget.left < 0) return SPENT;
  if (isPath && !text.includes('\n')) addPath(text, found);
  if (mayBePatch(text)) for (const [, path = ''] of text.matchAll(namesInPatch)) addPath(path, found);
  return null;
}

function addPath(path: string, found: Set<string>): void {
  if (path !== '/dev/null') found.add(normalPath(path));
}

const mayBePatch = (text: string): boolean =>
  text.includes('*** ') || text.includes('+++ ') || text.includes('--- ') || text.includes('rename ');

/** Edits under the path of their file. */
const isChanges = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.values(value).some(
    (entry) =>
      isRecord(entry) && ['add', 'update', 'delete'].some((kind) => kind in entry || entry.type === kind),
  );

/** Shell commands and paths as data. */
export const shellFunctions: readonly Overload[] = [
  global('commands', [string], list(command), commandsOf),
  global('commands', [list(dyn)], list(command), commandsOf),
  global('paths', [map(dyn)], list(string), pathsIn),
  global('normalPath', [string], string, (budget: Budget, path: string) => {
    budget.left -= path.length * STEPS_A_CHARACTER + LOOKUP;
    return budget.left < 0 ? SPENT : normalPath(path);
  }),
];
