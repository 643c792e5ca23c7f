import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';

export interface FileChange {
  file: string;
  /** What the file will hold, from what it holds; null stands for no file. Throws Error for what it does not understand. */
  change: (text: string | null) => string | null;
  /** Writes without asking. */
  yes: boolean;
  /** That it is run: a hook of its own. */
  executable?: boolean;
}

/** Shows how a file would change, asks, keeps a copy of what was there, and writes. Ends early when nothing would. */
export async function changeFile({ file, change, yes, executable }: FileChange, io: Io): Promise<void> {
  const { text, path } = read(file);
  const after = changed(file, change, text);
  if (after === text) {
    io.stdout.write(`${file} needs no change\n`);
    return;
  }
  io.stdout.write(createTwoFilesPatch(file, file, text ?? '', after ?? ''));
  if (!yes && !(await confirm(io))) throw new Exit(exitCodes.failed, 'nothing was changed');
  const copy = write(path, text, after, executable ?? false);
  const done = after === null ? 'removed' : 'wrote';
  io.stdout.write(copy === null ? `${done} ${file}\n` : `${done} ${file}; what was there is in ${copy}\n`);
}

/** A change of a JSON object that keeps the file's indentation; one that changes nothing keeps its text. */
export const jsonChange =
  <T extends object>(check: (value: unknown) => T, change: (settings: T) => object): FileChange['change'] =>
  (text) => {
    const before = check(text === null ? {} : JSON.parse(text));
    const after = change(before);
    if (JSON.stringify(after) === JSON.stringify(before)) return text;
    return `${JSON.stringify(after, null, indentOf(text))}\n`;
  };

/** A settings file is often a link into a folder of its own: what is written is what it points to. */
function read(file: string): { text: string | null; path: string } {
  try {
    const path = realpathSync(file);
    return { text: readFileSync(path, 'utf8'), path };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: null, path: file };
    throw new Exit(exitCodes.wrongUse, `${file} cannot be read: ${(error as Error).message}`);
  }
}

function changed(file: string, change: FileChange['change'], text: string | null): string | null {
  try {
    return change(text);
  } catch (error) {
    throw new Exit(exitCodes.wrongUse, `${file} is left as it is: ${(error as Error).message}`);
  }
}

const indentOf = (text: string | null): string => /^\{\s*\n([ \t]+)/.exec(text ?? '')?.[1] ?? '  ';

async function confirm(io: Io): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Exit(exitCodes.wrongUse, 'nobody is there to ask: --yes writes without asking');
  }
  const lines = createInterface({ input: process.stdin });
  io.stdout.write('write this? [y/N] ');
  const response = await lines.question('');
  lines.close();
  return /^y(es)?$/i.test(response.trim());
}

/** Through a file beside it, so that a full disk or a crash leaves the old one. Returns where the copy is. */
function write(path: string, old: string | null, text: string | null, executable: boolean): string | null {
  mkdirSync(dirname(path), { recursive: true });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const copy = old === null ? null : `${path}.${stamp}.bak`;
  if (copy !== null) copyFileSync(path, copy);
  if (text === null) {
    rmSync(path);
    return copy;
  }
  const fresh = `${path}.${stamp}.new`;
  writeFileSync(fresh, text, { mode: old === null ? (executable ? 0o700 : 0o600) : statSync(path).mode });
  renameSync(fresh, path);
  return copy;
}
