import t from 'tap';
import { testSubject } from '../../src/engine/test-subject.ts';

const noon = 1_767_268_800_000;

t.test('a test that gives nothing is about an empty action in an empty session', async (t) => {
  const { counters, ...subject } = testSubject({}, []);
  t.type(counters.read, 'function');
  t.strictSame(subject, {
    input: {},
    targetKey: '',
    tool: '',
    phase: 'ACTION',
    resultStatus: '',
    dataTags: [],
    detections: [],
    integration: { id: 'test', name: 'test', kind: 'AGENT' },
    now: noon,
    session: {
      id: '',
      actionCount: 0,
      dataTags: [],
      toolCounts: new Map(),
      attemptCounts: new Map(),
      warningCount: 0,
      blockCount: 0,
      reviewCount: 0,
      startedAt: noon,
      metadata: '{}',
      entityId: null,
      recentActions: [],
    },
    toolsMentioned: new Set(),
    repeats: 0,
  });
});

t.test('what is given replaces the default, and fills what follows from it', async (t) => {
  const { tool, now, session } = testSubject(
    {
      input: { toolName: 'a' },
      now: '2026-01-01T13:00:00.25+01:00',
      session: { toolCounts: { b: 2 }, recentActions: [{ tool: 'x', at: '2026-01-01T11:00:00Z' }, {}] },
    },
    [],
  );
  t.equal(tool, 'a', 'the tool as the service finds it');
  t.equal(now, noon + 250);
  t.strictSame([...session.toolCounts], [['b', 2]]);
  t.equal(session.startedAt, now);
  const common = { targetKey: null, dataTags: [], enforcementAction: 'ALLOW', severity: null };
  t.strictSame(session.recentActions, [
    { seq: 2, tool: 'x', ...common, at: noon - 3_600_000 },
    { seq: 1, tool: '', ...common, at: now },
  ]);
});
