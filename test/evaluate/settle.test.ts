import t, { type Test } from 'tap';
import type { Loaded } from '../../src/evaluate/port.ts';
import { noUsage } from '../../src/evaluate/quotas.ts';
import { newContext, type SessionProgress } from '../../src/evaluate/session.ts';
import { settle } from '../../src/evaluate/settle.ts';
import type { ActionReviews, NewEvaluation, SessionContext, Verdict } from '../../src/store/store.ts';
import * as make from '../store/samples.ts';

const { start } = make;
const integrationId = 'integration';

/** What a store loads for an evaluation that it knows nothing about. */
const loaded = (more: Partial<Loaded> = {}): Loaded => ({
  stored: null,
  revision: 0,
  session: null,
  action: null,
  review: null,
  pending: null,
  grants: [],
  rejection: null,
  counters: null,
  sightings: null,
  ancestors: [],
  tree: null,
  delegatorRevisions: [],
  usage: noUsage,
  ...more,
});

const progress = (more: Partial<SessionProgress> = {}): SessionProgress => ({
  ...newContext({ id: 's', entityId: null, metadata: '{}', startedAt: start, place: null }),
  place: null,
  endedAt: null,
  dataTags: [],
  labels: [],
  monitoredLabels: [],
  recentActions: [],
  hasRecentActions: false,
  otherCount: 0,
  stoppedCounts: new Map(),
  toolNameCount: 0,
  addToolCount: () => undefined,
  addStoppedCount: () => undefined,
  status: 'ACTIVE',
  expiresAt: start + 1_000,
  ...more,
});

const review = (more: Partial<NonNullable<Loaded['review']>> = {}): NonNullable<Loaded['review']> => ({
  id: 'r',
  status: 'APPROVED',
  expiresAt: start + 10,
  expirySeconds: 900,
  endsWithSession: false,
  sessionId: null,
  tool: 'x',
  inputHash: 'h',
  violations: [],
  comment: null,
  decidedAt: null,
  ...more,
});

const evaluation = (more: Partial<NewEvaluation> = {}) => make.evaluation(integrationId, more);

/** Settles with this verdict, and says what the decision was given. */
function decided(from: Loaded, asked: NewEvaluation, verdict: Partial<Verdict> = {}) {
  let seen: { context: SessionContext; reviews: ActionReviews } | undefined;
  const settled = settle(from, asked, (context, reviews) => {
    seen = { context, reviews };
    return make.verdict(verdict);
  });
  return { ...settled, seen };
}

function refusal(t: Test, from: Loaded, asked: NewEvaluation) {
  const { result, writes, seen } = decided(from, asked);
  t.equal(writes, null, 'nothing is written');
  t.equal(seen, undefined, 'nothing is decided');
  return result;
}

t.test('refuses in one order: what decides, the key, the session, the action, the review', async (t) => {
  const asked = evaluation({
    idempotency: make.once(),
    session: { id: 's' },
    resultOf: 'a',
    reviewRequestId: 'r',
  });
  const repair: Partial<Loaded>[] = [
    { revision: 0 },
    { stored: null },
    { session: progress({ status: 'TERMINATED', endedAt: start - 900_000 }) },
    { session: progress() },
    { action: { hasResult: true } },
    { action: { hasResult: false } },
  ];
  let from = loaded({
    stored: { requestHash: 'h', response: 'stored', createdAt: start, permit: null },
    revision: 1,
  });
  const refusals = [refusal(t, from, asked)];
  for (const part of repair) {
    from = { ...from, ...part };
    refusals.push(refusal(t, from, asked));
  }
  t.strictSame(refusals, [
    { kind: 'stale' },
    { kind: 'replayed', response: 'stored' },
    { kind: 'no_session' },
    { kind: 'not_active', status: 'TERMINATED' },
    { kind: 'no_action' },
    { kind: 'has_result' },
    { kind: 'no_review' },
  ]);
  t.equal(decided({ ...from, review: review() }, asked).result.kind, 'recorded');
});

