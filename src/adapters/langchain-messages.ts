import type { GateSession } from '../client/index.ts';

// What LangChain and LangGraph have in common.

/** What the model sees of what a tool returned, and what the program does: of a message the content and the artifact. */
export function seenOf(returned: unknown): unknown {
  const { content, artifact } = (returned ?? {}) as { content?: unknown; artifact?: unknown };
  if (content === undefined) return returned;
  return artifact === undefined ? content : { content, artifact };
}

/** The session named as the thread; without one, that of the gate. */
export const sessionOfThread = (configurable: { thread_id?: unknown } | undefined): GateSession =>
  configurable?.thread_id === undefined ? {} : { externalSessionId: String(configurable.thread_id) };
