import t from 'tap';
import { jsonErrorPosition } from '../../src/http/json-position.ts';

const broken: [text: string, line: number, column: number][] = [
  ['', 1, 1],
  ['{', 1, 2],
  ['{"a":1,}', 1, 8],
  ['{"a":1\n "b":2}', 2, 2],
  ['{"a" 1}', 1, 6],
  ["{'a':1}", 1, 2],
  ['{a:1}', 1, 2],
  ['[1,]', 1, 4],
  ['[1 2]', 1, 4],
  ['[1}', 1, 3],
  ['{"a":[1,2}', 1, 10],
  ['{"a":undefined}', 1, 6],
  ['{"a":NaN}', 1, 6],
  ['{"a":01}', 1, 7],
  ['{"a":+1}', 1, 6],
  ['{"a":1.}', 1, 7],
  ['{"a":tru}', 1, 6],
  ['{"a":"x\ny"}', 1, 8],
  ['{"a":"x\\qy"}', 1, 8],
  ['{"a":"\\u12"}', 1, 7],
  ['{"a":"x', 1, 8],
  ['{}\n\n  {}', 3, 3],
  ['1 2', 1, 3],
  ['"a" "b"', 1, 5],
  [']', 1, 1],
  ['{"a":{"b":[{"c":1}]}', 1, 21],
  ['\ufeff{}', 1, 1],
  [`${'['.repeat(50_000)}x`, 1, 50_001],
];

t.test('says where text stops being JSON', async (t) => {
  for (const [text, line, column] of broken) {
    t.throws(() => JSON.parse(text), text.slice(0, 30));
    t.strictSame(jsonErrorPosition(text), { line, column }, text.slice(0, 30));
  }
});

t.test('takes what JSON.parse takes up to its end', async (t) => {
  const texts = [
    '{"a":[1,-0.5e+3,true,false,null,"\\u00e9\\n",{}],"":[[]]}',
    ' [ ] ',
    '"x"',
    '-0',
    `"${'a'.repeat(1_000_000)}"`,
  ];
  for (const text of texts) {
    JSON.parse(text);
    const column = `${text} `.length;
    t.strictSame(jsonErrorPosition(`${text} ?`), { line: 1, column: column + 1 });
  }
});
