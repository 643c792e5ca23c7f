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

const hasScript = existsSync('/usr/bin/script');
t.test(
  'on a terminal the start is readable and shows the keys',
  { skip: !hasScript && 'needs script(1)' },
  async (t) => {
    const folder = temporaryFolder(t);
    const serve = `'${process.execPath}' '${program}'`;
    const terminal = spawn('script', ['-qfec', serve, '/dev/null'], {
      env: { ...processEnvironment, ASSIZE_PORT: '0', ASSIZE_DATABASE: join(folder, 'assize.db') },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(terminal, 'exit');
    let stdout = '';
    for await (const part of terminal.stdout.setEncoding('utf8')) {
      stdout += part;
      // The end of what a first start shows: the terminal is closed then, and the service with it.
      if (/Try it/.test(stdout)) terminal.kill('SIGTERM');
    }
    await ended;
    t.match(stdout, /^\d\d:\d\d:\d\d info {2}Server listening at http:/m);
    t.match(stdout, /operator key +asz_admin_/);
    t.notMatch(stdout, /\{"level"/);
    t.notOk(existsSync(join(folder, 'assize.db-first-keys.txt')));
  },
);
