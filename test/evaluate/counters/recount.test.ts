import t from 'tap';
import { Random } from '../../cel/fuzz/random.ts';
import { adminKey, startApp } from '../../helpers/app.ts';

const minute = 60_000;
const hour = 60 * minute;
const tools = ['pay', 'look', 'stop', 'hold', 'reset'];
const customers = ['c1', 'c2', 'c3'];
const people = ['00000000-0000-4000-8000-0000000000aa', '00000000-0000-4000-8000-0000000000bb', null];

interface Done {
  at: number;
  tool: string;
  amount: number;
  customer: string;
  session: string | null;
  entity: string | null;
  /** The root of its session; null without a session. */
  tree: string | null;
  key: string;
  became: string;
  rules: string[];
  isResult: boolean;
}

/** Where something is done. */
type Place = Pick<Done, 'session' | 'entity' | 'tree' | 'key'>;

interface Counter {
  over: 'session' | 'tree' | 'entity' | 'integration';
  window: { within: string; ms: number } | { per: 'hour' | 'day' } | null;
  where: 'pay' | 'any' | 'warned';
  counts: 'ALLOWED' | 'HELD' | 'BLOCKED' | 'ATTEMPTED';
  measure: 'count' | 'sum' | 'distinct' | 'per';
  isOfResults: boolean;
  resets: boolean;
}

function randomCounter(random: Random): Counter {
  const over = random.pick(['session', 'tree', 'entity', 'integration'] as const);
  const windows = [
    { within: '10m', ms: 10 * minute },
    { within: '3h', ms: 3 * hour },
    { per: 'hour' } as const,
    { per: 'day' } as const,
  ];
  const isOfResults = random.below(5) === 0;
  return {
    over,
    window: (over === 'session' || over === 'tree') && random.below(2) === 0 ? null : random.pick(windows),
    where: isOfResults ? 'any' : random.pick(['pay', 'any', 'warned'] as const),
    counts: isOfResults ? 'ATTEMPTED' : random.pick(['ALLOWED', 'HELD', 'BLOCKED', 'ATTEMPTED'] as const),
    measure: isOfResults ? 'count' : random.pick(['count', 'sum', 'distinct', 'per'] as const),
    isOfResults,
    resets: !isOfResults && random.below(4) === 0,
  };
}

/** `turn` makes another definition of it that counts the same. */
function textOf(
  { over, window, where, counts, measure, isOfResults, resets }: Counter,
  turn: number,
): string {
  const conditions = { pay: 'tool == "pay"', any: 'tool != "show"', warned: '"warned" in decision.rules' };
  const measures = {
    count: [],
    sum: ['add: arguments.amount'],
    distinct: ['distinct: input.customer', 'cap: 10'],
    per: [],
  };
  const split = measure === 'per' ? ['input.customer'] : [];
  const unit = window !== null && 'per' in window ? [window.per] : [];
  const per = [...unit, ...split];
  const entries = [
    `over: ${over}`,
    `counts: ${counts}`,
    `where: '${conditions[where]} && ${turn} == ${turn}'`,
    ...measures[measure],
    ...(isOfResults ? ['on: RESULT'] : []),
    ...(resets ? [`reset: tool == "reset"`] : []),
    ...(window !== null && 'within' in window ? [`within: ${window.within}`] : []),
    ...(per.length > 0 ? [`per: [${per.join(', ')}]`] : []),
  ];
  return `{ ${entries.join(', ')} }`;
}

const policyOf = (name: string, counters: readonly Counter[], turn: number): string => `
schemaVersion: 1
name: ${name}
counters:
${counters.map((counter, place) => `  c${place}: ${textOf(counter, turn)}`).join('\n')}
rules:
  - { id: warned, when: tool == "pay" && arguments.amount > 5, effect: WARN }
  - { id: stop, when: tool == "stop", effect: BLOCK }
  - { id: hold, when: tool == "hold", effect: APPROVAL_REQUIRED }
${counters
  .map(
    ({ measure }, place) =>
      `  - { id: show-${place}, when: tool == "show", effect: WARN, message: 'c${place} {{counters.c${place}${measure === 'per' ? '["c1"]' : ''}}}' }`,
  )
  .join('\n')}
`;

/** An oracle that keeps everything: what counts if `isLive`. */
function recount(
  counter: Counter,
  history: readonly Done[],
  of: Place,
  isLive: (at: number) => boolean,
): number {
  const { over, where, counts, measure, isOfResults, resets } = counter;
  let kept: Done[] = [];
  for (const done of history) {
    if (over === 'session' ? done.session !== of.session || of.session === null : false) continue;
    if (over === 'tree' && (done.tree !== of.tree || of.tree === null)) continue;
    if (over === 'entity' && done.entity !== of.entity) continue;
    // In a session that was delegated to it, an integration counts for itself.
    if ((over === 'entity' || over === 'integration') && done.key !== of.key) continue;
    if (done.isResult !== isOfResults) continue;
    const passed = done.became === 'ALLOW' || done.became === 'WARN';
    // A reset of a counter that is split resets the value that the action names.
    if (resets && passed && done.tool === 'reset')
      kept = measure === 'per' ? kept.filter(({ customer }) => customer !== done.customer) : [];
    const selects = where === 'pay' ? done.tool === 'pay' : where === 'any' || done.rules.includes('warned');
    const isCounted = {
      ALLOWED: passed,
      HELD: done.became === 'APPROVAL_REQUIRED',
      BLOCKED: done.became === 'BLOCK',
      ATTEMPTED: true,
    }[counts];
    if (selects && isCounted && done.tool !== 'show') kept.push(done);
  }
  const live = kept.filter(({ at }) => isLive(at));
  if (measure === 'sum') return live.reduce((sum, { amount }) => sum + amount, 0);
  if (measure === 'distinct') return new Set(live.map(({ customer }) => customer)).size;
  return measure === 'per' ? live.filter(({ customer }) => customer === 'c1').length : live.length;
}