t.test('a result is taken for 15 minutes after its session is over, and nothing else is', async (t) => {
  const session = { id: 's' };
  const action = { hasResult: false };
  for (const over of [
    progress({ status: 'COMPLETED', endedAt: start, expiresAt: start + 9_000_000 }),
    progress({ expiresAt: start }),
  ]) {
    const from = loaded({ session: over, action });
    const status = over.endedAt === null ? 'EXPIRED' : 'COMPLETED';
    const at = (ms: number, resultOf: string | null) => evaluation({ session, resultOf, at: start + ms });
    t.equal(decided(from, at(899_999, 'a')).result.kind, 'recorded');
    t.strictSame(refusal(t, from, at(900_000, 'a')), { kind: 'not_active', status });
    t.strictSame(refusal(t, from, at(1, null)), { kind: 'not_active', status });
  }
});

t.test('a stored answer is given again while it counts and what it permits still stands', async (t) => {
  const asked = evaluation({ idempotency: make.once(), policySet: { key: 'p:1', members: [], terms: [] } });
  const stored = { requestHash: 'h', response: 'a', createdAt: start, permit: null };
  const from = (more: object) => loaded({ stored: { ...stored, ...more } });
  const permit = { sessionStatus: 'ACTIVE', policySetKey: 'p:1' };
  t.strictSame(refusal(t, from({}), asked), { kind: 'replayed', response: 'a' });
  t.strictSame(refusal(t, from({ permit }), asked), { kind: 'replayed', response: 'a' });
  t.strictSame(refusal(t, from({ requestHash: 'other' }), asked), { kind: 'key_reused' });
  t.strictSame(refusal(t, from({ permit: { ...permit, sessionStatus: 'EXPIRED' } }), asked), {
    kind: 'lapsed',
    why: 'not_active',
    status: 'EXPIRED',
  });
  const changed = { kind: 'lapsed', why: 'policies_changed' };
  t.strictSame(refusal(t, from({ permit: { ...permit, policySetKey: 'p:2' } }), asked), changed);
  const blocking = { ...asked, idempotency: make.once({ blocksAll: true }) };
  t.strictSame(refusal(t, from({ permit }), blocking), changed);
  t.equal(decided(from({ createdAt: start - 86_400_001 }), asked).result.kind, 'recorded', 'forgotten');
});

t.test('the session of a decision: the one that is there, the one it opens, or an empty one', async (t) => {
  const open = make.session(integrationId, { entityId: 'e', metadata: '{"k":1}' });
  const live = progress({ actionCount: 4 });

  const existing = decided(loaded({ session: live }), evaluation({ session: { id: 's' } }));
  t.equal(existing.seen?.context, live);
  t.match(existing.writes, { opens: null, names: null, seq: 5 });

  const opening = decided(loaded(), evaluation({ session: { open } }));
  t.match(opening.seen?.context, { id: open.id, entityId: 'e', metadata: '{"k":1}', actionCount: 0 });
  t.match(opening.writes, { opens: open, names: null, seq: 1 });

  const named = { name: 'n', usedAfter: 0, open };
  t.match(decided(loaded(), evaluation({ session: named })).writes, { opens: open, names: named, seq: 1 });
  t.match(decided(loaded({ session: live }), evaluation({ session: named })).writes, {
    opens: null,
    names: named,
    seq: 5,
  });

  const none = decided(loaded(), evaluation());
  t.match(none.seen?.context, { id: '', metadata: '{}', startedAt: start, toolCounts: new Map() });
  t.match(none.writes, { opens: null, seq: null });
});

t.test('expiresAt itself is too late for a session', async (t) => {
  const from = loaded({ session: progress() });
  const at = (more: number) => evaluation({ session: { id: 's' }, at: start + more });
  t.equal(decided(from, at(999)).result.kind, 'recorded');
  t.strictSame(refusal(t, from, at(1_000)), { kind: 'not_active', status: 'EXPIRED' });
});

