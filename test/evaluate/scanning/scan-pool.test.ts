import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import type { ScanJob } from '../../../src/evaluate/scanning/scan-messages.ts';
import { createScanPool } from '../../../src/evaluate/scanning/scan-pool.ts';

const rest = {
  targetKey: null,
  callbackUrl: null,
  correlationId: null,
  tool: '',
  retention: 'redacted',
  reviewInput: 'full',
  redact: false,
  provenance: null,
  hashed: null,
} as const;
const jobOf = (input: object, detector: object = {}): ScanJob => ({
  detector: JSON.stringify(detector),
  text: JSON.stringify({ input }),
  rest,
});
const tagsOf = ({ tags }: { tags: readonly string[] }) => tags;

t.test('scans in other threads, more jobs than there are threads', async (t) => {
  const pool = createScanPool({ threads: 2 });
  t.teardown(() => pool.close());
  const found = await Promise.all(
    Array.from({ length: 7 }, (_, place) =>
      pool.scan(jobOf({ to: place % 2 === 0 ? 'ada@example.com' : 'nobody' })),
    ),
  );
  t.strictSame(
    found.map((content) => content.kept.input),
    Array.from({ length: 7 }, (_, place) => `{"to":"${place % 2 === 0 ? '[EMAIL_ADDRESS]' : 'nobody'}"}`),
  );
});

t.test('a job that fails is rejected, and the next one gets a new thread', async (t) => {
  const pool = createScanPool({ threads: 1 });
  t.teardown(() => pool.close());
  const broken = { ...jobOf({}), text: '{' };
  for (let count = 0; count < 3; count++) {
    const [failed, next] = await Promise.allSettled([
      pool.scan(broken),
      pool.scan(jobOf({ to: 'ada@example.com' })),
    ]);
    t.match(failed, { status: 'rejected', reason: { message: 'a large request could not be scanned' } });
    t.match(failed.status === 'rejected' && failed.reason.cause, { name: 'SyntaxError' });
    t.ok(next.status === 'fulfilled' && tagsOf(next.value).includes('EMAIL_ADDRESS'));
  }
});

t.test('a job that takes too long is given up, and the next one is done', async (t) => {
  const pool = createScanPool({ threads: 1, timeoutMs: 6_000 });
  t.teardown(() => pool.close());
  const custom = Array.from({ length: 100 }, (_, place) => ({
    tag: `T${place}`,
    category: 'PII',
    pattern: `([a-z]{1,20}${place}|[0-9a-f]{1,40})+x{1,30}y`,
  }));
  // The thread of the next job starts within that time, on a busy machine too. No two words are alike, so that the patterns' automaton has no state to come back to.
  const text = Array.from({ length: 300_000 }, (_, place) => (place * 7_919).toString(36)).join(' ');
  const slow = pool.scan(jobOf({ text }, { custom }));
  await t.rejects(slow, { code: 'unavailable', message: 'a large request was not scanned within 6000 ms' });
  t.ok(tagsOf(await pool.scan(jobOf({ to: 'ada@example.com' }))).includes('EMAIL_ADDRESS'));
});

t.test('closing rejects what is under way and what comes after', async (t) => {
  const pool = createScanPool({ threads: 1 });
  const all = Promise.allSettled([pool.scan(jobOf({})), pool.scan(jobOf({}))]);
  await pool.close();
  t.ok((await all).every(({ status }) => status === 'rejected'));
  await t.rejects(pool.scan(jobOf({})), { message: 'scanning has stopped' });
});

t.test('scans give way to the event loop', { skip: process.platform !== 'linux' }, async (t) => {
  // proc_pid_stat(5): the 19th field; the name in parentheses is the second
  const niceOf = (thread: string): number =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]);
  const own = niceOf(String(process.pid));
  const before = new Set(readdirSync('/proc/self/task'));
  const pool = createScanPool({ threads: 1 });
  t.teardown(() => pool.close());
  await pool.scan(jobOf({ to: 'ada@example.com' }));
  const started = readdirSync('/proc/self/task').filter((thread) => !before.has(thread));
  t.ok(started.some((thread) => niceOf(thread) === Math.min(19, own + 10)));
  t.equal(niceOf(String(process.pid)), own);
});

/** Threads that scan, by their name; one may end meanwhile. */
const scanning = (): number =>
  readdirSync('/proc/self/task').filter((thread) => {
    const file = `/proc/self/task/${thread}/comm`;
    return existsSync(file) && readFileSync(file, 'utf8').trim() === 'scan-thread';
  }).length;

t.test('a thread without work ends, and returns its memory; the next job gets a new one', async (t) => {
  const before = scanning();
  const pool = createScanPool({ threads: 1, idleMs: 500 });
  t.teardown(() => pool.close());
  for (let count = 0; count < 2; count++) {
    t.ok(tagsOf(await pool.scan(jobOf({ to: 'ada@example.com' }))).includes('EMAIL_ADDRESS'));
    t.equal(scanning(), before + 1, 'it waits for further work');
    // Within the time limit of the test.
    while (scanning() > before) await setTimeout(20);
  }
});