t.test(
  'counters say what a plain recount says, whether they counted or were counted from the record',
  async (t) => {
    const random = new Random(17);
    let compared = 0;
    for (let round = 0; round < 4; round += 1) {
      const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
      const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
      const counters = Array.from({ length: 12 }, () => randomCounter(random));
      await app.policy(id, policyOf('live', counters, 1));
      const other = await app.integration('AGENT', { contentRetention: 'full' });
      const delegatesTo = [other.id];
      await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { settings: { delegatesTo } });
      const send = async ({ key }: Pick<Done, 'key'>, body: object) => {
        const { body: response, text } = await app.call(key, 'POST', '/v1/evaluate', body);
        if (!response.success) throw new Error(text);
        return response.data;
      };
      const sessions: Place[] = [{ session: null, entity: null, tree: null, key }];
      const expiresAt = new Date(app.clock.now() + 480 * hour).toISOString();
      async function open(as: string, entity: string | null, parent: Place | null): Promise<Place> {
        const { body } = await app.call(as, 'POST', '/v1/evaluation-sessions', {
          expiresAt,
          ...(entity !== null && { entityId: entity }),
          ...(parent !== null && { parentSessionId: parent.session }),
        });
        const session: string = body.data.id;
        const opened = { session, entity, tree: parent?.tree ?? session, key: as };
        sessions.push(opened);
        return opened;
      }
      for (const entity of [...people, ...people]) {
        const root = await open(key, entity, null);
        if (sessions.length > 3) continue;
        await open(key, entity, root);
        await open(other.key, entity, await open(other.key, entity, root));
      }
      const history: Done[] = [];
      const named = ({ session }: Pick<Done, 'session'>) => (session === null ? {} : { sessionId: session });
      async function act(): Promise<void> {
        const [of, tool] = [random.pick(sessions), random.pick(tools)];
        const input = { tool, amount: random.below(9), customer: random.pick(customers) };
        const {
          enforcementAction: became,
          violations,
          evaluationRunId,
        } = await send(of, { input, ...named(of) });
        const rules = violations.map(({ ruleId }: { ruleId: string }) => ruleId);
        const done = { at: app.clock.now(), ...input, ...of, became, rules };
        history.push({ ...done, isResult: false });
        if ((became !== 'ALLOW' && became !== 'WARN') || random.below(4) > 0) return;
        await send(of, { phase: 'RESULT', resultOf: evaluationRunId, status: 'OK', input: { done: true } });
        history.push({ ...done, became: 'ALLOW', isResult: true });
      }
      async function compare(): Promise<void> {
        const of = random.pick(sessions);
        const { violations } = await send(of, { input: { tool: 'show' }, ...named(of) });
        const shown = violations.filter(({ ruleId }: { ruleId: string }) => ruleId.startsWith('show-'));
        const now = app.clock.now();
        for (const { message, policyName } of shown as { message: string; policyName: string }[]) {
          const [name = '', value] = message.split(' ');
          const counter = counters[Number(name.slice(1))] as Counter;
          const { window } = counter;
          const unitMs = window !== null && 'per' in window ? { hour, day: 24 * hour }[window.per] : 0;
          const isLive = (ms: number) => (at: number) =>
            window === null ||
            ('per' in window ? Math.floor(at / unitMs) === Math.floor(now / unitMs) : at > now - ms);
          const ms = window !== null && 'ms' in window ? window.ms : 0;
          const least = recount(counter, history, of, isLive(ms));
          const most = recount(counter, history, of, isLive(ms + ms / 60 + 1));
          if (Number(value) < least || Number(value) > most)
            t.fail(
              `round ${round}, ${policyName}, ${textOf(counter, 0)}: ${value} is not from ${least} to ${most}`,
            );
          compared += 1;
        }
      }
      for (let step = 0; step < 60; step += 1) {
        await act();
        // To the edges of windows, and over several of them at once.
        app.clock.advance(
          random.pick([0, 1_000, minute, 10 * minute, 10 * minute + 1, hour - 1, 3 * hour]) *
            (random.below(3) > 0 ? 0 : 1),
        );
        if (step % 6 === 0) await compare();
      }
      await app.policy(id, policyOf('late', counters, 2));
      for (let times = 0; times < 8; times += 1) await compare();
      for (let step = 0; step < 20; step += 1) await act();
      for (let times = 0; times < 8; times += 1) await compare();
      // What was counted stays when the content goes.
      while (await app.store.evaluations.forgetContent(Number.MAX_SAFE_INTEGER));
      await compare();
    }
    t.ok(compared > 1_000, `${compared} comparisons`);
  },
);
