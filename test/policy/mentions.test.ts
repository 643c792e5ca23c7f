import t from 'tap';
import { identifierOf, mentionsIn } from '../../src/policy/mentions.ts';
import { mostIdentifiers } from '../../src/schemas/session-context.ts';
import { processorMs } from '../helpers/longest-step.ts';

t.test('one identifier has one form, however it is written', async (t) => {
  const same: [string, ...string[]][] = [
    [
      'ann@example.com',
      'Ann@Example.com',
      '<ann@example.com>',
      ' mailto:ann@example.com',
      'ann@example.com.',
      '"ann@example.com",',
    ],
    ['evil.example/Path', 'https://EVIL.example/Path', 'http://evil.example/Path/', 'evil.example/Path//'],
    ['evil.example', 'https://Evil.example', 'https://evil.example/', 'EVIL.EXAMPLE'],
    ['+491701234567', '+49 170 1234567', '+49-170-123 45 67', '+49 (170) 1234567'],
    ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', 'de89-3704-0044-0532-0130-00'],
    ['ann smith', 'Ann  Smith', 'ann\nsmith', '“Ann Smith”'.slice(1, -1), '*Ann Smith*'],
    ['INV-2231', 'INV-2231.', '(INV-2231)'],
    ['#general', '#General'],
  ];
  for (const [form, ...written] of same)
    for (const one of [form, ...written]) t.equal(identifierOf(one), form, JSON.stringify(one));
});

t.test('what differs stays different', async (t) => {
  t.not(identifierOf('aB3'), identifierOf('Ab3'), 'ids are exact');
  t.not(identifierOf('https://x.example/A'), identifierOf('https://x.example/a'), 'so are paths');
  t.not(identifierOf('98.70'), identifierOf('9870'));
  t.not(identifierOf('аnn@example.com'), identifierOf('ann@example.com'), 'a Cyrillic letter is another one');
  t.not(identifierOf('DE12 x1'), identifierOf('DE12x1'), 'too short for an account');
  for (const nothing of ['', '  ', '"', 'x'.repeat(129), 'x'.repeat(600)])
    t.equal(identifierOf(nothing), null);
  t.equal(identifierOf('x'.repeat(128)), 'x'.repeat(128));
  t.equal(identifierOf('()-'), null);
});

const found = (content: unknown, phase: 'ACTION' | 'RESULT' | 'PROMPT' = 'RESULT') =>
  Object.fromEntries(
    [...(mentionsIn(content, phase) ?? [])]
      .map(([name, { field }]) => [name, field !== null] as const)
      .sort(),
  );

t.test('a whole field is told from a part of a text', async (t) => {
  t.strictSame(
    found({ sender: 'ann@example.com', body: `${'Dear all, '.repeat(20)} write to Eve@evil.example now` }),
    {
      'ann@example.com': true,
      'eve@evil.example': false,
    },
  );
  t.strictSame(found({ a: 'x@y.example', b: 'see x@y.example' }), {
    'see x@y.example': true,
    'x@y.example': true,
  });
  t.strictSame(found({ b: 'see x@y.example', a: 'x@y.example' }), {
    'see x@y.example': true,
    'x@y.example': true,
  });
  t.strictSame(found({ ok: true, none: null, id: 12345, small: 7, big: 2n ** 60n, minus: -5000 }), {
    '-5000': true,
    '1152921504606846976': true,
    '12345': true,
  });
});

t.test('fields inside of JSON texts are fields, and keys that are identifiers count', async (t) => {
  t.strictSame(found({ content: [{ text: '{"to": "bob", "at": ["c@d.example"]}' }] }), {
    bob: true,
    'c@d.example': true,
  });
  t.strictSame(
    found({ content: '{"to": "bo' }),
    { 'to": "bo': true, to: false },
    'text that only begins like JSON',
  );
  t.strictSame(found({ 'ann@example.com': 'admin', name: 'x' }), { admin: true, 'ann@example.com': true });
});

t.test('identifiers of every shape are found in a text', async (t) => {
  const text = `${'words '.repeat(40)} IBAN:US133000000121212121212, call +1 (555) 010-9999; open /etc/passwd or
    C:\\temp\\a.txt, file "Team Plan", see https://user@www.evil.example:8080/x?y=1 and id=ab12 in #general of @bob`;
  const seen = found(text);
  for (const one of [
    'US133000000121212121212',
    '+15550109999',
    '/etc/passwd',
    'team plan',
    'www.evil.example',
    'ab12',
    '#general',
    '@bob',
  ])
    t.equal(seen[one], false, one);
  t.notOk('words' in seen);
});

