import { RE2JS } from 're2js';
import t from 'tap';
import { check, types } from '../../src/cel/index.ts';
import { estimateSize } from '../../src/cel/regex.ts';

t.test('the size of a pattern is known before it is compiled, within a factor', async (t) => {
  const patterns = [
    'abc',
    '^a|b$',
    '[a-z]{3,40}',
    '(?i)\\bfoo\\b',
    '(a|bc|def){2,5}x*',
    '\\p{Greek}{10}',
    '\\x{1F600}+',
    '[[:alpha:]\\]]{7}',
    '[]a]{4}',
    '\\Qa.b{9}\\E',
    '\\Qopen',
    '((a{3}){3}){3}',
    'a{5,}',
    'a{0,3}b{0}',
    '(?:https?://)?[\\w.-]+@[\\w.-]+\\.[a-z]{2,10}',
    '\\d{4}[- ]?\\d{4}[- ]?\\d{4}[- ]?\\d{4}',
    'x{,3}',
    '(?P<year>\\d{4})',
  ];
  for (const pattern of patterns) {
    const size = RE2JS.compile(pattern).programSize();
    const estimate = estimateSize(pattern);
    t.ok(estimate >= size - 4 && estimate <= 2 * size + 10, `${pattern}: ${estimate} for ${size}`);
  }
});

t.test('patterns written to keep the compiler busy are refused at once', async (t) => {
  for (const unit of [
    'x{1000}|',
    '(?:a?){1000}|',
    '\\w{999}',
    '.{1000}',
    '(?:(?:a{10}){10}){10}|',
    '[\\pL\\pN\\pS]{1000}',
  ]) {
    const pattern = unit.repeat(Math.floor(500 / unit.length));
    const source = Array.from({ length: 7 }, (_, index) => `s.matches(r"${pattern}${index}")`).join(' || ');
    // The least of three: other processes share the caches, and collections of garbage come when they like.
    const times = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      const result = check(source, { variables: { s: types.string } });
      const { user, system } = process.cpuUsage(before);
      t.match(result, { ok: false, issues: [{ code: 'regex_too_large' }] }, unit);
      return (user + system) / 1_000;
    });
    t.ok(Math.min(...times) < 100, `${unit}: ${times.join()} ms`);
  }
});

t.test('brackets that do not match are the compiler’s to refuse', async (t) => {
  for (const pattern of ['(((', ')))', 'a{2}}', '[a', '*', '{3}'])
    t.ok(Number.isFinite(estimateSize(pattern)), pattern);
});
