import { certificateSettings } from '../client-certificate.ts';
import { Exit } from '../exit.ts';
import { outliveReaders } from '../io.ts';
import { type AgentName, agents } from './agents.ts';
import { defaultFlags, type HookFlags, type ServerFlags } from './command-line.ts';
import { respondToHook } from './run.ts';

// A hook runs twice for each tool call, so an installed command is run without loading the words of the command line. Whatever is not
// written as `install` writes it is left to them: they know the help and the messages.

const choices: Readonly<Record<string, { name: keyof HookFlags; values: readonly string[] }>> = {
  '--on-allow': { name: 'onAllow', values: ['pass', 'allow'] },
  '--on-hold': { name: 'onHold', values: ['ask', 'deny', 'wait'] },
  '--on-failure': { name: 'onFailure', values: ['deny', 'ask', 'allow'] },
};
const numbers: Readonly<Record<string, keyof HookFlags>> = {
  '--limit-ms': 'limitMs',
  '--wait-seconds': 'waitSeconds',
};

/** The agent and the flags of an installed command; null for every other one. */
export function readInstalled(
  [agent = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): { agent: AgentName; flags: HookFlags & ServerFlags } | null {
  if (!Object.hasOwn(agents, agent) || words.length % 2 !== 0) return null;
  const flags: Record<string, unknown> = { ...defaultFlags, url: env.ASSIZE_URL, key: env.ASSIZE_KEY };
  for (const [name, setting] of Object.entries(certificateSettings)) flags[name] = env[setting];
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value = ''] = words.slice(at, at + 2);
    const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
    const number = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
    if (choice?.values.includes(value)) flags[choice.name] = value;
    else if (number !== undefined && /^[1-9]\d{0,5}$/.test(value)) flags[number] = Number(value);
    else if (name === '--config' && value !== '' && !value.startsWith('-')) flags.config = value;
    else return null;
  }
  return { agent: agent as AgentName, flags: flags as unknown as HookFlags & ServerFlags };
}

/** Runs an installed command, and returns its exit code; null for a command that is none. */
export async function runInstalled(args: readonly string[]): Promise<number | null> {
  const { env } = process;
  const installed = readInstalled(args, env);
  if (installed === null) return null;
  outliveReaders();
  try {
    await respondToHook(installed.agent, installed.flags, process);
    return 0;
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    process.stderr.write(`assize: ${error.message}\n`);
    return error.code;
  }
}