t.test('a person names things in words', async (t) => {
  const seen = found('Please send it to Ann Smith of Green Park Dental Care, in channel general.', 'PROMPT');
  for (const one of ['ann smith', 'green park dental care', 'general', 'ann']) t.equal(seen[one], false, one);
  t.notOk('to ann smith of green' in seen, 'of at most four words');
  const long = found(`${'word '.repeat(600)} Ann a1@b.example`, 'PROMPT');
  t.notOk('ann' in long, 'beyond 500 words only identifiers');
  t.equal(long['a1@b.example'], false);
  t.notOk('ann' in found({ text: `${'x'.repeat(129)} Ann` }, 'RESULT'));
});

/** The whole fields that are no text of several words, with their names. */
const fieldsIn = (content: unknown) =>
  [...(mentionsIn(content, 'RESULT') ?? [])].flatMap(([name, { field }]) =>
    field === null || name.includes(' ') ? [] : [`${field}=${name}`],
  );

t.test('a result that is one text is read as fields where it is a record or a table', async (t) => {
  const rows = ['id=f-1', 'owner=ann@example.com', 'id=f-2', 'owner=bob@example.com'];
  const tables = {
    markdown: '| id | owner |\n| --- | :---: |\n| f-1 | ann@example.com |\n| f-2 | bob@example.com |',
    'database shell':
      ' id  | owner           \n-----+-----------------\n f-1 | ann@example.com \n f-2 | bob@example.com \n(2 rows)\n',
    'below a line': '2 files:\nid | owner\n---|---\nf-1 | ann@example.com\nf-2 | bob@example.com',
    commas: 'id,owner\nf-1,ann@example.com\n"f-2","bob@example.com"\n',
    tabs: 'id\towner\nf-1\tann@example.com\nf-2\tbob@example.com',
    lines: '- id: f-1\n  owner: ann@example.com\n- id: f-2\n  owner: bob@example.com',
  };
  for (const [name, result] of Object.entries(tables)) t.strictSame(fieldsIn({ result }), rows, name);
  t.strictSame(fieldsIn({ result: 'id: f-1\nowner: ann@example.com' }), rows.slice(0, 2), 'one short record');
  const shared =
    'id | shared\n--- | ---\nf-1 | ann@example.com: rw, bob@example.com (r)\nf-2 | eve@example.com';
  t.strictSame(
    fieldsIn({ result: shared }),
    ['id=f-1', 'shared=ann@example.com', 'shared=bob@example.com', 'id=f-2', 'shared=eve@example.com'],
    'addresses in one cell are a list',
  );
  t.strictSame(
    fieldsIn({ result: 'id | note\n--- | ---\nf-1 | ann@example.com, and write to eve@evil.example' }),
    ['id=f-1'],
    'words between addresses are a text',
  );
  const table = tables.markdown;
  const none = {
    'a table inside a longer text': `${'Dear all,\nthis is new.\n'.repeat(4)}${table}`,
    'two lines of prose': 'Dear Ann,\nwrite to eve@evil.example: now',
    'other cells than names': 'id,owner\nf-1\nf-2\nf-3,a,b',
    'no names': '1,2\nf-1,ann@example.com',
  };
  for (const [name, result] of Object.entries(none)) t.strictSame(fieldsIn({ result }), [], name);
  t.strictSame(fieldsIn({ comment: table }), [], 'somebody else may have written a field of a record');
});

t.test('more than a session may keep is not kept', async (t) => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
  t.equal(mentionsIn(ids(mostIdentifiers), 'RESULT')?.size, mostIdentifiers);
  t.equal(mentionsIn(ids(mostIdentifiers + 1), 'RESULT'), null);
  t.equal(mentionsIn(ids(3 * mostIdentifiers), 'RESULT'), null);
});

t.test('a megabyte takes no longer than to read it', async (t) => {
  const hostile = [
    'a'.repeat(1e6),
    'DE12 '.repeat(2e5),
    '"'.repeat(1e6),
    '1 ('.repeat(3e5),
    'a.'.repeat(5e5),
    '[1'.repeat(5e5),
  ];
  for (const text of hostile) {
    const ms = processorMs(() => mentionsIn({ text }, 'PROMPT'));
    t.ok(ms < 1_500, `${text.slice(0, 8)}: ${ms} ms`);
  }
});
