import { text } from 'node:stream/consumers';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';
import type { HookFlags } from './command-line.ts';
import { serverOf } from './config-file.ts';
import { defaultStateFolder } from './memory.ts';
import { runHook } from './run.ts';

/** Exit code 2 stops the action of any event: what a closed hook answers when it cannot even read its input. */
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
    const output = await runHook(await text(stdin), options);
    if (output && Object.keys(output).length > 0) io.stdout.write(`${JSON.stringify(output)}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (flags.onFailure !== 'allow') throw new Exit(exitCodes.wrongUse, why);
    io.stderr.write(`assize: let pass without a decision: ${why}\n`);
  }
}