t.test('a joined session must be that of the entity, if one is named', async (t) => {
  const open = make.session(integrationId);
  const joining = (entityId: string | null) =>
    evaluation({ session: { externalSessionId: 'x', entityId, open } });
  const from = loaded({ session: progress({ entityId: 'e' }) });
  t.strictSame(refusal(t, from, joining('f')), { kind: 'other_entity' });
  t.match(decided(from, joining('e')).writes, { opens: null, seq: 1 });
  t.match(decided(from, joining(null)).writes, { opens: null, seq: 1 });
  t.match(decided(loaded(), joining('f')).writes, { opens: open });
});

t.test('only actions have a place in their session', async (t) => {
  const from = loaded({ session: progress(), action: { hasResult: false } });
  const session = { id: 's' };
  t.match(decided(from, evaluation({ session, phase: 'PROMPT' })).writes, { seq: null });
  t.match(decided(from, evaluation({ session, phase: 'RESULT', resultOf: 'a' })).writes, { seq: null });
});

t.test('reviews are as the clock says; an approval and a hold must find them so', async (t) => {
  const asked = (at: number) => evaluation({ reviewRequestId: 'r', at: start + at });
  const from = loaded({ review: review() });
  t.equal(decided(from, asked(9)).seen?.reviews.named?.status, 'APPROVED');
  t.equal(decided(from, asked(10)).seen?.reviews.named?.status, 'EXPIRED');
  t.match(decided(from, asked(9), { consumesReview: true }).writes, { reviewRequestId: 'r' });
  t.throws(() => decided(from, asked(10), { consumesReview: true }), /not APPROVED/);
  t.throws(() => decided(loaded(), evaluation(), { consumesReview: true }), /not APPROVED/);

  const pending = {
    id: 'p',
    status: 'PENDING' as const,
    expiresAt: start + 10,
    expirySeconds: 900,
    endsWithSession: false,
  };
  const held = evaluation({ at: start + 9 });
  const late = evaluation({ at: start + 10 });
  t.equal(decided(loaded({ pending }), held).seen?.reviews.pending, pending);
  t.equal(decided(loaded({ pending }), late).seen?.reviews.pending, null, 'it has expired');

  const { content, terms, grants } = make.review();
  const heldAgain = {
    id: 'p',
    callbackUrl: null,
    shownTool: 'pay',
    content,
    terms,
    grants,
    rejectionCounts: null,
    expiresAt: start + 10,
    expirySeconds: 900,
    endsWithSession: false,
  };
  t.match(decided(loaded({ pending }), held, { heldAgain, reviewRequestId: 'p' }).writes, {
    reviewRequestId: 'p',
  });
  const named = loaded({ review: review({ id: 'p', status: 'PENDING' }) });
  t.equal(decided(named, asked(9), { heldAgain }).result.kind, 'recorded');
  t.throws(() => decided(named, asked(10), { heldAgain }), /not PENDING/);
  t.throws(() => decided(loaded({ pending }), late, { heldAgain }), /not PENDING/);
});

t.test(
  'the answer of what lets something through is a permit, which rests on the session of an action',
  async (t) => {
    const inSession = { inSession: true };
    for (const [phase, enforcementAction, permit] of [
      ['ACTION', 'ALLOW', inSession],
      ['ACTION', 'WARN', inSession],
      ['ACTION', 'APPROVAL_REQUIRED', null],
      ['ACTION', 'BLOCK', null],
      ['PROMPT', 'ALLOW', inSession],
      ['RESULT', 'ALLOW', { inSession: false }],
      ['RESULT', 'BLOCK', null],
    ] as const) {
      const { result, writes } = decided(loaded(), evaluation({ phase }), {
        enforcementAction,
        response: 'a',
      });
      t.match(result, { kind: 'recorded', response: 'a' });
      t.strictSame(writes?.permit, permit, `${phase} ${enforcementAction}`);
    }
  },
);
