import { readCommands } from '../../../src/shell/commands.ts';
import type { Ran } from './run.ts';

/** Functions of the sandbox, which a shell inside of it does not have. */
const notedOutside = new Set(['false', 'echo']);
const shells = ['bash', 'sh', 'dash'];
/** Real in the sandbox, or no program: they run, but nothing notes it. */
const unnoted = new Set(['find', 'bash', 'sh', 'dash', 'break', 'exec', 'wait', 'true', '']);

/** What the reader says of a line, in the form in which bash notes it; null when any of it is opaque. */
export function readAs(line: string): string[][] | null {
  const { commands } = readCommands(line);
  // A shell that reads a here document is opaque besides what it runs.
  if (commands.some(({ isOpaque }) => isOpaque)) return null;
  return commands
    .filter(({ program, wrappers }) => {
      if (program.startsWith('skip') || program.startsWith('fn_')) return false;
      const isNested = wrappers.some((wrapper) => shells.includes(wrapper));
      return !unnoted.has(program) && !(isNested && notedOutside.has(program));
    })
    .map(({ path, args, wrappers }) => {
      const isFilled = wrappers.includes('xargs') && args.at(-1) === '$@';
      const said = isFilled ? args.slice(0, -1) : args;
      return [path, ...said.map((word) => (wrappers.includes('find') && word === '{}' ? '.' : word))];
    });
}

/** How the two differ; null when they are equal, in any order, where a word with an expansion may be anything. */
export function differenceOf(read: readonly string[][], ran: Ran): string | null {
  const left = [...ran];
  for (const words of read.toSorted((a, b) => expansionsIn(a) - expansionsIn(b))) {
    const index = left.findIndex((other) => isSame(words, other));
    if (index < 0) return `read ${JSON.stringify(words)}, which did not run`;
    left.splice(index, 1);
  }
  return left.length === 0 ? null : `ran ${JSON.stringify(left[0])}, which was not read`;
}

const isExpansion = (word: string): boolean => /[$`]|<\(/.test(word);
const expansionsIn = (words: readonly string[]): number => words.filter(isExpansion).length;

const isSame = (read: readonly string[], ran: readonly string[]): boolean =>
  read.length === ran.length && read.every((word, index) => word === ran[index] || isExpansion(word));
