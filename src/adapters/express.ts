import type { Gate } from '../client/index.ts';
import { type Conversation, openConversation, type RouteOptions } from './conversations.ts';

export type { Conversation, RouteOptions } from './conversations.ts';

// The used part of `express`.
interface Response {
  status(code: number): { json(body: unknown): unknown };
}

/** Middleware for the route of an agent: evaluates what a person asks, and gives the handler `request.assize`. */
export function protectRoute<Request extends object>(gate: Gate, options: RouteOptions<Request>) {
  return (
    request: Request & { assize?: Conversation },
    response: Response,
    next: (error?: unknown) => void,
  ) => {
    openConversation(gate, options, request).then(({ conversation, refusal }) => {
      if (refusal) return response.status(refusal.status).json(refusal.body);
      request.assize = conversation;
      return next();
    }, next);
  };
}
