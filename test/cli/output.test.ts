import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import t from 'tap';
import { type Column, createOutput } from '../../src/cli/output.ts';

interface Row {
  id: string;
  name: string;
  status: string;
}

const columns: Column<Row>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'STATUS', of: ({ status }) => status, word: true },
];
const rows = [
  {
    id: '01980000-0000-7000-8000-000000000001',
    name: 'a name that is as long as a sentence',
    status: 'ACTIVE',
  },
  { id: '01980000-0000-7000-8000-000000000002', name: 'short', status: 'DEPRECATED' },
];

function terminal(width: number | undefined, isTTY = true) {
  const written = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({
    isTTY,
    ...(width !== undefined && { columns: width }),
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { io: { stdout: sink('out'), stderr: sink('err') }, written };
}
const plain = (text: string) => stripVTControlCharacters(text).split('\n').slice(0, -1);

t.test('ids are last, and texts are cut before ids and never the words with a colour', async (t) => {
  for (const width of [100, 80, 60, 45]) {
    const { io, written } = terminal(width);
    createOutput(io, false).list(rows, columns, '');
    const lines = plain(written.out);
    t.match(lines[0], /^NAME +STATUS +ID$/);
    t.match(lines[2], /^short +DEPRECATED +\S*02$/);
    for (const line of lines) t.ok(line.length <= width, `${width}: ${line}`);
    const isCut = width < 100;
    t.equal(lines[1]?.includes('…'), isCut);
    t.equal(lines[1]?.includes(rows[0]?.id ?? ''), width >= 80, `${width}: ${lines[1]}`);
    t.equal(written.err.includes('--wide shows all'), isCut);
  }
});

t.test('where columns do not fit, the last are left out and named, and never the id', async (t) => {
  const many = [
    ...columns,
    ...['FIRST', 'SECOND', 'THIRD'].map((title) => ({ title, of: () => 'a text that may be cut' })),
    { title: 'SESSION', of: ({ id }: Row) => id },
  ];
  for (const [width, leftOut] of [
    [100, []],
    [80, ['SESSION']],
    [70, ['THIRD', 'SESSION']],
    [40, ['FIRST', 'SECOND', 'THIRD', 'SESSION']],
  ] as const) {
    const { io, written } = terminal(width);
    createOutput(io, false).list(rows, many, '');
    const lines = plain(written.out);
    for (const line of lines) t.ok(line.length <= width, `${width}: ${line}`);
    t.match(lines[1], /…\S*01(?: |$)/, 'its id');
    const [, named = ''] = /Left out: (.+)\.$/m.exec(stripVTControlCharacters(written.err)) ?? [];
    t.strictSame(named, leftOut.join(', '), `${width}`);
  }
});

t.test('--wide, and a terminal whose width nobody knows, cut nothing', async (t) => {
  for (const [width, wide] of [
    [20, true],
    [undefined, false],
  ] as const) {
    const { io, written } = terminal(width);
    createOutput(io, false, { wide }).list(rows, columns, '');
    t.match(
      plain(written.out)[1],
      /a name that is as long as a sentence +ACTIVE +01980000-0000-7000-8000-000000000001$/,
    );
    t.equal(written.err, '');
  }
});

t.test('into a pipe everything is whole, in the order of the columns', async (t) => {
  const { io, written } = terminal(20, false);
  createOutput(io, false).list(rows, columns, '');
  t.equal(written.out, rows.map(({ id, name, status }) => `${id}\t${name}\t${status}\n`).join(''));
});

t.test('a command that takes longer than a second says so, on a terminal only, and clears it', async (t) => {
  const [shown, piped] = [terminal(80), terminal(80, false)];
  const outs = [createOutput(shown.io, false), createOutput(piped.io, false)];
  await pause(1_100);
  t.match(shown.written.err, /… 1 s$/);
  for (const out of outs) {
    out.progress('half');
    out.line({}, 'done');
    out.close();
  }
  t.ok(shown.written.err.endsWith('half\r\u001b[K'));
  t.equal(shown.written.out, 'done\n');
  t.strictSame(piped.written, { out: 'done\n', err: '' });
});
