import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readable } from '../../../src/cli/serve/terminal-log.ts';
import { temporaryFolder } from '../../helpers/app.ts';
import { processEnvironment, program } from '../../helpers/process.ts';

const time = new Date(2030, 0, 1, 12, 30, 5).getTime();

t.test('a log line is readable, with everything that it has', async (t) => {
  const line = (entry: object) => readable(JSON.stringify({ time, ...entry }));
  t.equal(line({ level: 30, msg: 'listening' }), '12:30:05 info  listening\n');
  t.equal(
    line({ level: 40, refused: 3, file: 'a b', msg: 'overloaded' }),
    '12:30:05 warn  overloaded\n  refused: 3\n  file: a b\n',
  );
  t.equal(
    line({ level: 50, err: { stack: 'Error: x\n    at y' }, msg: 'failed' }),
    '12:30:05 error failed\n  Error: x\n      at y\n',
  );
  t.equal(line({ level: 60, err: { message: 'x' } }), '12:30:05 fatal \n  x\n');
  t.equal(
    line({ level: 30, tool: '\u001b[2J', err: { message: 'a\u001b[1A\nb' }, msg: '\u001b]0;x' }),
    '12:30:05 info  \\u001b]0;x\n  tool: \\u001b[2J\n  a\\u001b[1A\n  b\n',
    'what a terminal would obey is shown',
  );
  t.equal(readable('no JSON\n'), 'no JSON\n');
});

t.test('a decision is one line: when, decision, tool, agent, rule', async (t) => {
  const data = {
    integrationName: 'demo',
    tool: 'net.post',
    phase: 'ACTION',
    enforcementAction: 'BLOCK',
    violations: [{ ruleId: 'no-secrets-out' }, { ruleId: 'other' }],
    violationCount: 2,
  };
  const line = (change: object) =>
    readable(
      JSON.stringify({
        level: 30,
        time,
        event: { specversion: '1.0', type: 'evaluation.blocked', data: { ...data, ...change } },
        msg: 'evaluation.blocked',
      }),
    );
  t.equal(line({}), '12:30:05 BLOCK              net.post  demo  no-secrets-out and 1 more\n');
  t.equal(
    line({ tool: null, phase: 'PROMPT', enforcementAction: 'APPROVAL_REQUIRED', violationCount: 1 }),
    '12:30:05 APPROVAL_REQUIRED  PROMPT  demo  no-secrets-out\n',
  );
  t.equal(
    line({ tool: '\u001b[2J', violations: [], violationCount: 0 }),
    '12:30:05 BLOCK              \\u001b[2J  demo\n',
  );
});

t.test(
  'other events are shown by the names in them, and by their subject where they have none',
  async (t) => {
    const line = (event: object) => readable(JSON.stringify({ level: 30, time, event }));
    const subject = 'policies/1';
    t.equal(
      line({ type: 'policy.created', subject, data: { name: 'x' } }),
      '12:30:05 info  policy.created  x\n',
    );
    t.equal(
      line({ type: 'tool.undescribed', subject, data: { integrationName: 'demo', tool: 'a\u001b' } }),
      '12:30:05 info  tool.undescribed  a\\u001b  demo\n',
    );
    t.equal(line({ type: 'policy.bound', subject, data: {} }), '12:30:05 info  policy.bound  policies/1\n');
  },
);

const hasScript = existsSync('/usr/bin/script');
/** What the service prints on a terminal, which is closed at the end of it. */
async function onTerminal(database: string, end: RegExp): Promise<string> {
  const serve = `'${process.execPath}' '${program}' serve`;
  const terminal = spawn('script', ['-qfec', serve, '/dev/null'], {
    env: { ...processEnvironment, ASSIZE_PORT: '0', ASSIZE_DATABASE: database },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(terminal, 'exit');
  let stdout = '';
  for await (const part of terminal.stdout.setEncoding('utf8')) {
    stdout += part;
    if (end.test(stdout)) terminal.kill('SIGTERM');
  }
  await ended;
  return stdout;
}

t.test(
  'on a terminal the first start is readable and shows the keys, and each later one shows where it serves',
  { skip: !hasScript && 'needs script(1)' },
  async (t) => {
    const folder = temporaryFolder(t);
    const database = join(folder, 'assize.db');
    // The end of what a first start shows.
    const first = await onTerminal(database, /Try it/);
    t.match(first, /^\d\d:\d\d:\d\d info {2}Server listening at http:/m);
    t.match(first, /operator key +asz_admin_/);
    t.notMatch(first, /\{"level"/);
    t.notOk(existsSync(join(folder, 'assize.db-first-keys.txt')));
    const later = await onTerminal(database, /a new key .*\.db/);
    t.match(later, /^ {2}console +http:\/\/127\.0\.0\.1:\d+\/console\/\r?$/m);
    t.match(later, /^ {2}API page +http:\/\/127\.0\.0\.1:\d+\/docs\r?$/m);
    t.match(later, `a new key        assize keys create --database ${database}`);
    t.notMatch(later, /asz_/);
  },
);
