/** The decisions about calls of tools whose results have yet to come: of one conversation, by the id of the call. */
export interface StartedCalls<Decided> {
  put(conversation: object, callId: string, decided: Decided): void;
  /** Undefined when nothing was decided about the call, or its result came before. */
  take(conversation: object, callId: string): Decided | undefined;
}

/** Kept no longer than the object that stands for the conversation, so that no other one can use its decisions. */
export function createStartedCalls<Decided>(): StartedCalls<Decided> {
  const conversations = new WeakMap<object, Map<string, Decided>>();
  return {
    put(conversation, callId, decided) {
      const calls = conversations.get(conversation) ?? new Map<string, Decided>();
      conversations.set(conversation, calls.set(callId, decided));
    },
    take(conversation, callId) {
      const calls = conversations.get(conversation);
      const decided = calls?.get(callId);
      calls?.delete(callId);
      return decided;
    },
  };
}
