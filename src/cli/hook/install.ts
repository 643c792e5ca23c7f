import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';
import { type ClaudeSettings, checkSettings } from './claude-settings.ts';

export interface SettingsChange {
  file: string;
  change: (settings: ClaudeSettings) => ClaudeSettings;
  /** Writes without asking. */
  yes: boolean;
}

/** Shows how the settings would change, asks, keeps a copy of what was there, and writes. Ends early when nothing would. */
export async function changeSettings({ file, change, yes }: SettingsChange, io: Io): Promise<void> {
  const { text, path } = read(file);
  const before = text === null ? {} : parse(file, text);
  const after = change(before);
  if (JSON.stringify(after) === JSON.stringify(before)) {
    io.stdout.write(`${file} needs no change\n`);
    return;
  }
  const written = `${JSON.stringify(after, null, indentOf(text))}\n`;
  io.stdout.write(createTwoFilesPatch(file, file, text ?? '', written));
  if (!yes && !(await confirm(io))) throw new Exit(exitCodes.failed, 'nothing was changed');
  const copy = write(path, text, written);
  io.stdout.write(copy === null ? `wrote ${file}\n` : `wrote ${file}; what was there is in ${copy}\n`);
}

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

function parse(file: string, text: string): ClaudeSettings {
  try {
    return checkSettings(JSON.parse(text));
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
  const answer = await lines.question('');
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Through a file beside it, so that a full disk or a crash leaves the old settings. Answers where the copy is. */
function write(path: string, old: string | null, text: string): string | null {
  mkdirSync(dirname(path), { recursive: true });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const copy = old === null ? null : `${path}.${stamp}.bak`;
  if (copy !== null) copyFileSync(path, copy);
  const fresh = `${path}.${stamp}.new`;
  writeFileSync(fresh, text, { mode: old === null ? 0o600 : statSync(path).mode });
  renameSync(fresh, path);
  return copy;
}
