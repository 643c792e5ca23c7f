import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../helpers/app.ts';
import { program, root, serveProcess } from '../../helpers/process.ts';

const seconds = 4;

async function served(t: Test, ASSIZE_WATCHDOG_SECONDS = String(seconds)) {
  const env = { ASSIZE_DATABASE: join(temporaryFolder(t), 'assize.db'), ASSIZE_WATCHDOG_SECONDS };
  const server = serveProcess(t, env, {
    args: ['--import', join(root, 'test/fixtures/stuck.mjs'), program],
  });
  const url = await server.url();
  // It watches from the first request on.
  await fetch(`${url}/v1/evaluation-sessions`);
  return { ...server, url };
}

/** The last line of the log. */
const lastLine = (stdout: string): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
const told = `the event loop has not turned for ${seconds} seconds`;

t.test('a process whose event loop does not turn logs its stack, and exits with 70', async (t) => {
  const { child, exited, stdout } = await served(t);
  child.kill('SIGUSR2');
  t.match(await exited, { code: 70, signal: null });
  t.match(lastLine(stdout()), {
    level: 60,
    msg: `${told}: the process ends, so that its supervisor starts it again`,
    err: { message: told, stack: /^Stuck: .*\n {4}at spins \(.*stuck\.mjs:6:\d+\)\n {4}at / },
  });
});

t.test('one that is stuck in native code is killed', async (t) => {
  const { child, exited, stdout } = await served(t);
  child.kill('SIGPWR');
  t.match(await exited, { code: null, signal: 'SIGKILL' });
  t.match(lastLine(stdout()), { level: 60, err: { stack: /in native code/ } });
});

t.test('one that was stopped for longer, as a sleeping machine stops it, goes on', async (t) => {
  const { child, stop, url } = await served(t);
  child.kill('SIGSTOP');
  await wait((seconds + 3) * 1_000);
  child.kill('SIGCONT');
  await wait(2_000);
  t.equal((await fetch(`${url}/health/live`)).status, 200);
  t.match(await stop(), { code: 0 });
});

t.test('turned off, nothing ends it', async (t) => {
  const { child, url } = await served(t, '0');
  t.equal((await fetch(`${url}/health/live`)).status, 200);
  child.kill('SIGUSR2');
  await wait((seconds + 2) * 1_000);
  t.equal(child.exitCode, null);
});

const threadsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim());

t.test(
  'its thread is started by the first request that is no health check',
  {
    skip: process.platform !== 'linux' && 'threads are listed in /proc',
  },
  async (t) => {
    const { child, url: started } = serveProcess(t, {
      ASSIZE_DATABASE: join(temporaryFolder(t), 'assize.db'),
    });
    const url = await started();
    t.equal((await fetch(`${url}/health/ready`)).status, 200);
    t.notOk(threadsOf(child.pid as number).includes('watchdog-thread'));
    t.equal((await fetch(`${url}/v1/evaluation-sessions`)).status, 401);
    t.ok(threadsOf(child.pid as number).includes('watchdog-thread'));
  },
);
