import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './load/server.ts';

// What one run of the Claude Code hook costs, against a server on this machine: npm run bench:hook [binary].
// Without a binary it runs dist/main.js. An empty Node in between says what the machine itself takes at that time.
// Fails when the hook takes more processor time than the limit.
const runs = 15;
const mostCpuMs = 100;

const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const input = readFileSync(new URL('../test/fixtures/claude-code/pre-tool-use-mcp.json', import.meta.url));
const [binary] = process.argv.slice(2);
const program = binary === undefined ? [process.execPath, 'dist/main.js'] : [binary];

/** Wall-clock and processor time of one process, in milliseconds. */
function time(command: readonly string[], env: Record<string, string> = {}): { wall: number; cpu: number } {
  const { stderr, status } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null', 'time', ...command],
    { input, encoding: 'utf8', env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } },
  );
  if (status !== 0) throw new Error(stderr);
  const [wall = 0, user = 0, system = 0] = stderr
    .trim()
    .split(' ')
    .map((seconds) => Number(seconds) * 1_000);
  return { wall, cpu: user + system };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
const told = (times: { wall: number; cpu: number }[], of: 'wall' | 'cpu'): string => {
  const values = times.map((one) => one[of]);
  return `${Math.round(median(values))} (least ${Math.round(Math.min(...values))})`;
};

if (binary === undefined) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
const server = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
});
try {
  const key = await server.demoKey();
  const env = { ASSIZE_URL: server.url, ASSIZE_KEY: key };
  const hook = [...program, 'hook', 'claude-code'];
  time(hook, env);
  const hooks: { wall: number; cpu: number }[] = [];
  const nodes: typeof hooks = [];
  for (let run = 0; run < runs; run++) {
    hooks.push(time(hook, env));
    nodes.push(time([process.execPath, '-e', '0']));
  }
  console.log(`median of ${runs}, in ms      wall clock         processor`);
  console.log(`assize hook claude-code  ${told(hooks, 'wall')}     ${told(hooks, 'cpu')}`);
  console.log(`node -e 0                ${told(nodes, 'wall')}     ${told(nodes, 'cpu')}`);
  const cpu = median(hooks.map((one) => one.cpu));
  console.log(`${cpu <= mostCpuMs ? 'ok  ' : 'FAIL'} at most ${mostCpuMs} ms of processor time`);
  if (cpu > mostCpuMs) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
