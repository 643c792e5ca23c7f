import type { Gate } from '../client/index.ts';
import { type Conversation, openConversation, type RouteOptions } from './conversations.ts';

export type { Conversation, RouteOptions } from './conversations.ts';

// The used part of `fastify`.
interface Reply {
  code(status: number): { send(body: unknown): unknown };
}

/** `preHandler` for the route of an agent: evaluates what a person asks, and gives the handler `request.assize`. */
export function protectRoute<Request extends object>(gate: Gate, options: RouteOptions<Request>) {
  return async (request: Request & { assize?: Conversation }, reply: Reply): Promise<unknown> => {
    const { conversation, refusal } = await openConversation(gate, options, request);
    if (refusal) return reply.code(refusal.status).send(refusal.body);
    request.assize = conversation;
    return undefined;
  };
}
