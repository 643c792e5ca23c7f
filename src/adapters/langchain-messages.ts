import type { GateSession } from '../client/index.ts';

// Shared by LangChain and LangGraph.

/** The part of a tool's result that the model sees, and the program: of a message the content and the artifact. */
export function seenOf(returned: unknown): unknown {
  const { content, artifact } = (returned ?? {}) as { content?: unknown; artifact?: unknown };
  if (content === undefined) return returned;
  return artifact === undefined ? content : { content, artifact };
}

/** The session named as the thread; without one, that of the gate. */
export const sessionOfThread = (configurable: { thread_id?: unknown } | undefined): GateSession =>
  configurable?.thread_id === undefined ? {} : { externalSessionId: String(configurable.thread_id) };
