import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { createDetector } from '../src/detectors/index.ts';
import { parseWithTexts, stringifyWithTexts } from '../src/evaluate/verbatim-texts.ts';
import { checkJson } from '../src/http/json-checks.ts';
import { compilePolicy } from '../src/policy/compile-policy.ts';
import { decide } from '../src/policy/decide.ts';
import { checkPolicyDocument } from '../src/policy/document/check-policy-document.ts';
import { hashedKey, hashKey } from '../src/services/access/keys.ts';
import { openStore } from '../src/store/open.ts';
import { callOf } from './load/tool-calls.ts';
import { median } from './load/wrk.ts';
import { isShort } from './measure.ts';

// Where the time of an evaluate goes, part by part, each alone in this process: npm run bench -- parts
const folder = mkdtempSync(join(tmpdir(), 'assize-parts-'));
const database = join(folder, 'assize.db');
const store = await openStore(database, { migrations: 'migrations' });
const config = loadConfig({
  ASSIZE_DATABASE: database,
  ASSIZE_LOG_LEVEL: 'silent',
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
});
const { http, services } = await buildApp({ config, store });
const documents = readdirSync('policies')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({
    text: readFileSync(`policies/${name}`, 'utf8'),
    mediaType: 'application/yaml' as const,
  }));
const first = await services.firstStart({ adminKey: null, demo: () => documents });
const key = first?.demo?.apiKey ?? '';
const caller = await services.authentication.identify(hashedKey(key), '127.0.0.1');
if (caller?.kind !== 'integration') throw new Error('the demo integration is missing');

const calls = Array.from({ length: 64 }, (_, place) => callOf(place) as Record<string, unknown>);
const bodies = calls.map((input) => JSON.stringify({ input }));
const detector = createDetector();
const policies = documents.map(({ text }, place) => {
  const { document } = checkPolicyDocument(text, { runTests: false });
  if (!document) throw new Error('a starter policy does not check');
  return compilePolicy(document, { policyId: String(place), policyVersion: 1 });
});
const subject = (input: Record<string, unknown>) => ({
  input,
  targetKey: '',
  phase: 'ACTION' as const,
  resultStatus: '' as const,
  catalogued: null,
  tool: 'web.search',
  dataTags: [],
  detections: [],
  integration: { id: 'i', name: 'n', kind: 'AGENT' },
  now: 0,
  session: {
    id: 's',
    rootId: 's',
    parentId: null,
    depth: 0,
    tree: null,
    actionCount: 10,
    dataTags: ['NETWORK'],
    labels: [],
    monitoredLabels: [],
    toolCounts: new Map([['web.search', 3]]),
    attemptCounts: new Map([['web.search', 3]]),
    warningCount: 0,
    blockCount: 0,
    reviewCount: 0,
    rejectionCount: 0,
    startedAt: 0,
    metadata: '{}',
    entityId: null,
    recentActions: [],
  },
  toolsMentioned: new Set<string>(),
  counters: { read: () => 0, isReserved: () => false },
  sightings: { find: () => [] },
});
const openSessions = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { data } = await services.sessions.create(caller.integration, {}, null, null);
      return data.id;
    }),
  );
const sessionIds = await openSessions(64);
const evaluateIn = (sessionId: string | undefined, input: object | undefined) =>
  services.evaluations.evaluate(
    caller,
    { input: input as Record<string, unknown>, sessionId: sessionId as string },
    { transport: 'REST', redact: false, idempotencyKey: null, text: '' },
  );
const evaluate = (place: number) => evaluateIn(sessionIds[place % 64], calls[place % 64]);

const manyIds = await openSessions(isShort ? 64 : 10_000);
let actions = 0;
/** No two follow each other in one session, and no action comes again: sessions and actions are cold in the processor's caches. */
const evaluateCold = () => {
  const place = actions++;
  return evaluateIn(manyIds[(place * 7_919) % manyIds.length], callOf(place));
};

