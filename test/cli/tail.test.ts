import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import t from 'tap';
import { adminKey, temporaryFolder } from '../helpers/app.ts';
import { program, serveProcess } from '../helpers/process.ts';

t.test(
  'tail prints what is evaluated as it happens, in order, until Ctrl-C, which is no failure',
  async (t) => {
    const database = `${temporaryFolder(t)}/assize.db`;
    const served = serveProcess(t, { ASSIZE_DATABASE: database, ASSIZE_ADMIN_KEY: adminKey });
    const url = await served.url();
    const [, key = ''] =
      /demo agent key +(asz_live_[A-Za-z0-9_-]{43})\n/.exec(await served.firstKeys()) ?? [];
    let sessionId: string | undefined;
    const evaluate = async (tool: string, inSession = true) => {
      const response = await fetch(`${url}/v1/evaluate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ input: { tool }, ...(inSession && sessionId && { sessionId }) }),
      });
      const { data } = (await response.json()) as { data: { sessionId: string } };
      if (inSession) sessionId = data.sessionId;
    };
    await evaluate('first');
    await evaluate('second');
    const tail = (...args: string[]) =>
      serveProcess(
        t,
        { ASSIZE_URL: url, ASSIZE_KEY: adminKey },
        { args: [program, 'sessions', 'tail', ...args] },
      );
    const tails = {
      all: tail(),
      session: tail(sessionId ?? '', '--last', '1', '--json'),
      local: serveProcess(
        t,
        { ASSIZE_DATABASE: database },
        { args: [program, 'sessions', 'tail', '--last', '0', '--json'] },
      ),
    };
    await tails.all.prints(/\tfirst\t[\s\S]*\tsecond\t/);
    await tails.session.prints(/"tool":"second"/);
    // It says nothing before the first: it is asked until it follows.
    for (let n = 0; !tails.local.stdout().includes('probe'); n++) await evaluate(`probe ${n}`, false);
    for (let n = 0; n < 5; n++) await evaluate(`live ${n}`, n !== 2);
    const inOrder = /live 0[\s\S]*live 1[\s\S]*live 2[\s\S]*live 3[\s\S]*live 4/;
    await tails.all.prints(inOrder);
    await tails.local.prints(inOrder);
    await tails.session.prints(/live 0[\s\S]*live 1[\s\S]*live 3[\s\S]*live 4/);
    for (const [name, one] of Object.entries(tails)) {
      t.strictSame(await one.stop('SIGINT'), { code: 0, signal: null }, name);
      t.equal(one.stderr(), '');
    }
    t.notMatch(tails.session.stdout(), /first|live 2|probe/);
    const seen = tails.session
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq);
    t.strictSame(seen, [2, 3, 4, 5, 6], 'each once');
    const piped = `node ${program} sessions tail --last 1 --url ${url} | head -1 >/dev/null`;
    const left = spawn('bash', ['-o', 'pipefail', '-c', piped], {
      env: { PATH: process.env.PATH, ASSIZE_KEY: adminKey },
      stdio: 'inherit',
    });
    const ended = once(left, 'exit');
    const asking = setInterval(() => void evaluate('more').catch(() => undefined), 100);
    t.strictSame(await ended, [0, null], 'it ends when nobody reads any more');
    clearInterval(asking);
    const wide = 'stty cols 80; node "$0" sessions tail --no-follow --last 3';
    for (const flag of existsSync('/usr/bin/script') ? ['', ' --wide'] : []) {
      const shown = spawnSync('script', ['-qec', `bash -c '${wide}${flag}' '${program}'`, '/dev/null'], {
        env: {
          PATH: process.env.PATH,
          ASSIZE_KEY: adminKey,
          ASSIZE_URL: url,
          TERM: 'dumb',
          SHELL: '/bin/bash',
        },
        encoding: 'utf8',
      }).stdout;
      const lines = stripVTControlCharacters(shown)
        .split('\r\n')
        .filter((line) => line.includes('  demo  '));
      t.equal(lines.length, 3, shown);
      for (const line of lines) {
        if (flag === '') t.match(line, /^\d\d:\d\d:\d\d {2}[A-Z_]{4,17} +demo {10}\S.* {2}\S/);
        else t.match(line, /^\d{4}-.* [0-9a-f-]{36}$/);
        t.equal(line.length > 80, flag !== '', line);
      }
    }
    await served.stop();
    const lost = tail();
    t.match(await lost.exited, { code: 3 }, 'a server that is gone is code 3');
    t.match(
      lost.stderr(),
      /^assize: no response from http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED \S+\n$/,
    );
  },
);
