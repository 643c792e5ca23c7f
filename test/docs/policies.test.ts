import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { check, compile, createBudget, toText } from '../../src/cel/index.ts';
import { wholeCheck } from '../../src/features/policies/check-job.ts';
import { policyCheck } from '../../src/features/policies/cli-files.ts';
import { Activation } from '../../src/policy/activation.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';
import { environment, paramsOf } from '../../src/policy/environment.ts';

/** All fenced examples of docs/policies.md, in their order. */
const text = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', body = '']) => ({
  language,
  body,
}));
const yaml = blocks.filter(({ language }) => language === 'yaml').map(({ body }) => body);
const documents = yaml.filter((body) => /^schemaVersion:/m.test(body));
const isMistaken = (body: string) => body.includes('name: mistakes');

/** What a command prints about a policy saved as `file`. */
function printed(t: Pick<Test, 'testdir'>, file: string, body: string): string {
  const folder = t.testdir({});
  writeFileSync(join(folder, file), body);
  let output = '';
  policyCheck([join(folder, file)], {
    ...wholeCheck,
    write: (piece) => {
      output += piece;
    },
  });
  return output.replaceAll(`${folder}/`, '');
}

t.test('the page has examples of every kind', async (t) => {
  t.ok(documents.length >= 8);
  t.ok(blocks.filter(({ language }) => language === 'cel').length >= 5);
  t.strictSame(
    [...new Set(blocks.map(({ language }) => language))].sort(),
    ['cel', 'console', 'text', 'yaml'],
    'an example in another language would not be run',
  );
});

t.test('every policy checks without a warning and passes its tests', async (t) => {
  for (const body of documents) {
    if (isMistaken(body)) continue;
    const { issues, warnings, tests, document } = checkPolicyDocument(body, wholeCheck);
    t.strictSame(issues, [], document?.name ?? body);
    t.strictSame(warnings, []);
    t.ok(tests.length > 0, 'shows a test');
  }
});

t.test('every condition gives what stands behind it', async (t) => {
  const sample = yaml.filter((body) => body.startsWith('given:'));
  t.equal(sample.length, 1);
  const { given } = parse(sample[0] as string);
  const activation = new Activation(testSubject(given, []));
  const nothing = paramsOf({}, []);
  for (const line of blocks
    .filter(({ language }) => language === 'cel')
    .flatMap(({ body }) => body.trim().split('\n'))) {
    const [source = '', expected = ''] = line.split(/\s+\/\/ /);
    const checked = check(source, environment(nothing, nothing.type));
    if (!checked.ok) {
      t.fail(`${source}: ${JSON.stringify(checked.issues)}`);
      continue;
    }
    const value = compile(checked.expression).run(activation, createBudget());
    const shown = toText(value, createBudget());
    t.equal(typeof shown === 'string' ? shown : `error: ${shown.message}`, expected, source);
  }
});

t.test('the mistaken policy is answered as the page says', async (t) => {
  const mistaken = documents.find(isMistaken) as string;
  const response = blocks.find(({ body }) => body.startsWith('mistakes.yaml:'))?.body;
  t.equal(printed(t, 'mistakes.yaml', mistaken), response);
});

t.test('a failing step is answered as the page says', async (t) => {
  const steps = documents.find((body) => body.includes('name: refunds-by-the-day')) as string;
  const right = '{ enforcementAction: APPROVAL_REQUIRED, rules: [refund-limit] }';
  t.ok(steps.includes(right));
  const wrong = steps.replace(right, '{ enforcementAction: ALLOW }');
  const response = blocks.find(({ body }) => body.startsWith('refunds.yaml:'))?.body;
  t.equal(printed(t, 'refunds.yaml', wrong), response);
});

t.test('the first policy is answered as the page says', async (t) => {
  const [command, response] = (blocks.find(({ language }) => language === 'console')?.body ?? '').split('\n');
  t.equal(command, '$ assize policy check no-force-push.yaml');
  t.equal(printed(t, 'no-force-push.yaml', documents[0] as string), `${response}\n`);
});
