/** The two ends of a proxy. */
export type Side = 'client' | 'server';

/**
 * How a request is treated. `pass`: sent on as it is. Everything else is evaluated as an ACTION before it is sent on, and its
 * response as the RESULT of it. `known`: the members of its params that say what is done.
 */
export type Treatment = 'pass' | { readonly known: readonly string[] };

const listed = (...methods: string[]): [string, Treatment][] => methods.map((method) => [method, 'pass']);

/** Revisions 2024-11-05 to 2026-07-28. Another request is refused: nobody knows what it does. */
const requests: Readonly<Record<Side, ReadonlyMap<string, Treatment>>> = {
  client: new Map<string, Treatment>([
    ...listed('initialize', 'ping', 'server/discover', 'subscriptions/listen', 'logging/setLevel'),
    ...listed('tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'),
    ...listed('resources/subscribe', 'resources/unsubscribe'),
    ...listed('tasks/list', 'tasks/cancel'),
    ['tools/call', { known: ['name', 'arguments', 'task', 'inputResponses', 'requestState'] }],
    ['resources/read', { known: ['uri', 'inputResponses', 'requestState'] }],
    ['prompts/get', { known: ['name', 'arguments', 'inputResponses', 'requestState'] }],
    ['completion/complete', { known: ['ref', 'argument', 'context'] }],
    // A task of revision 2026-07-28 has its result in it.
    ['tasks/get', { known: ['taskId'] }],
    ['tasks/result', { known: ['taskId'] }],
    ['tasks/update', { known: ['taskId', 'inputResponses'] }],
  ]),
  server: new Map<string, Treatment>([
    ...listed('ping', 'roots/list'),
    ...listed('tasks/list', 'tasks/cancel'),
    ['tasks/get', { known: ['taskId'] }],
    ['tasks/result', { known: ['taskId'] }],
    ['sampling/createMessage', { known: [] }],
    ['elicitation/create', { known: [] }],
  ]),
};

/** Neither end does anything for one of these that the other end could not see. */
const notifications: Readonly<Record<Side, ReadonlySet<string>>> = {
  client: new Set([
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
    'notifications/tasks/status',
  ]),
  server: new Set([
    'notifications/cancelled',
    'notifications/progress',
    'notifications/message',
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
    'notifications/resources/updated',
    'notifications/elicitation/complete',
    'notifications/subscriptions/acknowledged',
    'notifications/tasks/status',
  ]),
};

/** Null for a method that the side has no request of. Case counts, as everywhere in JSON-RPC. */
export const treatmentOf = (from: Side, method: string): Treatment | null =>
  requests[from].get(method) ?? null;

export const isNotification = (from: Side, method: string): boolean => notifications[from].has(method);

/** Methods are names of tools in rules, where they are evaluated: `mcp__crm__resources/read`. */
export const isMethodName = (name: string): boolean =>
  [...requests.client.keys(), ...requests.server.keys()].some((method) => method === name);

/** The one that is behind the other end. */
export const otherSide = (side: Side): Side => (side === 'client' ? 'server' : 'client');
