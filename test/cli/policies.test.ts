import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { repl } from '../../src/cli/expressions.ts';
import { adminKey, startApp, temporaryFolder } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { rule } from '../helpers/policies.ts';

t.test('an expression is evaluated as a rule would read it', async (t) => {
  for (const [expression, input, out] of [
    ['tool == "shell"', '{"tool":"shell"}', 'true\n'],
    ['arguments.amount + 1', '{"tool":"pay","arguments":{"amount":41}}', '42\n'],
    ['dataTags', '{"tool":"x","text":"ada@example.com"}', 'PII, EMAIL_ADDRESS\n'],
    ['session.actionCount', '{}', '0\n'],
  ] as const)
    t.strictSame(await run(['policies', 'eval', expression, input]), { code: 0, out, err: '' });
  t.match(JSON.parse((await run(['policies', 'eval', '1 + 1', '--json'])).out), { value: '2' });
});

t.test('a mistake in an expression is shown in its place', async (t) => {
  t.match(await run(['policies', 'eval', 'tol == "x"']), {
    code: 1,
    out: '',
    err: '  tol == "x"\n  ^\nunknown variable "tol"; did you mean "tool"?\n',
  });
  t.match(await run(['policies', 'eval', 'input.missing == 1']), { code: 1, err: /missing/ });
  t.match(await run(['policies', 'eval', '1', '[]']), { code: 2, err: /must be a JSON object/ });
});

t.test('repl reads expressions and inputs line by line', async (t) => {
  let out = '';
  const sink = { write: (text: string) => (out += text) };
  const lines = ['tool', '{"tool":"shell"}', 'tool', '{"a": tool}', 'tol', ''].join('\n');
  await repl(undefined, { stdout: sink, stderr: sink }, Readable.from([lines]));
  t.match(
    out,
    /^\nshell\n\{"a":"shell"\}\n {2}tol\n {2}\^\nunknown variable "tol"; did you mean "tool"\?\n$/,
  );
});

t.test(
  'mistakes in a file are shown in their lines on a terminal, and as one line each elsewhere',
  async (t) => {
    const file = join(temporaryFolder(t), 'policy.yaml');
    const line = 'rules: [{ id: a, when: tol == "x", effect: WARN }]';
    writeFileSync(file, `schemaVersion: 1\nname: bad\n${line}\n`);
    const said = /^\S+policy\.yaml:3:24: .*unknown variable "tol"; did you mean "tool"\?\n/;
    const { out: piped } = await run(['policies', 'check', file]);
    t.match(piped, said);
    t.equal(piped.split('\n').length, 2);
    const { out } = await run(['policies', 'check', file], { terminal: true });
    t.match(out, said);
    t.equal(out.split('\n').slice(1).join('\n'), `   3 | ${line}\n     | ${' '.repeat(23)}^\n`);
    const app = await startApp(t);
    const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { err } = await run(['policies', 'push', file, '--url', url, '--key', adminKey], {
      terminal: true,
    });
    t.match(err, /^assize: \S+policy\.yaml:3:24: .*\n {3}3 \| rules: .*\n {5}\| {24}\^\n$/);
  },
);

t.test('a draft that is pushed or bound is said to decide nothing', async (t) => {
  const app = await startApp(t);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const ask = (...args: string[]) => run([...args, '--url', url, '--key', adminKey]);
  const file = join(temporaryFolder(t), 'policy.yaml');
  writeFileSync(file, rule('tool == "x"', 'BLOCK').replace(/name: .*/, 'name: mine'));
  const draft = /The policy is a DRAFT and decides nothing yet: assize policies activate mine\n/;
  t.match(await ask('policies', 'push', file), { code: 0, err: draft });
  t.equal((await ask('integrations', 'create', 'agent', '--kind', 'AGENT')).code, 0);
  t.match(await ask('integrations', 'bind', 'agent', 'mine'), {
    code: 0,
    out: /^INTEGRATION\tagent\nPOLICY\tmine\n/,
    err: draft,
  });
  t.match(await ask('house-policies', 'bind', 'mine'), { code: 0, err: draft });
  t.equal((await ask('policies', 'activate', 'mine')).code, 0);
  t.match(await ask('policies', 'push', file), { code: 0, err: '' });
  t.match(await ask('integrations', 'bind', 'agent', 'mine'), { code: 0, err: '' });
  t.match(await ask('integrations', 'create', 'agent', '--kind', 'AGENT'), {
    code: 1,
    out: '',
    err: /^assize: the integration [-0-9a-f]{36} is named "agent": choose another name, or add --same-name\n$/,
  });
  const key = await ask('integrations', 'create', 'agent', '--kind', 'AGENT', '--same-name', '--key-only');
  t.match(key, { code: 0, out: /^asz_live_\S+\n$/ });
});
