import t from 'tap';
import { testSubject } from '../../../src/policy/document/test-subject.ts';

const noon = 1_767_268_800_000;

t.test('a test that gives nothing is about an empty action in an empty session', async (t) => {
  const { counters, sightings, ...subject } = testSubject({}, []);
  t.type(counters.read, 'function');
  t.strictSame(sightings.find('x'), []);
  t.strictSame(subject, {
    input: {},
    targetKey: '',
    tool: '',
    catalogued: null,
    phase: 'ACTION',
    cost: undefined,
    identity: null,
    resultStatus: '',
    dataTags: [],
    detections: [],
    integration: { id: 'test', name: 'test', kind: 'AGENT' },
    now: noon,
    session: {
      id: '',
      rootId: '',
      parentId: null,
      depth: 0,
      tree: null,
      labels: [],
      monitoredLabels: [],
      actionCount: 0,
      dataTags: [],
      toolCounts: new Map(),
      attemptCounts: new Map(),
      warningCount: 0,
      blockCount: 0,
      reviewCount: 0,
      rejectionCount: 0,
      startedAt: noon,
      metadata: '{}',
      entityId: null,
      recentActions: [],
    },
    toolsMentioned: new Set(),
    repeats: 0,
    grants: [],
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
  const found = { rules: [], reasons: [], labels: [], repeats: 0 };
  const common = { targetKey: null, dataTags: [], enforcementAction: 'ALLOW', severity: null, ...found };
  t.strictSame(session.recentActions, [
    { seq: 2, tool: 'x', ...common, at: noon - 3_600_000 },
    { seq: 1, tool: '', ...common, at: now },
  ]);
});

t.test('grants of the session are given with their rule, and for the rest by need', async (t) => {
  const { grants } = testSubject(
    {
      session: {
        grants: [
          { ruleId: 'a' },
          { ruleId: 'b', tool: 'pay', usesLeft: 2, expiresAt: '2026-01-01T12:00:00Z' },
        ],
      },
    },
    [],
  );
  t.strictSame(grants, [
    { ruleId: 'a', tool: '', usesLeft: null, expiresAt: null },
    { ruleId: 'b', tool: 'pay', usesLeft: 2, expiresAt: noon },
  ]);
});

t.test('what a test says of its tool and of a tree is there', async (t) => {
  const { catalogued, session } = testSubject(
    {
      destinations: ['a'],
      session: { parentId: 'p', depth: 1 },
      tree: { toolCounts: { x: 2 }, labels: ['A'] },
    },
    [],
  );
  const entry = {
    effect: 'READ',
    untrustedResults: false,
    directory: false,
    described: true,
    destinations: ['a'],
    identifiers: [],
  };
  t.strictSame(catalogued, entry);
  t.match(session, { parentId: 'p', depth: 1, tree: { labels: ['A'], actionCount: 0 } });
  t.strictSame([...(session.tree?.attemptCounts ?? [])], [['x', 2]], 'what was let through was attempted');
});
