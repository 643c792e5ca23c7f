import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../helpers/process.ts';
import { blocksOf, sameText, shows } from './blocks.ts';

t.test('an example is held to what it shows, and to nothing it leaves out', async (t) => {
  const cases: [shown: unknown, value: unknown, holds: boolean][] = [
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1 }, { b: 2 }, false],
    [{ a: [] }, { a: [1] }, false],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true],
    [{ a: null }, { a: null }, true],
    [{ a: null }, { a: 0 }, false],
    ['/v1/…', '/v1/reviews', true],
    ['/v1/…', '/v2/reviews', false],
    ['…', null, false],
    [{ a: 1 }, 'a', false],
  ];
  for (const [shown, value, holds] of cases)
    t.equal(shows(shown, value), holds, JSON.stringify([shown, value]));
});

t.test('a printed text is compared whole', async (t) => {
  t.ok(sameText('a … c\nd', 'a b c\nd'));
  t.notOk(sameText('a.c', 'abc'));
  t.notOk(sameText('a', 'ab'));
});

t.test('a page of an agent installs what its programs import', async (t) => {
  for (const name of readdirSync(join(root, 'docs/agents'))) {
    const blocks = blocksOf(`docs/agents/${name}`);
    const installed = new Set(
      blocks.flatMap(
        ({ body }) =>
          /^npm install (.*)$/m
            .exec(body)?.[1]
            ?.replace(/\.\/(assize-client)-[\d.]+\.tgz/, '$1')
            .split(' ') ?? [],
      ),
    );
    const programs = blocks.filter(({ language }) => language === 'js').map(({ body }) => body);
    for (const [, from = ''] of programs.join('\n').matchAll(/^import [^;]* from '([^']+)';$/gm)) {
      const imported = /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from;
      t.ok(from.startsWith('node:') || installed.has(imported), `${name}: ${from}`);
    }
  }
});
