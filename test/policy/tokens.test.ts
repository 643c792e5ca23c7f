import t from 'tap';
import { eachToken } from '../../src/policy/mentions.ts';

/** The same, as a regular expression says it. */
const tokens = /[^\s,;<>()[\]{}"'`|]{2,512}/g;
const isMarked = (token: string): boolean => /[\d@#/\\_]|\.[^.]/.test(token);

function taken(text: string): string[] {
  const tokens: string[] = [];
  eachToken(text, (token) => tokens.push(token));
  return tokens;
}

t.test('finds what a regular expression finds, in texts of all kinds of characters', async (t) => {
  const pieces = [
    ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
    ...'\u0085\u00a0\u1680\u2000\u200a\u200b\u2018\u2019\u201c\u201d\u2028\u202f\u3000\ufeffäж語😀١',
    ...['word', 'a.b', '12', 'x'.repeat(511), 'y1'.repeat(600)],
  ];
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % below;
  };
  const wrong: string[] = [];
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: random(30) }, () => pieces[random(pieces.length)]).join('');
    const expected = [...text.matchAll(tokens)].map(([token]) => token).filter(isMarked);
    // Of a long token each part is taken when one of them is marked.
    if (taken(text).filter(isMarked).join(' ') !== expected.join(' ')) wrong.push(text);
  }
  t.strictSame(wrong, []);
});

t.test('leaves ordinary words alone', async (t) => {
  t.strictSame(taken('two words, and (three) “more”'), []);
  t.strictSame(taken('A sentence. Another one... (And a last one.)'), []);
  t.strictSame(taken('order 12 of ann@example.com in /tmp, v1.2'), ['12', 'ann@example.com', '/tmp', 'v1.2']);
});
