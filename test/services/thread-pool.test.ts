import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { createThreadPool } from '../../src/services/thread-pool.ts';

const hasProc = process.platform === 'linux';
const threads = (): number =>
  readdirSync('/proc/self/task').filter((id) => {
    try {
      return readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('check-thread');
    } catch {
      return false;
    }
  }).length;

t.test(
  'a thread that has no job for long is ended, and the next job gets another one',
  { skip: !hasProc },
  async (t) => {
    const pool = createThreadPool<object, { name?: string } | null>({
      name: 'check-thread',
      source: new URL('../../src/features/policies/checker.ts', import.meta.url).href,
      threads: 1,
      timeoutMs: 30_000,
      idleMs: 100,
      resourceLimits: {},
      messages: { failed: 'failed', late: 'late', stopped: 'stopped' },
    });
    t.teardown(() => pool.close());
    const policy = 'name: x\nrules:\n  - id: a\n    when: true\n    then: BLOCK\n';
    // Of other tests: scripts/develop/test-threads.mjs.
    const before = threads();
    for (let round = 0; round < 2; round++) {
      const [first, second] = await Promise.all([pool.run({ read: policy }), pool.run({ read: policy })]);
      t.strictSame(first, second);
      t.equal(threads(), before + 1);
      for (let tries = 0; tries < 500 && threads() > before; tries++) await setTimeout(20);
      t.equal(threads(), before);
    }
  },
);

t.test(
  'tests of services share threads that check policies; one with work to do ends with its service',
  { skip: !hasProc },
  async (t) => {
    const open = () =>
      createThreadPool<object, unknown>({
        name: 'check-thread',
        source: new URL('../../src/features/policies/checker.ts', import.meta.url).href,
        threads: 1,
        timeoutMs: 30_000,
        // Another number than that of the service: no other test's thread is taken.
        resourceLimits: { maxOldGenerationSizeMb: 255 },
        messages: { failed: 'failed', late: 'late', stopped: 'stopped' },
      });
    const policy =
      'schemaVersion: 1\nname: x\nrules: [{ id: a, when: "true", effect: BLOCK, severity: LOW }]\n';
    const before = threads();
    for (let round = 0; round < 2; round++) {
      const pool = open();
      t.match(await pool.run({ read: policy }), { name: 'x' });
      await pool.close();
      t.equal(threads(), before + 1, 'the same one');
    }
    const pool = open();
    const stopped = t.rejects(pool.run({ read: policy }), { message: 'stopped' });
    await pool.close();
    await stopped;
    for (let tries = 0; tries < 500 && threads() > before; tries++) await setTimeout(20);
    t.equal(threads(), before);
  },
);
