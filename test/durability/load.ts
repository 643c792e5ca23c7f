import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Random } from './random.ts';

/** A change that was sent, and what came back: null when the process died first. */
export interface Sent {
  kind: 'evaluate' | 'create' | 'end' | 'decide';
  path: string;
  body: string;
  /** Of the caller: an integration's or the operator's. */
  apiKey: string;
  onceKey: string | null;
  correlationId: string | null;
  response: Received | null;
}
export interface Received {
  status: number;
  text: string;
  replayed: boolean;
}

/** What the load knows across restarts. */
export interface World {
  apiKey: string;
  operatorKey: string;
  hot: string;
  sessions: string[];
  /** Ends that were sent: whether they were kept may be unknown. */
  ended: Set<string>;
  /** Reviews by the body that was held. */
  reviews: { id: string; sessionId: string; body: object; decided: boolean }[];
  sentCount: number;
}

/** A tool that the policy allows so many times in a session. */
export const budget = 40;
const tools = Array.from({ length: 60 }, (_, place) => `tool.${place}`);

export function createCaller(url: string, connections: number) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  return {
    async send(sent: Sent): Promise<Received> {
      const { statusCode, headers, body } = await pool.request({
        method: 'POST',
        path: sent.path,
        headers: {
          authorization: `Bearer ${sent.apiKey}`,
          ...(sent.body !== '' && { 'content-type': 'application/json' }),
          ...(sent.onceKey !== null && { 'idempotency-key': sent.onceKey }),
        },
        ...(sent.body !== '' && { body: sent.body }),
      });
      const text = await body.text();
      return { status: statusCode, text, replayed: headers['idempotent-replayed'] === 'true' };
    },
    close: () => pool.destroy(),
  };
}
export type Caller = ReturnType<typeof createCaller>;

/** Sends it until it is served, and returns the response's data. With 503 nothing was done: another process was writing. */
export async function sendUntilServed(
  caller: Caller,
  { path, apiKey, body }: { path: string; apiKey: string; body: object },
) {
  const text = JSON.stringify(body);
  const sent = { kind: 'evaluate' as const, path, apiKey, body: text, onceKey: null, correlationId: null };
  for (;;) {
    const response = await caller.send({ ...sent, response: null });
    if (response.status !== 503) return JSON.parse(response.text).data;
    await setTimeout(20);
  }
}

/** Sends mixed changes on so many connections until the process is gone. Answers everything that was sent. */
export async function loadUntilGone(
  caller: Caller,
  world: World,
  random: Random,
  connections: number,
  onResponse: () => void,
): Promise<Sent[]> {
  const journal: Sent[] = [];
  let gone = false;
  async function work(): Promise<void> {
    while (!gone) {
      const sent = nextChange(world, random);
      journal.push(sent);
      try {
        sent.response = await caller.send(sent);
      } catch {
        gone = true;
        return;
      }
      learn(world, sent);
      onResponse();
    }
  }
  await Promise.all(Array.from({ length: connections }, work));
  return journal;
}

export function nextChange(world: World, random: Random): Sent {
  const serial = ++world.sentCount;
  const onceKey = random.chance(0.3) ? `once-${serial}` : null;
  const change = { apiKey: world.apiKey, onceKey, correlationId: null, response: null };
  const dice = random.next();
  if (dice < 0.06 || world.sessions.length < 10) {
    const body = JSON.stringify({ externalSessionId: `external-${serial}`, metadata: { serial } });
    return { ...change, kind: 'create', path: '/v1/evaluation-sessions', body };
  }
  const open = world.reviews.find((review) => !review.decided);
  if (dice < 0.12 && open) {
    open.decided = true;
    const path = `/v1/reviews/${open.id}/${random.chance(0.8) ? 'approve' : 'reject'}`;
    return { ...change, apiKey: world.operatorKey, onceKey: null, kind: 'decide', path, body: '' };
  }
  const session = random.pick(world.sessions);
  if (dice < 0.15) {
    world.ended.add(session);
    world.sessions.splice(world.sessions.indexOf(session), 1);
    const body = JSON.stringify({ status: random.pick(['COMPLETED', 'TERMINATED']) });
    return { ...change, kind: 'end', path: `/v1/evaluation-sessions/${session}/end`, body };
  }
  const correlationId = `request-${serial}`;
  const evaluate = { ...change, kind: 'evaluate' as const, path: '/v1/evaluate', correlationId };
  const decided = world.reviews.findIndex((review) => review.decided);
  if (dice < 0.22 && decided >= 0) {
    const [review] = world.reviews.splice(decided, 1);
    const body = {
      ...review?.body,
      sessionId: review?.sessionId,
      reviewRequestId: review?.id,
      correlationId,
    };
    return { ...evaluate, body: JSON.stringify(body) };
  }
  const body = {
    sessionId: random.chance(0.3) ? world.hot : session,
    input: inputOf(random, serial),
    correlationId,
  };
  return { ...evaluate, body: JSON.stringify(body) };
}

function inputOf(random: Random, serial: number): object {
  const dice = random.next();
  if (dice < 0.25) return { tool: 'limited', serial };
  if (dice < 0.35) return { tool: 'held', serial };
  if (dice < 0.45) return { tool: 'warned', serial };
  if (dice < 0.55) return { note: `write to ada${serial}@example.com` };
  return { tool: random.pick(tools), serial };
}

export function learn(world: World, { kind, body, response }: Sent): void {
  if (!response || response.status >= 300) return;
  const { data } = JSON.parse(response.text);
  if (kind === 'create') world.sessions.push(data.id);
  if (kind === 'evaluate' && data.enforcementAction === 'APPROVAL_REQUIRED' && !data.approval) {
    const { input } = JSON.parse(body);
    world.reviews.push({
      id: data.reviewRequestId,
      sessionId: data.sessionId,
      body: { input },
      decided: false,
    });
  }
}

export const policy = `
schemaVersion: 1
name: durability
counters:
  inSession: { over: session, counts: ATTEMPTED }
  ofEntity: { over: entity, counts: ATTEMPTED, within: 400d }
  ofAll: { over: integration, counts: ATTEMPTED, within: 400d }
rules:
  - id: budget
    when: tool == "limited" && session.toolCounts[?tool].orValue(0) >= ${budget}
    effect: BLOCK
    severity: HIGH
  - id: seen
    when: size(seen(tool)) > 5
    effect: BLOCK
    severity: HIGH
  - id: held
    when: tool == "held"
    effect: APPROVAL_REQUIRED
    severity: MEDIUM
  - id: warned
    when: tool == "warned"
    effect: WARN
    severity: LOW
`;
