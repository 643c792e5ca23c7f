import { type CelType, timestampFromEpochMs, typeOf, types } from '../src/cel/index.ts';

// What policies of this service look like, and the context they run over: shared by the CEL benchmarks.

const action = types.object('Action', {
  tool: types.string,
  outcome: types.string,
  dataTags: types.list(types.string),
});
const session = types.object('Session', {
  warningCount: types.int,
  actionCount: types.int,
  toolCounts: types.map(types.int),
  dataTags: types.list(types.string),
  recentActions: types.list(action),
  startedAt: types.timestamp,
});
const params = { maxCalls: 10, maxWarnings: 3, longSession: 50, outbound: ['net.http_post', 'email.send'] };

export const variables: Record<string, CelType> = {
  tool: types.string,
  session,
  params: typeOf(params, 'params'),
  input: types.object('input', { url: types.string, amount: types.double, text: types.string }),
};

export const activation = {
  tool: 'web.search',
  session: {
    warningCount: 1,
    actionCount: 17,
    toolCounts: { 'web.search': 4, 'email.send': 1 },
    dataTags: ['PII', 'FINANCIAL'],
    recentActions: Array.from({ length: 10 }, (_, index) => ({
      tool: index % 3 === 0 ? 'crm.read' : 'web.search',
      outcome: 'ALLOWED',
      dataTags: index === 4 ? ['PII'] : [],
    })),
    startedAt: timestampFromEpochMs(1_790_000_000_000),
  },
  params,
  input: { url: 'https://example.com/orders', amount: 120.5, text: 'the quarterly numbers are attached' },
};

/** The same for the libraries whose integers are bigints. */
export const bigintActivation = toBigint({
  ...activation,
  session: { ...activation.session, startedAt: null },
});

function toBigint(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toBigint);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toBigint(inner)]));
}

export const simpleRules: readonly string[] = [
  'session.warningCount >= 3',
  'session.warningCount >= params.maxWarnings',
  'tool == "email.send"',
  'tool in ["net.http_post", "email.send"]',
  '"PII" in session.dataTags',
  '"PII" in session.dataTags && tool in ["net.http_post", "email.send"]',
  'session.toolCounts[?tool].orValue(0) >= params.maxCalls',
  'session.actionCount > params.longSession || session.warningCount > 5',
  'has(input.amount) && input.amount > 1000.0',
  'input.url.startsWith("http://")',
];

export const heavierRules: readonly string[] = [
  'session.recentActions.exists(a, a.tool == "crm.read" && "PII" in a.dataTags)',
  'session.recentActions.filter(a, a.tool == tool).size() > 5',
  'input.text.matches(r"(?i)\\b(quarterly|annual)\\s+numbers\\b")',
];

/** A policy as large as they get: every simple rule ten times, with another literal each time. */
export const hundredRules: readonly string[] = Array.from({ length: 10 }, (_, round) =>
  simpleRules.map((rule) => rule.replace('email.send', `email.send${round}`).replace(' 3', ` ${round + 3}`)),
).flat();
