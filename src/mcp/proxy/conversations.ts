import type { ReachedServer } from '../../features/mcp-servers/service.ts';
import { createProxy } from '../../mcp-proxy/proxy.ts';
import type { Untold } from '../../mcp-proxy/tool-list.ts';
import { createServiceEvaluator, type Evaluated, type EvaluatingServices } from './evaluator.ts';
import type { ServerEvent } from './event-stream.ts';
import { heavyMessage, isHeavy } from './heavy.ts';

/** One client and one server, over as many requests as they like. */
export interface Conversation {
  proxy: ReturnType<typeof createProxy>;
  /** For whom the messages of the request at hand are evaluated. */
  evaluated: Evaluated;
  /** An event of the server as the client may see it; null when the client must not get it. `back` sends a message to the server. */
  shown(event: ServerEvent, back: (text: string) => void): Promise<ServerEvent | null>;
}

/** The most conversations of one owner at a time. A further one ends the conversation that was idle for the longest time. */
const mostConversations = 1_000;
/** Evaluated events that are kept for a client that lost its connection. */
const mostKept = { events: 50, characters: 100_000 };

export interface Conversations {
  /** The conversation of a session of the server. */
  find(key: string, server: ReachedServer, evaluated: Evaluated): Conversation;
  /** A conversation for one request, which has no session. */
  open(server: ReachedServer, evaluated: Evaluated): Conversation;
  /** Gives a conversation the session that its server has opened. */
  keep(key: string, server: ReachedServer, conversation: Conversation): void;
  end(key: string, integrationId: string): void;
}

export function createConversations(
  services: EvaluatingServices,
  log: { drop(line: string): void; error(error: unknown): void },
): Conversations {
  const ofIntegrations = new Map<string, Map<string, Conversation>>();
  /** Reviews of held actions, by the session in which the same action uses the approval. */
  const held = new Map<string, Map<string, Map<string, string>>>();
  /** A server without sessions lists its tools in another conversation than their calls. */
  const untold = new Map<string, Map<string, Untold>>();

  function open(server: ReachedServer, evaluated: Evaluated): Conversation {
    const { sessionName, caller } = evaluated;
    const conversation: Conversation = {
      evaluated,
      proxy: createProxy({
        server: server.name,
        evaluator: createServiceEvaluator(server.name, services, () => conversation.evaluated, log.error),
        waitMs: server.holdSeconds * 1_000,
        masks: server.masks,
        held: latest(
          latest(held, caller.integration.id, () => new Map<string, Map<string, string>>()),
          `${server.id} ${sessionName}`,
          () => new Map<string, string>(),
        ),
        untold: latest(
          latest(untold, caller.integration.id, () => new Map<string, Untold>()),
          server.id,
          (): Untold => new Map(),
        ),
        toolList: server.toolList.toLowerCase() as Lowercase<ReachedServer['toolList']>,
        log: log.drop,
      }),
      shown: createShown(async (text, back) => {
        if (!isHeavy(text)) return conversation.proxy.receive('server', text, back);
        log.drop(`a message of the server was dropped: ${heavyMessage}`);
        return null;
      }),
    };
    return conversation;
  }

  const of = (integrationId: string): Map<string, Conversation> =>
    latest(ofIntegrations, integrationId, () => new Map());

  return {
    open,
    find(key, server, evaluated) {
      const known = of(evaluated.caller.integration.id);
      const conversation = latest(known, dated(key, server), () => open(server, evaluated));
      conversation.evaluated = evaluated;
      return conversation;
    },
    keep(key, server, conversation) {
      of(conversation.evaluated.caller.integration.id).set(dated(key, server), conversation);
    },
    end(key, integrationId) {
      const known = of(integrationId);
      for (const name of known.keys()) if (name.startsWith(`${key} `)) known.delete(name);
    },
  };
}

/** A changed server is another one. */
const dated = (key: string, { updatedAt }: ReachedServer): string => `${key} ${updatedAt}`;

/** The value of a key, which is then the latest one; a new one may end the oldest. */
function latest<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.delete(key);
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= mostConversations) break;
    known.delete(oldest);
  }
  return value;
}

/** Events that a server sends again to a client which lost them are shown as they were evaluated: nothing is evaluated twice. */
function createShown(
  receive: (text: string, back: (text: string) => void) => Promise<string | null>,
): Conversation['shown'] {
  const kept = new Map<string, ServerEvent>();
  let characters = 0;
  const keep = (id: string, event: ServerEvent) => {
    kept.set(id, event);
    characters += event.data?.length ?? 0;
    for (const [oldest, { data }] of kept) {
      if (kept.size <= mostKept.events && characters <= mostKept.characters) break;
      kept.delete(oldest);
      characters -= data?.length ?? 0;
    }
  };
  return async (event, back) => {
    const { id, retry, data } = event;
    const before = id === undefined ? undefined : kept.get(id);
    if (before) return before;
    // An empty event tells a client its place in the stream.
    const text = data === null || data === '' ? data : await receive(data, back);
    if (text === null && id === undefined && retry === undefined) return null;
    const shown = { ...event, data: text };
    if (id !== undefined) keep(id, shown);
    return shown;
  };
}
