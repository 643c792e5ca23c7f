import { text } from 'node:stream/consumers';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';
import type { HookFlags } from './command-line.ts';
import { serverOf } from './config-file.ts';
import { HookInputError } from './input-error.ts';
import { defaultStateFolder } from './memory.ts';
import { runHook } from './run.ts';

/**
 * Exit code 2 with a reason on standard error stops the action in every agent with hooks of this kind (Claude Code, Codex,
 * Gemini CLI): the output for an event whose own form is not known. Gemini CLI reads a reason from standard output first.
 */
export async function answerHook(
  flags: HookFlags & { url?: string; key?: string },
  io: Io,
  stdin: NodeJS.ReadStream = process.stdin,
): Promise<void> {
  if (stdin.isTTY) {
    throw new Exit(
      exitCodes.wrongUse,
      'a hook reads its input from the agent: see assize hook install --help',
    );
  }
  try {
    const options = {
      ...flags,
      ...serverOf(flags),
      waitMs: flags.waitSeconds * 1_000,
      stateFolder: defaultStateFolder(),
    };
    const output = await runHook(await read(stdin, flags.limitMs), options);
    if (output && Object.keys(output).length > 0) io.stdout.write(`${JSON.stringify(output)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (flags.onFailure === 'allow') {
      io.stderr.write(`assize: let pass without a decision: ${reason}\n`);
      return;
    }
    if (error instanceof HookInputError) {
      io.stdout.write(`${JSON.stringify({ decision: 'deny', reason: `Assize: ${reason}` })}\n`);
    }
    throw new Exit(exitCodes.wrongUse, reason);
  }
}

/** An agent that never closes the input would wait for the hook until it gives up, and then let the action pass. */
async function read(stdin: NodeJS.ReadStream, limitMs: number): Promise<string> {
  const late = () => stdin.destroy(new Error(`no complete hook input within ${limitMs} ms`));
  const timer = setTimeout(late, limitMs);
  try {
    return await text(stdin);
  } finally {
    clearTimeout(timer);
  }
}
