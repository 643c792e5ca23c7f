import { text } from 'node:stream/consumers';
import { Exit, exitCodes } from '../exit.ts';
import type { Io } from '../io.ts';
import type { Written } from './agents/agent.ts';
import { type AgentName, agents } from './agents/index.ts';
import type { HookFlags } from './command-line.ts';
import { type ServerFlags, serverOf } from './config-file.ts';
import { defaultStateFolder } from './memory.ts';
import { runAgentHook } from './run-agent.ts';

/**
 * Exit code 2 with a reason on standard error stops the action in every agent with hooks of this kind (Claude Code, Codex,
 * Gemini CLI): the output for an event whose own form is not known. Gemini CLI reads a reason from standard output first.
 */
export async function respondToHook(
  agent: AgentName,
  flags: HookFlags & ServerFlags,
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
    written(await runAgentHook(agent, await read(stdin, flags.limitMs), options), io);
  } catch (error) {
    if (error instanceof Exit) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (flags.onFailure === 'allow') {
      io.stderr.write(`assize: let pass without a decision: ${reason}\n`);
      return;
    }
    const stopped = { event: null, payload: {}, stop: reason, warning: null, output: {} };
    written(agents[agent].write(stopped), io);
  }
}

function written({ stdout, stderr, exitCode }: Written, io: Io): void {
  if (stdout) io.stdout.write(`${JSON.stringify(stdout)}\n`);
  if (exitCode === 2) throw new Exit(exitCodes.wrongUse, stderr ?? 'stopped');
  if (stderr !== undefined) io.stderr.write(`${stderr}\n`);
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
