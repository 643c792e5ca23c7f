import t from 'tap';
import {
  advance,
  attemptCountsOf,
  newContext,
  type SessionProgress,
  statusAt,
} from '../../src/evaluate/session.ts';
import * as make from '../store/samples.ts';

const { start } = make;

/** A session's progress that is nothing but its counts, as any store may keep it. */
function progress(): SessionProgress {
  const toolCounts = new Map<string, number>();
  const stoppedCounts = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string): void =>
    void counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    ...newContext({ id: 's', entityId: null, metadata: '{}', startedAt: start, place: null }),
    place: null,
    endedAt: null,
    dataTags: [],
    labels: [],
    monitoredLabels: [],
    toolCounts,
    stoppedCounts,
    get attemptCounts() {
      return attemptCountsOf({ toolCounts, stoppedCounts });
    },
    recentActions: [],
    hasRecentActions: true,
    otherCount: 0,
    toolNameCount: 0,
    addToolCount: (name) => add(toolCounts, name),
    addStoppedCount: (name) => add(stoppedCounts, name),
    status: 'ACTIVE',
    expiresAt: start + 1_000,
  };
}

t.test('what was let through counts as used, what was not as attempted only', async (t) => {
  const session = progress();
  for (const enforcementAction of ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'] as const) {
    advance(session, make.evaluation('i', { tool: 'a' }), make.verdict({ enforcementAction }));
  }
  t.match(session, { actionCount: 4, warningCount: 1, blockCount: 1, reviewCount: 1, otherCount: 0 });
  t.strictSame([...session.toolCounts], [['a', 2]]);
  t.strictSame([...session.attemptCounts], [['a', 4]]);
});

t.test('prompts and results add their tags, and are no actions', async (t) => {
  const session = progress();
  for (const phase of ['PROMPT', 'RESULT'] as const) {
    const asked = make.evaluation('i', { phase, dataTags: ['PII', phase] });
    advance(session, asked, make.verdict({ enforcementAction: 'BLOCK' }));
  }
  t.match(session, { actionCount: 0, blockCount: 0, otherCount: 2, recentActions: [] });
  t.strictSame(session.dataTags, ['PII', 'PROMPT', 'RESULT']);
});

t.test('the last 50 actions are kept, newest first, once they were read', async (t) => {
  const session = progress();
  for (let action = 0; action < 60; action++) {
    advance(session, make.evaluation('i', { at: start + action }), make.verdict({ enforcedSeverity: 'LOW' }));
  }
  t.equal(session.recentActions.length, 50);
  t.match(session.recentActions[0], { seq: 60, at: start + 59, severity: 'LOW' });
  t.match(session.recentActions[49], { seq: 11 });
  const unread = { ...progress(), hasRecentActions: false };
  advance(unread, make.evaluation('i'), make.verdict());
  t.strictSame(unread.recentActions, [], 'an incomplete list is never begun');
});

t.test('a session that nobody ended expires', async (t) => {
  const expiresAt = start;
  t.equal(statusAt({ status: 'ACTIVE', expiresAt }, start - 1), 'ACTIVE');
  t.equal(statusAt({ status: 'ACTIVE', expiresAt }, start), 'EXPIRED');
  t.equal(statusAt({ status: 'TERMINATED', expiresAt }, start), 'TERMINATED');
});
