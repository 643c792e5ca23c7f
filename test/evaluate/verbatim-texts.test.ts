import t from 'tap';
import { parseWithTexts, spelledAsSent, stringifyWithTexts } from '../../src/evaluate/verbatim-texts.ts';

const line = 'one line of "a report", with a tab\t, a slash /, a line break\n, \u0001, é, € and 😀. ';
const text = line.repeat(100);

t.test('what is spelled with the texts that were sent says the same as what was sent', async (t) => {
  const values = [
    null,
    [],
    { a: 1 },
    text,
    `${text}\\`,
    { text },
    { a: [text, { b: text, c: `${text}.` }], d: 'short', e: [1.5, true, null] },
    { '10': text, '2': text, toJSON: text },
  ];
  for (const value of values) {
    const { value: read, texts } = parseWithTexts(JSON.stringify(value));
    t.strictSame(read, value);
    t.equal(stringifyWithTexts(read, texts), JSON.stringify(value));
  }
});

t.test('a long text keeps its spelling; what parsing dropped is not kept', async (t) => {
  const spelled = `"${'\\u0041\\/'.repeat(3_000)}"`;
  const { value, texts } = parseWithTexts(`{ "a": "4111 1111 1111 1111", "b": ${spelled}, "a": 1.50 }`);
  t.equal(stringifyWithTexts(value, texts), `{"a":1.5,"b":${spelled}}`);
  t.equal(stringifyWithTexts({ b: 'A/'.repeat(2_999) }, texts), JSON.stringify({ b: 'A/'.repeat(2_999) }));
});

t.test('a long text that was sent without escapes has the JSON that it was sent as', async (t) => {
  const plain = 'é, € and 😀, \u007f, \u2028. '.repeat(1_000);
  const escaped = '\u0001 "';
  for (const value of [plain, escaped.repeat(2_000), `${plain}\\`, 'short', escaped]) {
    const { texts } = parseWithTexts(JSON.stringify(value));
    t.equal(spelledAsSent(texts)(value), JSON.stringify(value));
  }
  const { value, texts } = parseWithTexts(`"${'\\u0041'.repeat(5_000)}"`);
  t.equal(
    spelledAsSent(texts)(value as string),
    `"${'A'.repeat(5_000)}"`,
    'sent with escapes it does not need',
  );
});

t.test('a body of many short texts, or without long ones, is parsed plainly', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, place) => [`key-${place}`, 'short']));
  const numbers = Array.from({ length: 5_000 }, () => 1);
  for (const value of [{ many, text }, { numbers, text }, { text: 'x'.repeat(3_000) }]) {
    const { value: read, texts } = parseWithTexts(JSON.stringify(value));
    t.strictSame(read, value);
    t.equal(texts.size, 0);
  }
  const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  t.ok(parseWithTexts(deep).value);
});

t.test('refuses what is no JSON', async (t) => {
  t.throws(() => parseWithTexts(`{"text":"${'x'.repeat(5_000)}`), SyntaxError);
  t.throws(() => parseWithTexts('{'), SyntaxError);
});
