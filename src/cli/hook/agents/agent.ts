import { hash } from 'node:crypto';
import type { HookEvent } from '../events.ts';
import { HookInputError } from '../input-error.ts';
import type { HookOutput } from '../output.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** What becomes of an event, in the words that all agents share. */
export interface Outcome {
  /** Null where the event could not be read. */
  event: HookEvent | null;
  /** The input as the agent sent it; empty where it could not be read. */
  payload: Payload;
  /** Why the action, prompt or result is stopped; null when it goes on. */
  stop: string | null;
  /** What the person and the model are told although it goes on. */
  warning: string | null;
  /** The same for Claude Code. */
  output: HookOutput;
}

/** What an agent reads of a hook: its standard output, its standard error and its exit code, 2 meaning "stop". */
export interface Written {
  stdout?: object;
  stderr?: string;
  exitCode: 0 | 2;
}

/** Translates between one agent and the events of Claude Code, in which everything is evaluated. */
export interface Agent {
  /**
   * The event in the form of Claude Code; null for one that starts nothing and shows the model nothing. Throws HookInputError
   * for every other one that it does not know.
   */
  read(payload: Payload): Payload | null;
  write(outcome: Outcome): Written;
  /** What the agent is told by a hook that could not start. Default: exit code 2. */
  cannotStart?: Written;
}

/** The name of a call, for agents that give it none. In letters: detectors would take digits for numbers of people. */
export const callId = (payload: Payload): string =>
  `call-${hash('sha256', JSON.stringify([payload.tool_name, payload.tool_input])).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`;

/** `events`: the agent's names of the events that are evaluated; null for those that pass. */
export function eventOf(
  events: Readonly<Record<string, HookEvent | null>>,
  name: unknown,
  agent: string,
): HookEvent | null {
  const event = typeof name === 'string' && Object.hasOwn(events, name) ? events[name] : undefined;
  if (event !== undefined) return event;
  const known = Object.keys(events).filter((one) => events[one] !== null);
  throw new HookInputError(`assize hook ${agent} does not know this event: it evaluates ${known.join(', ')}`);
}

/** Exit code 2 with the reason on standard error: the agents with hooks like those of Claude Code stop there. */
export const exitTwo = (reason: string): Written => ({ stderr: `Assize: ${reason}`, exitCode: 2 });
export const pass: Written = { exitCode: 0 };