const bare = Fastify();
bare.post('/v1/evaluate', async () => ({ success: true }));

const largeBody = JSON.stringify({
  input: {
    ...calls[1],
    text: 'one line of an ordinary report, without anything to find in it.\n'.repeat(1_600),
  },
});
const { value, texts } = parseWithTexts(largeBody);
const large = (value as { input: Record<string, unknown> }).input;

/** Microseconds of CPU a run, the median of seven rounds. The first two only warm up. */
async function micros(run: (place: number) => unknown, batch = 1, most = 4_096): Promise<number> {
  const rounds: number[] = [];
  const runs = isShort ? 64 : most;
  for (let round = 0; round < (isShort ? 3 : 9); round++) {
    const before = process.cpuUsage();
    for (let place = 0; place < runs; place += batch) {
      if (batch === 1) await run(place);
      else await Promise.all(Array.from({ length: batch }, (_, next) => run(place + next)));
    }
    const { user, system } = process.cpuUsage(before);
    if (round > 1) rounds.push((user + system) / runs);
  }
  return median(rounds);
}

/** The same for a root of the record, for each evaluation that it covers. */
async function microsOfRoots(): Promise<number> {
  const rounds: number[] = [];
  const evaluations = isShort ? 64 : 4_096;
  await services.record.roots.sweep();
  for (let round = 0; round < (isShort ? 1 : 5); round++) {
    for (let left = evaluations; left > 0; left -= 32)
      await Promise.all(Array.from({ length: 32 }, evaluateCold));
    const before = process.cpuUsage();
    await services.record.roots.sweep();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / evaluations);
  }
  return median(rounds);
}

const print = (name: string, micros: number): void =>
  console.log(`${name.padEnd(56)} ${micros.toFixed(2).padStart(7)} µs`);

try {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const parts: [string, (place: number) => unknown, number?, number?][] = [
    ['read and check the body (strict JSON)', (place) => checkJson(JSON.parse(bodies[place % 64] as string))],
    [
      'find the caller (SHA-256, look-up)',
      () => services.authentication.identify(hashedKey(key), '127.0.0.1'),
    ],
    ['hash of the key alone', () => hashKey(key)],
    ['detect data', (place) => detector.scan(calls[place % 64]).tags],
    [
      `decide by the ${policies.length} starter policies`,
      (place) => decide(policies, subject(calls[place % 64] as Record<string, unknown>)),
    ],
    ['all of evaluate, on disk, 32 at once', evaluate, 32],
    ['the same in 10,000 sessions, no action twice', evaluateCold, 32],
    [
      'a bare Fastify POST without its socket, 32 at once',
      (place) => bare.inject({ method: 'POST', url: '/v1/evaluate', payload: { input: calls[place % 64] } }),
      32,
    ],
    [
      'the whole request without its socket, 32 at once',
      (place) =>
        http.inject({
          method: 'POST',
          url: '/v1/evaluate',
          headers,
          payload: JSON.stringify({ sessionId: sessionIds[place % 64], input: calls[place % 64] }),
        }),
      32,
    ],
    ['100 KB: read and check the body', () => checkJson(parseWithTexts(largeBody).value), 1, 256],
    ['100 KB: detect data', () => detector.scan(large).tags, 1, 256],
    ['100 KB: spell what is kept', () => stringifyWithTexts(large, texts), 1, 256],
    ['100 KB: spell it anew instead', () => JSON.stringify(large), 1, 256],
    [
      '100 KB: the whole request without its socket, 32 at once',
      () => http.inject({ method: 'POST', url: '/v1/evaluate', headers, payload: largeBody }),
      32,
      256,
    ],
  ];
  for (const [name, run, batch, most] of parts) {
    print(name, await micros(run, batch, most));
  }
  print('sign roots over 10,000 sessions, for an evaluation', await microsOfRoots());
} finally {
  await http.close();
  await bare.close();
  await store.close();
  rmSync(folder, { recursive: true });
}
