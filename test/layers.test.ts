import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import t from 'tap';

const repository = new URL('../', import.meta.url).pathname;
const pure = ['judge', 'verdict', 'approval', 'settle', 'session', 'quotas'].map(
  (name) => `src/evaluate/${name}.ts`,
);

/** An import that a rule forbids: of which file, from where, by which rule. */
const forbidden: [file: string, imports: string, rule: string][] = [
  ...pure.flatMap((file): typeof forbidden => [
    [file, 'node:crypto', 'evaluatePure-packages'],
    [file, 'drizzle-orm', 'evaluatePure-packages'],
    [file, 'src/http/responses.ts', 'evaluatePure-imports'],
    [file, 'src/evaluate/sqlite/record.ts', 'evaluatePure-imports'],
    [file, 'src/sql/steps.ts', 'evaluatePure-imports'],
    [file, 'src/services/refusals.ts', 'evaluatePure-imports'],
  ]),
  ['src/evaluate/evaluate.ts', 'src/evaluate/sqlite/record.ts', 'backend-behind-open'],
  ['src/evaluate/evaluate.ts', 'src/http/responses.ts', 'evaluate-imports'],
  ['src/evaluate/content.ts', 'drizzle-orm', 'evaluate-packages'],
  ['src/evaluate/counters/sets.ts', 'src/services/refusals.ts', 'evaluateCounters-imports'],
  ['src/evaluate/sqlite/record.ts', 'src/evaluate/evaluate.ts', 'evaluateStores-imports'],
  ['src/evaluate/sqlite/record.ts', 'src/evaluate/postgres/record.ts', 'backends-apart'],
  ['src/evaluate/postgres/record.ts', 'src/store/sqlite/writer.ts', 'backends-apart'],
  ['src/http/routes/v1/evaluate.ts', 'src/evaluate/postgres/record.ts', 'backend-behind-open'],
];

t.test('each import that the layers of an evaluation forbid is found', async (t) => {
  const folder = t.testdir({});
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { flag: 'a' });
  };
  for (const [file, imports] of forbidden) {
    const place = relative(dirname(file), imports);
    const from = imports.startsWith('src/') ? (place.startsWith('.') ? place : `./${place}`) : imports;
    write(file, `import '${from}';\n`);
    if (imports.startsWith('src/')) write(imports, '');
  }
  for (const file of ['tsconfig.json', 'package.json']) cpSync(join(repository, file), join(folder, file));
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const cruiser = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const config = join(repository, 'scripts/check/layers.mjs');
  const output = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      [cruiser, '--config', config, '--output-type', 'json', 'src'],
      { cwd: folder, maxBuffer: 2 ** 26 },
      (_, stdout) => resolve(stdout),
    ),
  );
  const { summary } = JSON.parse(output) as {
    summary: { violations: { from: string; to: string; rule: { name: string } }[] };
  };
  for (const [file, imports, rule] of forbidden) {
    const isFound = summary.violations.some(
      (one) => one.from === file && one.rule.name === rule && one.to.includes(imports.replace('node:', '')),
    );
    t.ok(isFound, `${file} imports ${imports}: ${rule}`);
  }
});
