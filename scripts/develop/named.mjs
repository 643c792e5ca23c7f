import { spawnSync } from 'node:child_process';
import { install } from './install.mjs';
import { runFiles } from './test-processes.mjs';

// npm run bench|check|docs|long -- NAME [ARGUMENTS]: what there is many of, by its name. `check` without a name runs all of them.

const run = (command, ...args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0;
const node = (file, ...args) => run(process.execPath, file, ...args);
const build = () => run('npm', 'run', '-s', 'build');

/** A test of the quick tier, longer: what a variable of the environment says, or else `value`. */
function test(file, variable, value) {
  const env = { [variable]: value, ...process.env };
  return runFiles([file], { env, mostMs: 7_200_000 });
}

const measured =
  'agent-traces cel commands counters decide detection evaluate fairness gate growth guard hook lists longest-step mcp mcp-proxy mcp-proxy-http overload parts record replay replicas start';

export const named = {
  /** Benchmarks. */
  bench: Object.fromEntries(
    measured.split(' ').map((name) => [name, (...args) => node(`bench/${name}.ts`, ...args)]),
  ),
  /** Static checks. */
  check: {
    format: () => run('biome', 'check', '--error-on-warnings', '.'),
    types: () =>
      run('tsgo', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', 'build/types.tsbuildinfo') &&
      run('tsgo', '-p', 'src/console/tsconfig.json'),
    pure: () =>
      run('tsgo', '-p', 'scripts/check/tsconfig.pure.json') &&
      run('tsgo', '-p', 'scripts/check/tsconfig.web.json'),
    layers: () => run('depcruise', '--config', 'scripts/check/layers.mjs', 'src'),
    files: () => node('scripts/check/files.mjs'),
    unused: () =>
      install('scripts/check/unused') !== null &&
      run('scripts/check/unused/node_modules/.bin/knip', '--config', 'scripts/check/knip.jsonc'),
    openapi: () => node('scripts/check/openapi.mjs'),
  },
  /** Generated parts of the docs: `policy-schema` and `screenshots` write their files, the others print theirs. */
  docs: {
    'data-tags': () => node('scripts/docs/data-tags-table.ts'),
    help: () => node('scripts/docs/cli-help.ts'),
    llms: () => node('scripts/docs/llms.ts'),
    'policy-schema': () =>
      node('scripts/docs/policy-schema.ts') && run('biome', 'format', '--write', 'docs/policy.schema.json'),
    requests: () => node('scripts/docs/cli-requests.ts'),
    // A site with search, in build/site. A link between pages that leads nowhere fails it.
    site: () =>
      install('scripts/site') !== null && run('npm', 'run', '-s', 'build', '--prefix', 'scripts/site'),
    settings: () => node('scripts/docs/settings-table.ts'),
    screenshots: (...args) => build() && node('scripts/docs/screenshots.ts', ...args),
  },
  /** Tests that run for hours, or as long as one likes. */
  long: {
    kills: (...args) => build() && node('test/durability/kill.ts', ...args),
    replicas: (...args) => build() && node('test/replicas/kill.ts', ...args),
    tampering: () => test('test/record/tampering.test.ts', 'TAMPERED_ENTRIES', '200'),
    histories: () => test('test/services/replay/identity.test.ts', 'REPLAYED_STEPS', '12000'),
    'cel-conformance': () => node('test/cel/conformance/report.ts'),
    'cel-fuzz': (...args) => node('test/cel/fuzz/main.ts', ...args),
  },
};

if (process.argv[1] === import.meta.filename) {
  const [kind, name, ...args] = process.argv.slice(2);
  const choices = named[kind];
  if (name !== undefined && name in choices) process.exitCode = (await choices[name](...args)) ? 0 : 1;
  else if (name === undefined && kind === 'check') {
    // Each says what is wrong, also when one before it did.
    const failed = Object.keys(choices).filter((one) => !choices[one]());
    if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
    process.exitCode = failed.length > 0 ? 1 : 0;
  } else {
    console.error(`npm run ${kind} -- NAME, one of: ${Object.keys(choices).join(', ')}`);
    process.exitCode = 2;
  }
}
