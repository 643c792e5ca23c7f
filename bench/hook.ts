import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './load/server.ts';
import { isShort, missBar } from './measure.ts';

// What one run of the Claude Code hook costs, from the single binary and from dist/main.js, against a server on this
// machine: npm run bench -- hook. It builds both. Runs of both and of an empty Node alternate: the last says what the machine
// itself takes at that time. Fails when either takes more processor time than the limit.
const runs = isShort ? 1 : 15;
const mostCpuMs = 80;

const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const input = readFileSync(new URL('../test/fixtures/claude-code/pre-tool-use-mcp.json', import.meta.url));
const hook = ['hook', 'claude-code'];
const commands: Readonly<Record<string, readonly string[]>> = {
  'build/assize hook': ['build/assize', ...hook],
  'node dist/main.js hook': [process.execPath, 'dist/main.js', ...hook],
  'node -e 0': [process.execPath, '-e', '0'],
};

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

// A short run takes the binary that is there.
for (const script of isShort && existsSync('build/assize') ? ['build'] : ['build', 'build:binary']) {
  execFileSync('npm', ['run', '--silent', script], { stdio: 'inherit' });
}
const server = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
});
try {
  const env = { ASSIZE_URL: server.url, ASSIZE_KEY: await server.demoKey() };
  const times = new Map(Object.keys(commands).map((name) => [name, [] as ReturnType<typeof time>[]]));
  // The first round fills the caches of the file system and is not counted.
  for (let run = -1; run < runs; run++) {
    for (const [name, command] of Object.entries(commands)) {
      const taken = time(command, env);
      if (run >= 0) times.get(name)?.push(taken);
    }
  }
  console.log(`${`median of ${runs}, in ms`.padEnd(24)}${'wall clock'.padEnd(18)}processor`);
  for (const [name, taken] of times) {
    console.log(`${name.padEnd(24)}${told(taken, 'wall').padEnd(18)}${told(taken, 'cpu')}`);
  }
  const cpu = (name: string) => median((times.get(name) ?? []).map((one) => one.cpu));
  for (const name of times.keys()) {
    console.log(
      `${name.padEnd(24)}${(cpu(name) / cpu('node -e 0')).toFixed(1)} times the processor time of an empty Node`,
    );
  }
  for (const [name, taken] of times) {
    if (!name.endsWith('hook')) continue;
    const ok = median(taken.map((one) => one.cpu)) <= mostCpuMs;
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}: at most ${mostCpuMs} ms of processor time`);
    if (!ok) missBar();
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
