import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { openStore } from '../src/store/open.ts';
import { fillManaged, type ManagedFile } from './load/managed-file.ts';
import { fillVaried, type VariedFile } from './load/varied-file.ts';

// How long each list takes on a big file: npm run bench -- lists --evaluations 10000000 --sessions 1000000
// With --browser: how long until the console shows each list, opened in Chromium.
// On PostgreSQL: with --folder F, then assize migrate-to ADDRESS --database F/lists.db, then with --folder F --postgres ADDRESS
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000000' },
    evaluations: { type: 'string', default: '10000000' },
    times: { type: 'string' },
    // Where the file is kept and found again.
    folder: { type: 'string' },
    // Where the file was moved to.
    postgres: { type: 'string' },
    // Only the lists whose name contains it.
    only: { type: 'string', default: '' },
    browser: { type: 'boolean', default: false },
  },
});
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'assize-lists-'));
mkdirSync(folder, { recursive: true });
const file = join(folder, 'lists.db');
const database = values.postgres ?? file;
const adminKey = `asz_admin_${'k'.repeat(43)}`;
const config = loadConfig({
  ASSIZE_DATABASE: database,
  ASSIZE_ADMIN_KEY: adminKey,
  ASSIZE_LOG_LEVEL: 'fatal',
  ASSIZE_RECORD_KEY_FILE: `${file}-record-key.pem`,
});
const open = () => openStore(database, { migrations: join(import.meta.dirname, '../migrations') });
const made = join(folder, 'lists.json');
if (!existsSync(made) && !values.postgres) {
  const store = await open();
  const app = await buildApp({ config, store });
  await app.services.firstStart({ adminKey, demo: null });
  await app.http.close();
  await store.close();
  const begun = performance.now();
  const size = { sessions: Number(values.sessions), evaluations: Number(values.evaluations) };
  writeFileSync(made, JSON.stringify({ ...fillVaried(file, size), ...fillManaged(file) }));
  console.log(`made in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
}
const data = JSON.parse(readFileSync(made, 'utf8')) as VariedFile & ManagedFile;
console.log(`${(statSync(file).size / 1e9).toFixed(1)} GB`);
const store = await open();
const app = await buildApp({ config, store });

const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;
const time = (share: number): string => new Date(data.from + (data.to - data.from) * share).toISOString();
const moment = (): string => {
  const share = Math.random() * 0.99;
  return `from=${time(share)}&to=${time(share + 0.01)}`;
};
const lists: Record<string, () => string> = {
  'evaluations, newest': () => '/v1/evaluations?page=1',
  'evaluations, page 100': () => '/v1/evaluations?page=100',
  'evaluations, time': () => `/v1/evaluations?${moment()}`,
  'evaluations, frequent tool': () => `/v1/evaluations?tool=${any(data.tools.slice(0, 5))}`,
  'evaluations, rare tool': () => `/v1/evaluations?tool=${any(data.tools.slice(150))}`,
  'evaluations, tool and time': () => `/v1/evaluations?tool=${any(data.tools)}&${moment()}`,
  'evaluations, BLOCK': () => '/v1/evaluations?enforcementAction=BLOCK',
  'evaluations, APPROVAL_REQUIRED and tool': () =>
    `/v1/evaluations?enforcementAction=APPROVAL_REQUIRED&tool=${any(data.tools)}`,
  'evaluations, rule': () => `/v1/evaluations?rule=${any(data.rules)}`,
  'evaluations, rule and tool': () => `/v1/evaluations?rule=${any(data.rules)}&tool=${any(data.tools)}`,
  'evaluations, frequent tag': () => '/v1/evaluations?tag=PII',
  'evaluations, one in 100,000': () => '/v1/evaluations?tag=SECRET',
  'evaluations, no such tool': () => '/v1/evaluations?tool=none',
  'evaluations, entity': () => `/v1/evaluations?entityId=${any(data.entities)}`,
  'evaluations, entity and tool': () =>
    `/v1/evaluations?entityId=${any(data.entities)}&tool=${any(data.tools)}`,
  'evaluations, correlation id': () => `/v1/evaluations?correlationId=${any(data.correlations)}`,
  'evaluations, integration': () => `/v1/evaluations?integrationId=${any(data.integrations)}`,
  'evaluations, integration, tag, time': () =>
    `/v1/evaluations?integrationId=${any(data.integrations)}&tag=PII&${moment()}`,
  'violations, newest': () => '/v1/violations',
  'violations, NEW': () => '/v1/violations?status=NEW',
  'violations, DISMISSED': () => '/v1/violations?status=DISMISSED',
  'violations, rule': () => `/v1/violations?rule=${any(data.rules)}`,
  'violations, rule and time': () => `/v1/violations?rule=${any(data.rules)}&${moment()}`,
  'violations, integration': () => `/v1/violations?integrationId=${any(data.integrations)}`,
  'violations, session': () => `/v1/violations?sessionId=${any(data.sessions)}`,
  'violations, entity': () => `/v1/violations?entityId=${any(data.entities)}`,
  'violations by rule': () => '/v1/violations/rules',
  'sessions, newest': () => '/v1/evaluation-sessions',
  'sessions, ACTIVE': () => '/v1/evaluation-sessions?status=ACTIVE',
  'sessions, entity': () => `/v1/evaluation-sessions?entityId=${any(data.entities)}`,
  'evaluations of a session': () => `/v1/evaluation-sessions/${any(data.sessions)}/evaluations`,
  entities: () => `/v1/entities?page=${1 + Math.floor(Math.random() * 100)}`,
  'an entity': () => `/v1/entities/${any(data.entities)}`,
  'entities, kind and owner': () => '/v1/entities?kind=AGENT&owner=nobody',
  'sessions, COMPLETED': () => '/v1/evaluation-sessions?status=COMPLETED',
  'sessions, by name': () => `/v1/evaluation-sessions?externalSessionId=${any(data.sessions)}`,
  'reviews, newest': () => '/v1/reviews',
  'reviews, PENDING': () => '/v1/reviews?status=PENDING',
  'reviews, EXPIRED': () => '/v1/reviews?status=EXPIRED',
  'reviews, frequent tool': () => `/v1/reviews?tool=${any(data.tools.slice(0, 5))}`,
  'reviews, rare tool': () => `/v1/reviews?tool=${any(data.tools.slice(150))}`,
  'reviews, integration': () => `/v1/reviews?integrationId=${any(data.integrations)}`,
  'reviews, session': () => `/v1/reviews?sessionId=${any(data.sessions)}`,
  'reviews, severity and time': () => `/v1/reviews?severity=HIGH&${moment()}`,
  'reviews, assignee': () => `/v1/reviews?assignee=${any(data.operators)}`,
  'reviews, nobody claimed': () => '/v1/reviews?status=PENDING&assignee=none',
  'a review': () => `/v1/reviews/${any(data.reviews)}`,
  'comments of a review': () => `/v1/reviews/${any(data.reviews)}/comments`,
  'statistics of reviews': () => '/v1/reviews/stats',
  policies: () => '/v1/policies',
  'policies, DRAFT': () => '/v1/policies?status=DRAFT',
  'versions of a policy': () => `/v1/policies/${any(data.policies)}/versions`,
  'policies of an integration': () => `/v1/integrations/${any(data.integrations)}/policies`,
  'house policies': () => '/v1/house-policies',
  lists: () => '/v1/lists',
  'changes of a list': () => `/v1/lists/${any(data.lists)}/changes`,
  'proposals, newest': () => '/v1/proposals',
  'proposals, PENDING': () => '/v1/proposals?status=PENDING',
  operators: () => '/v1/operators',
  'operator keys': () => '/v1/operator-keys',
  'keys of an operator': () => `/v1/operator-keys?operatorId=${any(data.operators)}`,
  integrations: () => '/v1/integrations',
  'keys of an integration': () => `/v1/integrations/${any(data.integrations)}/keys`,
  webhooks: () => '/v1/webhooks',
  'MCP servers': () => '/v1/mcp-servers',
  'deliveries, newest': () => '/v1/webhook-deliveries',
  'deliveries, DEAD': () => '/v1/webhook-deliveries?status=DEAD',
  'deliveries of a webhook': () => `/v1/webhook-deliveries?webhookId=${any(data.webhooks.slice(0, 2))}`,
  'events, newest': () => '/v1/events',
  'events, one type': () => '/v1/events?type=review.opened',
  'events, from the start': () => '/v1/events?after=0&size=200',
  'audit, newest': () => '/v1/audit',
  'audit, page 1000': () => '/v1/audit?page=1000',
  'audit, actor': () => `/v1/audit?actorId=${any(data.operators.slice(0, 10))}`,
  'audit, action': () => '/v1/audit?action=changeList',
  'audit, resource': () => `/v1/audit?resource=lists&resourceId=${any(data.lists.slice(0, 50))}`,
  'audit, kind of resource': () => '/v1/audit?resource=reviews',
  'audit, without reads': () => '/v1/audit?reads=false',
  'audit, REFUSED': () => '/v1/audit?outcome=REFUSED',
  'audit, actor and time': () => `/v1/audit?actorId=${any(data.operators.slice(0, 10))}&${moment()}`,
};

interface Described {
  get?: { parameters?: { name: string }[] };
}
/** Routes with pages, of which each must be measured. */
await app.http.ready();
const { paths } = app.http.swagger() as { paths: Record<string, Described> };
const paged = Object.keys(paths).filter((path) =>
  paths[path]?.get?.parameters?.some(({ name }) => name === 'page'),
);
const measured = Object.values(lists).map((path) => path().replace(/\?.*/, ''));
const forgotten = paged.filter((path) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return !measured.some((one) => pattern.test(one));
});
if (forgotten.length > 0) throw new Error(`not measured: ${forgotten.join(', ')}`);

const median = (took: readonly number[]): string =>
  (took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] as number).toFixed(0);

/** Milliseconds, the median first. */
function say(name: string, took: readonly number[], most: number, more = ''): void {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] as number).toFixed(2);
  const mark = Number(at(0.5)) <= most ? '' : `  over ${most} ms`;
  console.log(
    `${name.padEnd(40)} p50 ${at(0.5).padStart(8)} ms  p90 ${at(0.9).padStart(8)} ms${more}${mark}`,
  );
}

async function timeApi(): Promise<void> {
  for (const [name, path] of Object.entries(lists)) {
    if (!name.includes(values.only)) continue;
    const took: number[] = [];
    for (let times = 0; times < Number(values.times ?? 101); times++) {
      const begun = performance.now();
      const { statusCode, body } = await app.http.inject({
        url: path(),
        headers: { authorization: `Bearer ${adminKey}`, accept: 'application/json' },
      });
      took.push(performance.now() - begun);
      if (statusCode !== 200) throw new Error(`${name}: ${body}`);
    }
    say(name, took, 10);
  }
}

/** Lists of the console, with what is on the page once its rows are. */
const rows = 'table.data tbody tr';
const consoleLists: Record<string, () => [path: string, shown: string]> = {
  'now, decisions': () => ['', '.feed li'],
  'now, whole': () => ['', '.top progress'],
  reviews: () => ['reviews', '.entries li'],
  'reviews, approved': () => ['reviews?status=APPROVED', '.entries li, .empty'],
  sessions: () => ['sessions', rows],
  'sessions, active': () => ['sessions?status=ACTIVE', rows],
  'sessions, integration': () => [`sessions?integration=${any(data.integrations)}`, rows],
  'session, timeline': () => [`sessions/${any(data.sessions)}`, '.timeline-row time'],
  evaluations: () => ['evaluations', rows],
  'evaluations, page 100': () => ['evaluations?page=100', rows],
  'evaluations, blocked': () => ['evaluations?decision=BLOCK', rows],
  'evaluations, tool': () => [`evaluations?tool=${any(data.tools)}`, rows],
  'evaluations, tag': () => ['evaluations?tag=PII', rows],
  violations: () => ['violations', '.entries li'],
  'violations, rule': () => [`violations?rule=${any(data.rules)}`, '.entries li, .empty'],
  'violations by rule': () => ['violations?view=rules', `${rows}, .empty`],
  'statistics, day': () => ['statistics', '.chart'],
  'statistics, month': () => ['statistics?period=month', '.chart'],
  policies: () => ['policies', rows],
  proposals: () => ['proposals', rows],
  lists: () => ['lists', rows],
  integrations: () => ['integrations', rows],
  entities: () => ['entities', rows],
  webhooks: () => ['webhooks', rows],
  operators: () => ['operators', rows],
  'mcp-servers': () => ['mcp-servers', rows],
  audit: () => ['audit', rows],
};

/** In the page: says once when these rows are drawn, in milliseconds after the beginning of the navigation. */
const sayWhenDrawn = (shown: string): string => `(() => {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(${JSON.stringify(shown)})) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => drawn(performance.now())));
  });
  observer.observe(document, { subtree: true, childList: true });
})()`;

/**
 * Each list opened as a page of its own, from the beginning of the navigation until its first row is drawn. With the processor time
 * until then of the page's thread and of the service's, which hardly depends on what else the machine does.
 */
async function timeConsole(): Promise<void> {
  const { closeBrowser, openPage, signIn } = await import('../test/console/browser.ts');
  const ended: (() => unknown)[] = [];
  try {
    const url = await app.http.listen({ host: '127.0.0.1', port: 0 });
    const { page, context } = await openPage({ teardown: (end) => void ended.push(end) }, { url });
    await signIn(page, url);
    let tell: (at: number) => void = () => undefined;
    await page.exposeFunction('drawn', (at: number) => tell(at));
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    // Of the document alone: each begins at 0.
    const busyMs = async (): Promise<number> => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return 1_000 * (metrics.find((one) => one.name === 'TaskDuration')?.value ?? Number.NaN);
    };
    console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
    for (const [name, place] of Object.entries(consoleLists)) {
      if (!name.includes(values.only)) continue;
      const took: number[] = [];
      const busy: number[] = [];
      const served: number[] = [];
      for (let times = 0; times < Number(values.times ?? 5); times++) {
        const [path, shown] = place();
        const script = await page.addInitScript({ content: sayWhenDrawn(shown) });
        const drawn = new Promise<number>((resolve) => {
          tell = resolve;
        });
        const cpuBefore = process.threadCpuUsage();
        await page.goto(`${url}/console/${path}`, { waitUntil: 'commit' });
        await page.locator(shown).first().waitFor({ state: 'attached' });
        const at = await drawn;
        const { user, system } = process.threadCpuUsage(cpuBefore);
        took.push(at);
        busy.push(await busyMs());
        served.push((user + system) / 1_000);
        await script.dispose();
      }
      say(name, took, 1_000, `  page ${median(busy)} ms  service ${median(served)} ms of processor time`);
    }
  } finally {
    for (const end of ended) await end();
    await closeBrowser();
  }
}

try {
  await (values.browser ? timeConsole() : timeApi());
} finally {
  await app.http.close();
  await store.close();
}
