import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { wholeCheck } from '../../src/features/policies/check-job.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import type { PolicyDocument } from '../../src/schemas/policy-documents.ts';

const folder = new URL('../../policies/', import.meta.url);
const index = readFileSync(new URL('README.md', folder), 'utf8');
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml'))
  .sort();
const check = (path: string) =>
  checkPolicyDocument(readFileSync(new URL(path, folder), 'utf8'), {
    ...wholeCheck,
    findPolicy: (name) => readFileSync(new URL(`packs/${name}.yaml`, folder), 'utf8'),
  });

t.test('every policy is valid, without a warning, tested, and named as its file', async (t) => {
  t.ok(paths.length > 10);
  for (const path of paths) {
    const { issues, warnings, tests, document } = check(path);
    t.strictSame(issues, [], `${path}: issues`);
    t.strictSame(warnings, [], `${path}: warnings`);
    t.ok(tests.length > 0 && tests.every(({ passed }) => passed), `${path}: tests`);
    t.equal(`${document?.name}.yaml`, path.replace('packs/', ''));
    t.ok(document?.description, `${path}: says what it is for`);
  }
});

t.test('the index names every policy, and nothing that is not there', async (t) => {
  const named = [...index.matchAll(/\]\(((?:packs\/)?[\w-]+\.yaml)\)/g)].map(([, path = '']) => path);
  for (const path of named) t.ok(paths.includes(path), `${path}: is there`);
  for (const path of paths) t.ok(named.includes(path), `${path}: is named`);
});

/** The rules that the tests of a document expect to find something, and the labels. */
function expectedRules({ tests = [] }: PolicyDocument): Set<string> {
  const expectations = tests.flatMap(({ expect, steps = [] }) => [
    expect,
    ...steps.flatMap((step) => [step.expect, step.result?.expect]),
  ]);
  return new Set(expectations.flatMap((one) => [...(one?.rules ?? []), ...(one?.labels ?? [])]));
}

t.test('every rule is expected by one of the tests of its policy', async (t) => {
  for (const path of paths) {
    const { document } = check(path);
    if (!document) continue;
    const expected = expectedRules(document);
    for (const { id, effect, label = [] } of document.rules)
      t.ok(
        expected.has(id) || (effect === undefined && label.some((one) => expected.has(one))),
        `${path}: ${id}`,
      );
  }
});
