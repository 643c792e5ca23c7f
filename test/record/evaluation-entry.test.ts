import t from 'tap';
import { canonicalJson } from '../../src/json/stringify.ts';
import { evaluationEntry, type RecordedEvaluationRow } from '../../src/record/evaluation-entry.ts';

const link = { chain: 'session:s', seq: 7, previous: 'b'.repeat(64) };
const full: RecordedEvaluationRow = {
  id: 'e',
  integrationId: 'i',
  transport: 'REST',
  phase: 'RESULT',
  resultOf: 'a',
  resultStatus: 'OK',
  cost: '{"usd":1.50,"tokens":20}',
  identity: '{"sub":"u","iss":"\\u00e9"}',
  tool: 'mail.send',
  targetKey: 'to: "x"',
  correlationId: 'c\\d',
  outcome: 'FLAG',
  enforcementAction: 'WARN',
  severity: 'HIGH',
  enforcedSeverity: 'LOW',
  violations: '[{"ruleId":"r","message":"m","policyName":"p"}]',
  dataTags: '["PII"]',
  detections: '[]',
  labels: '["seen"]',
  repeats: 0,
  grants: '["g"]',
  policies: 'p:1',
  terms: 'd'.repeat(64),
  reviewRequestId: 'v',
  createdAt: 1_700_000_000_009,
  namedReview: '{"status":"PENDING","id":"v"}',
  tookUs: 12,
  traceId: 't',
  content: { input: '1', targetMetadata: '2', messages: '3' },
};
/** The same by way of an object, whose members are sorted by name. */
function expected({ createdAt, content, tool, ...row }: RecordedEvaluationRow): string {
  const parse = (json: string | null) => json && JSON.parse(json);
  const violations = parse(row.violations) as { message?: string }[] | null;
  const members = {
    ...row,
    ...link,
    ...content,
    kind: 'evaluation',
    at: new Date(createdAt).toISOString(),
    tool: tool || null,
    cost: parse(row.cost),
    identity: parse(row.identity),
    violations: violations?.map(({ message: _, ...rest }) => rest) ?? null,
    dataTags: parse(row.dataTags),
    detections: parse(row.detections),
    labels: parse(row.labels),
    grants: parse(row.grants),
    namedReview: parse(row.namedReview),
  };
  return canonicalJson(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)));
}

t.test('an entry is the canonical text of its members, and leaves out what is null', async (t) => {
  t.equal(evaluationEntry(link, full), expected(full));
  const optional = Object.keys(full).filter((name) => !['createdAt', 'content'].includes(name));
  for (const name of optional) {
    const isGiven = /^(?:id|integrationId|transport|phase|outcome|enforcementAction|policies|terms)$/.test(
      name,
    );
    const row = { ...full, [name]: isGiven || name === 'tool' ? '' : null };
    t.equal(evaluationEntry(link, row), expected(row), name);
  }
  for (const name of ['input', 'targetMetadata', 'messages']) {
    const row = { ...full, content: { ...full.content, [name]: null } };
    t.equal(evaluationEntry(link, row), expected(row), name);
  }
  t.equal(evaluationEntry(link, full), expected(full), 'again, after others');
});

t.test('no text moves from one member to the next', async (t) => {
  const forged = '1,"severity":"LOW';
  for (const name of Object.keys(full)) {
    if (typeof full[name as keyof RecordedEvaluationRow] !== 'string') continue;
    if (/^(?:cost|identity|violations|dataTags|detections|labels|grants|namedReview)$/.test(name)) continue;
    const row = { ...full, [name]: forged };
    t.equal(evaluationEntry(link, row), expected(row), name);
  }
  // SQLite keeps a text in a column of numbers.
  for (const name of ['repeats', 'tookUs']) {
    const row = { ...full, [name]: forged };
    t.equal(evaluationEntry(link, row), expected(row), name);
  }
  const forgedLink = { ...link, seq: forged as unknown as number };
  const withSeq = evaluationEntry(forgedLink, full);
  t.equal(JSON.parse(withSeq).seq, forged, 'seq');
  const row = { ...full, tool: 'half \ud800', targetKey: '\udc00' };
  t.equal(
    evaluationEntry(link, row),
    expected({ ...row, tool: 'half \ufffd', targetKey: '\ufffd' }),
    'halves of surrogate pairs are as a database in UTF-8 gives them back',
  );
});
