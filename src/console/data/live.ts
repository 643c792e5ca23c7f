import { signal } from '@preact/signals';
import { openStream } from './api.ts';

type LiveState = 'starting' | 'following' | 'interrupted';
/** Whether the console is told of what happens. */
export const liveState = signal<LiveState>('starting');

/** Longest wait for the live feed, in milliseconds: a proxy may buffer a stream that has sent nothing yet. */
const openingMs = 500;

/** Resolves when the live feed is open, has failed, or takes too long. A page that loads after it is open need not load again. */
export async function liveOpened(): Promise<void> {
  let stop = (): void => undefined;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, openingMs);
    stop = liveState.subscribe((state) => {
      if (state !== 'starting') resolve();
    });
  });
  stop();
}

/** The topic of a page: it is told when anything of it may have changed. `evaluations` are all that were recorded. */
export type Topic = 'evaluations' | 'reviews' | 'sessions' | 'violations' | 'proposals';

const startsOfTypes: Record<Exclude<Topic, 'evaluations'>, readonly string[]> = {
  reviews: ['review.'],
  sessions: ['session.', 'label.', 'grant.'],
  violations: ['violation.', 'evaluation.'],
  proposals: ['proposal.'],
};

const listeners = new Set<{ topics: readonly Topic[]; call: () => void }>();

/** Calls when something of these topics happened, until the returned function is called. */
export function whenHappens(topics: readonly Topic[], call: () => void): () => void {
  const listener = { topics, call };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(happened: (topic: Topic) => boolean): void {
  for (const { topics, call } of [...listeners]) if (topics.some(happened)) call();
}

/** Runs again once when it was called while it ran: whatever happened is seen, by one request at a time. */
export function oneAtATime(run: () => Promise<void>): () => void {
  let state: 'idle' | 'running' | 'again' = 'idle';
  return async function go() {
    if (state !== 'idle') {
      state = 'again';
      return;
    }
    do {
      state = 'running';
      await run();
    } while ((state as string) === 'again');
    state = 'idle';
  };
}

const retryMs = 3_000;
/** The service shows every 15 seconds that it is there. */
const silentMs = 40_000;

/**
 * Follows the event log until the returned function is called. One connection for each tab in sight: browsers open six to one
 * host over HTTP/1.1. What happened while there was none is told of when there is one again.
 */
export function followLive(): () => void {
  const ended = new AbortController();
  let connection: AbortController | null = null;
  let lastId: string | null = null;

  async function follow(): Promise<void> {
    while (!ended.signal.aborted && !document.hidden) {
      connection = new AbortController();
      try {
        await readMessages(lastId, AbortSignal.any([ended.signal, connection.signal]), (message) => {
          lastId = message.id ?? lastId;
          hear(message);
        });
      } catch {
        // The service cannot be reached, or ended it: tried again below.
      }
      connection = null;
      if (ended.signal.aborted || document.hidden) return;
      liveState.value = 'interrupted';
      // Pages find out what it is: out of reach, or signed out.
      tell(() => true);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
  const onVisibility = () => {
    if (document.hidden) connection?.abort();
    else if (!connection) void follow();
  };
  document.addEventListener('visibilitychange', onVisibility);
  void follow();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    ended.abort();
  };
}

interface Message {
  id?: string;
  event?: string;
  data?: string;
}

function hear({ event, data }: Message): void {
  if (event === 'recorded') tell((topic) => topic === 'evaluations');
  // Deleted before they were read: they may have been about anything.
  else if (event === 'gap') tell(() => true);
  else if (event === undefined && data !== undefined) tell(topicOf(data));
}

function topicOf(data: string): (topic: Topic) => boolean {
  const { type } = JSON.parse(data) as { type: string };
  return (topic) => topic !== 'evaluations' && startsOfTypes[topic].some((start) => type.startsWith(start));
}

async function readMessages(
  lastId: string | null,
  signal: AbortSignal,
  onMessage: (message: Message) => void,
): Promise<void> {
  const silence = new AbortController();
  const waitOn = () => setTimeout(() => silence.abort(), silentMs);
  let timer = waitOn();
  try {
    const reader = await openStream('/v1/events?recorded=true', {
      accept: 'text/event-stream',
      background: true,
      lastEventId: lastId,
      signal: AbortSignal.any([signal, silence.signal]),
    });
    liveState.value = 'following';
    // Changes may have happened before this connection.
    tell(() => true);
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = waitOn();
      const parts = (text + value).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) onMessage(messageOf(part));
    }
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(part: string): Message {
  const fields = part.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  return Object.fromEntries(fields);
}
