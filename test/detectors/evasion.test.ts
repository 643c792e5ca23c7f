import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const CARD = '4111111111111111';
const MAIL = 'jane.doe@example.com';
const binary = (size: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * i * 7 + i * 31) ^ (i >> 3)));
const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const wide = (text: string): string =>
  [...text].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join('');
const bold = (digits: string): string =>
  [...digits].map((d) => String.fromCodePoint(0x1d7ce + Number(d))).join('');
const hexBytes = (text: string, separator: string): string =>
  [...Buffer.from(text)].map((byte) => byte.toString(16)).join(separator);
const arabic = (digits: string): string =>
  [...digits].map((d) => String.fromCharCode(0x660 + Number(d))).join('');

const cases: readonly [how: string, input: unknown, tag: string, redacted: unknown][] = [
  [
    'an escape glued to a token',
    { a: String.raw`"x\n${TOKEN}"` },
    'GITHUB_TOKEN',
    { a: '"x\\n[GITHUB_TOKEN]"' },
  ],
  ['an escaped at sign', { a: String.raw`jane\u0040example.com` }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  ['line breaks of HTML', { a: '4111<br>1111<br/>1111<BR />1111' }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  [
    'literals that are joined',
    { a: `x = "AKIA" + 'x' + "${TOKEN.slice(0, 8)}"+"${TOKEN.slice(8)}"` },
    'GITHUB_TOKEN',
    { a: `x = "AKIA" + 'x' + "[GITHUB_TOKEN]"` },
  ],
  [
    'tags of HTML',
    { a: 'jane<b></b>@exa<span class="x">mple</span>.com' },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  [
    'a comment of HTML',
    { a: `card 4111<!-- x -->111111111111!` },
    'CREDIT_CARD',
    { a: 'card [CREDIT_CARD]!' },
  ],
  ['quoted-printable text', { a: 'jane=40example.com' }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'a soft line break of quoted-printable text',
    { a: `${'words of a mail '.repeat(4)}4111 11=\r\n11 1111 1111, thanks` },
    'CREDIT_CARD',
    { a: `${'words of a mail '.repeat(4)}[CREDIT_CARD], thanks` },
  ],
  [
    'literals that an ampersand joins',
    { a: 'pan = "41111111" & "11111111"' },
    'CREDIT_CARD',
    { a: 'pan = "[CREDIT_CARD]"' },
  ],
  [
    'an at sign in words',
    { a: 'to jane (at) example (dot) com now' },
    'EMAIL_ADDRESS',
    { a: 'to [EMAIL_ADDRESS] now' },
  ],
  ['an at sign in brackets', { a: 'j.doe[at]mail.example.org!' }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]!' }],
  ['a hexadecimal escape', { a: String.raw`jane\x40example.com` }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'percent encoding',
    { a: '/u?mail=jane%40example.com&x=1' },
    'EMAIL_ADDRESS',
    { a: '/u?mail=[EMAIL_ADDRESS]&x=1' },
  ],
  [
    'spaces of a form',
    { a: 'card=5555+5555+5555+4444&x=1+1+2' },
    'CREDIT_CARD',
    { a: 'card=[CREDIT_CARD]&x=1+1+2' },
  ],
  ['percent encoding twice', { a: 'jane%2540example.com' }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'zero-width characters between the digits of a number that nothing names',
    { a: [...'4853425751540229'].join('\u200b') },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  ['bullets', { a: '4686\u20228471\u20223654\u20221908' }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  ['zero-width characters', { a: 'jane\u200b@exam\u2060ple.com' }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'a soft hyphen in a token',
    { a: `x ${TOKEN.slice(0, 9)}\u00ad${TOKEN.slice(9)}` },
    'GITHUB_TOKEN',
    { a: 'x [GITHUB_TOKEN]' },
  ],
  ['tag characters', { a: `jane\u{e0041}@example.com` }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  ['full-width characters', { a: wide(MAIL) }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  ['mathematical digits', { a: `card ${bold(CARD)}!` }, 'CREDIT_CARD', { a: 'card [CREDIT_CARD]!' }],
  ['circled digits', { a: 'card ④①①①①①①①①①①①①①①①' }, 'CREDIT_CARD', { a: 'card [CREDIT_CARD]' }],
  ['the digits of another script', { a: arabic(CARD) }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  [
    'a space that does not break',
    { a: '4111\u00a01111\u20091111\u202f1111' },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  ['typographic dashes', { a: '536–22–1847' }, 'US_SSN', { a: '[US_SSN]' }],
  ['a separator after each digit', { a: [...CARD].join('-') }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  ['pairs of digits', { a: '41 11 11 11 11 11 11 11' }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  ['odd groups after its word', { a: 'card 41111 11111 111111' }, 'CREDIT_CARD', { a: 'card [CREDIT_CARD]' }],
  [
    'a line break inside',
    { a: `${CARD.slice(0, 10)}\n${CARD.slice(10)}` },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  [
    'a line break inside a token',
    { a: `${TOKEN.slice(0, 20)}\r\n${TOKEN.slice(20)}` },
    'GITHUB_TOKEN',
    { a: '[GITHUB_TOKEN]' },
  ],
  [
    'base64',
    { a: `see ${base64(`mail ${MAIL} today`)} ok` },
    'EMAIL_ADDRESS',
    { a: 'see [EMAIL_ADDRESS] ok' },
  ],
  [
    'base64 with signs in it',
    { a: base64(`${MAIL} >>>???~~~ and on`) },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  [
    'base64 without a digit, padded',
    { a: `see ${base64('the value is 4111111111111111')} ok` },
    'CREDIT_CARD',
    { a: 'see [CREDIT_CARD] ok' },
  ],
  [
    'base64 without a digit, at the end',
    { a: `card: ${base64('the value is 4111111111111111').replace('=', '')}` },
    'CREDIT_CARD',
    { a: 'card: [CREDIT_CARD]' },
  ],
  [
    'base64 without a digit, alone',
    { a: base64('the value is 4111111111111111').replace('=', '') },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  ['base64 of JSON', { a: base64(JSON.stringify({ ssn: '536221847' })) }, 'US_SSN', { a: '[US_SSN]' }],
  [
    'base64 with letters from afar',
    { a: base64(`é è ü ${MAIL} ¿ ¡`) },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  [
    'base64 after a path',
    { a: `data/${base64(`mail ${MAIL} today`)}` },
    'EMAIL_ADDRESS',
    { a: 'data/[EMAIL_ADDRESS]' },
  ],
  [
    'base64 of base64 of base64',
    { a: base64(base64(base64(MAIL))) },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  [
    'base64 in lines of 76 characters',
    { a: base64(`${'line '.repeat(10)}${MAIL} ${'line '.repeat(10)}`).replace(/.{76}/g, '$&\r\n') },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  [
    'base64 of UTF-16',
    { a: `-enc ${Buffer.from(MAIL, 'utf16le').toString('base64')}` },
    'EMAIL_ADDRESS',
    { a: '-enc [EMAIL_ADDRESS]' },
  ],
  [
    'base64 of UTF-16 in the other order',
    { a: Buffer.from(MAIL, 'utf16le').swap16().toString('base64') },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  ['base32', { a: 'NVQWS3BANJQW4ZJOMRXWKQDFPBQW24DMMUXGG33N' }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'hexadecimal',
    { a: `x=${Buffer.from(MAIL).toString('hex')}` },
    'EMAIL_ADDRESS',
    { a: 'x=[EMAIL_ADDRESS]' },
  ],
  [
    'hexadecimal after 0x',
    { a: `0x${Buffer.from(MAIL).toString('hex')}` },
    'EMAIL_ADDRESS',
    { a: '0x[EMAIL_ADDRESS]' },
  ],
  ['hexadecimal of digits', { a: Buffer.from(CARD).toString('hex') }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  [
    'a hex dump',
    {
      a: '00000000: 6d61 696c 206a 616e 652e 646f 6540 6578  mail jane.doe@ex\n00000010: 616d 706c 652e 636f 6d0a  ample.com.\n',
    },
    'EMAIL_ADDRESS',
    { a: '00000000: [EMAIL_ADDRESS]\n' },
  ],
  ['bytes in hexadecimal', { a: hexBytes(MAIL, ' ') }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'bytes of source code',
    { a: `{ 0x${hexBytes(MAIL, ', 0x')} }` },
    'EMAIL_ADDRESS',
    { a: '{ [EMAIL_ADDRESS] }' },
  ],
  [
    'a buffer as JSON in a text',
    { a: JSON.stringify(Buffer.from(MAIL)) },
    'EMAIL_ADDRESS',
    { a: '{"type":"Buffer","data":[[EMAIL_ADDRESS]]}' },
  ],
  [
    'a buffer as JSON',
    { a: Buffer.from(MAIL).toJSON() },
    'EMAIL_ADDRESS',
    { a: { type: 'Buffer', data: new Array(20).fill('[EMAIL_ADDRESS]') } },
  ],
  ['a control character', { a: 'jane.doe@exa\u0001mple.com' }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'a control character of C1',
    { a: 'jane.doe@exa\u0090mple.com' },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  ['a character reference', { a: MAIL.replace('@', '&#64;') }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'a hexadecimal character reference',
    { a: MAIL.replace('@', '&#x40;') },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  [
    'a character reference that is not closed',
    { a: MAIL.replace('@', '&#64') },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  [
    'named characters of HTML',
    { a: MAIL.replace('@', '&commat;').replaceAll('.', '&period;') },
    'EMAIL_ADDRESS',
    { a: '[EMAIL_ADDRESS]' },
  ],
  ['spaces of HTML', { a: '4111&nbsp;1111&nbsp;1111&nbsp;1111' }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  [
    'line breaks that HTML allows',
    { a: '4111<wbr>1111<wbr/>1111<WBR >1111' },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  ['an escape in braces', { a: MAIL.replace('@', '\\u{40}') }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  ['an escape of old scripts', { a: MAIL.replace('@', '%u0040') }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  ['an octal escape', { a: MAIL.replace('@', '\\100') }, 'EMAIL_ADDRESS', { a: '[EMAIL_ADDRESS]' }],
  [
    'escaped digits beyond the basic plane',
    { a: [...CARD].map((d) => `\\u{${(0x1d7ce + Number(d)).toString(16)}}`).join('') },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  ['variation selectors', { a: [...CARD].join('\u{e0100}') }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  ['blank braille', { a: [...CARD].join('\u2800') }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  ['delete characters', { a: [...CARD].join('\u007f') }, 'CREDIT_CARD', { a: '[CREDIT_CARD]' }],
  [
    'colours of a terminal',
    { a: '4111\u001b[0m1111\u001b[1;31m1111\u001b1111' },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  [
    'Sundanese digits',
    { a: [...CARD].map((d) => String.fromCodePoint(0x1bb0 + Number(d))).join('') },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  [
    'Osmanya digits',
    { a: [...CARD].map((d) => String.fromCodePoint(0x104a0 + Number(d))).join('') },
    'CREDIT_CARD',
    { a: '[CREDIT_CARD]' },
  ],
  [
    'an escape in a long text',
    { a: `${'word '.repeat(900)}${MAIL.replace('@', '%40')}${' word'.repeat(900)}` },
    'EMAIL_ADDRESS',
    { a: `${'word '.repeat(900)}[EMAIL_ADDRESS]${' word'.repeat(900)}` },
  ],
  [
    'two escapes far from each other',
    { a: `jane%40example.com${' word'.repeat(300)} bob%40example.com` },
    'EMAIL_ADDRESS',
    { a: `[EMAIL_ADDRESS]${' word'.repeat(300)} [EMAIL_ADDRESS]` },
  ],
  ['JSON in a string', { a: JSON.stringify({ ssn: '536221847' }) }, 'US_SSN', { a: '{"ssn":"[US_SSN]"}' }],
  [
    'JSON in a string in a string',
    { a: JSON.stringify(JSON.stringify({ ssn: '536221847' })) },
    'US_SSN',
    { a: String.raw`"{\"ssn\":\"[US_SSN]\"}"` },
  ],
  [
    'an array of digits',
    { card: [...CARD].map(Number) },
    'CREDIT_CARD',
    { card: new Array(16).fill('[CREDIT_CARD]') },
  ],
  [
    'an array of digits as strings',
    { ssn: [...'536221847'] },
    'US_SSN',
    { ssn: new Array(9).fill('[US_SSN]') },
  ],
  ['an array of groups', ['4111', '1111', '1111', '1111'], 'CREDIT_CARD', new Array(4).fill('[CREDIT_CARD]')],
  ['a number', { n: 4111111111111111 }, 'CREDIT_CARD', { n: '[CREDIT_CARD]' }],
  [
    'a key',
    { [MAIL]: { [`${MAIL}/x`]: 1 } },
    'EMAIL_ADDRESS',
    { '[EMAIL_ADDRESS]': { '[EMAIL_ADDRESS]/x': 1 } },
  ],
  [
    'keys that become alike',
    { 'a@b.co': 1, 'c@d.co': 2 },
    'EMAIL_ADDRESS',
    { '[EMAIL_ADDRESS]': 1, '[EMAIL_ADDRESS] 2': 2 },
  ],
  [
    'a value seen again without its key',
    { ssn: '536221847', note: 'id 536221847 again', n: 536221847 },
    'US_SSN',
    { ssn: '[US_SSN]', note: 'id [US_SSN] again', n: '[US_SSN]' },
  ],
  [
    'a member named __proto__',
    JSON.parse(`{"__proto__":"${MAIL}"}`),
    'EMAIL_ADDRESS',
    JSON.parse('{"__proto__":"[EMAIL_ADDRESS]"}'),
  ],
  ['a script without spaces', { a: '电话13812345678' }, 'PHONE_NUMBER', { a: '电话[PHONE_NUMBER]' }],
];

for (const [how, input, tag, redacted] of cases) {
  test(`finds a value behind ${how} and leaves nothing of it`, async (t) => {
    const scan = detector.scan(input);
    t.ok(scan.tags.includes(tag), `${tag}: ${JSON.stringify(scan.tags)}`);
    t.same(JSON.stringify(scan.redacted()), JSON.stringify(redacted));
  });
}

test('a path never shows the value a key holds', async (t) => {
  const [finding] = detector.scan({ 'a/b': { [MAIL]: MAIL } }).detections();
  t.same(finding, {
    tag: 'EMAIL_ADDRESS',
    strength: 'formatted',
    path: '/a~1b/[EMAIL_ADDRESS]',
    start: 0,
    end: 20,
    key: true,
  });
});

test('input that is nested too deeply stops the scan', async (t) => {
  t.throws(() => detector.scan(JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`)), RangeError);
});

test('control characters, broken escapes and lone surrogates stop nothing', async (t) => {
  for (const odd of [
    '\0',
    '\x1e\x1d',
    '\\',
    '\\x4',
    '\\u00',
    '\\u00é0',
    '\\u漢字漢字',
    '\\é',
    '%',
    '%4',
    '%zz',
    '\ud835',
    '\udc00',
    '\ufffd',
    '\\u{',
    '\\u{zz}',
    '\\u{1F600}',
    '\\09',
    '\\0',
    '\\007',
    '&#',
    '&#0;',
    '&nothing;',
    '&#1114112;',
    '%u00',
    '<wb',
    '<wxyz>',
    '<wbr',
    '\u001b[',
  ]) {
    t.same(
      detector.scan({ a: `${odd} ${MAIL} ${odd}` }).redacted(),
      { a: `${odd} [EMAIL_ADDRESS] ${odd}` },
      odd,
    );
  }
});

test('thousands of different compound characters are read, and what stands between them found', async (t) => {
  const many = Array.from({ length: 9000 }, (_, i) => String.fromCodePoint(0x20000 + i)).join('');
  t.same(detector.scan({ a: `${many} ${MAIL}` }).tags, ['PII', 'EMAIL_ADDRESS']);
});

test('what is no text stays as it was', async (t) => {
  t.same(detector.scan({ a: null, b: true, c: [false, null], mail: MAIL }).redacted(), {
    a: null,
    b: true,
    c: [false, null],
    mail: '[EMAIL_ADDRESS]',
  });
});

test('a fiscal code whose digits became letters is found by its word and check character', async (t) => {
  const found = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((last) =>
    detector.scan({ a: `codice fiscale RSSMRA85T10A5SN${last}` }).tags.includes('IT_FISCAL_CODE'),
  );
  t.equal(found.length, 1);
});

test('in base64 of no text nothing is looked for, beside it and in long paths everything', async (t) => {
  const blob = binary(300).toString('base64').replaceAll('=', '');
  const path = `/v2/accounts/3f2504e04f8911d39a0c0305e82c3301/cards/${CARD}/transactions/2026/11/archive/pages/17`;
  t.same(detector.scan({ a: `${blob.slice(0, 200)}/${CARD}/${blob.slice(200)}` }).tags, ['UNSCANNED']);
  for (const a of [`${blob} ${CARD}`, `${blob}, ${CARD}`, `${CARD} ${blob}`, path, `${path}/${blob}`]) {
    const found = detector.scan({ a }).counts.filter(({ type }) => type !== 'UNSCANNED');
    t.same(found, [{ type: 'CREDIT_CARD', count: 1 }], a);
  }
});

test('base64 of more than 64 KB is read to its end', async (t) => {
  const long = base64(`mail ${'word '.repeat(60_000)} ${MAIL}`);
  t.same(detector.scan({ a: long }).tags, ['PII', 'EMAIL_ADDRESS']);
});

test('base64 that begins as text and goes on as bytes is read as far as it is text', async (t) => {
  const mixed = Buffer.concat([Buffer.from(`mail ${MAIL} and some more words`), Buffer.from([0, 1, 2, 3])]);
  t.same(detector.scan({ a: mixed.toString('base64') }).redacted(), { a: '[EMAIL_ADDRESS]' });
});

test('what is like an escape of an address reads as it is', async (t) => {
  for (const text of [
    '(at) home',
    'meet (at) x',
    'x (at) y (dot) 7',
    `a (at) ${'b.'.repeat(9)}com`,
    'a=40px and 5=40x and a=4',
    "x + 'y' + z, 'a' +b, 4 + 5",
    '<bx> and <br',
    'jane<div>x</div>@ and a<b and jane<!x>y@example and a<b',
    'a=40',
    'card 4111 11=\n11 1111 1111',
    `${'words of a mail '.repeat(4)}4111 11==\n11 1111 1111`,
    `${'words of a mail '.repeat(5)}4111 11=\n11 1111 1111`,
    `${'words of a mail '.repeat(4)}4111 11=\r11 1111 1111`,
  ])
    t.same(detector.scan({ text }).tags, [], text);
});

test('no value reaches from one part of a text that is read again to the next', async (t) => {
  const first = `&#65;${' '.repeat(242)}4111 1111`;
  const second = `1111 1111${' '.repeat(247)}&#65;`;
  t.equal(first.length, 256);
  t.same(detector.scan({ a: `${first}${'\n'.repeat(600)}${second}` }).tags, []);
});
