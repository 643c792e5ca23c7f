import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const tagsOf = (a: unknown): readonly string[] => detector.scan({ a }).counts.map(({ type }) => type);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const CARD = ['4539', '5787', '6362', '1486'] as const;
const IBAN = ['DE89', '3704', '0044', '0532', '0130', '00'] as const;
const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const ACCESS_KEY = 'AKIAZ7Q4W3XMEVUB5TFN';
const SIGNS = [
  '  ',
  '·',
  '|',
  '*',
  ':',
  ',',
  '=',
  '+',
  '#',
  '^',
  '>',
  '~',
  ' . ',
  '--',
  '...',
  ' - ',
  ' / ',
  ' -> ',
];
const LISTS = [', ', ' | ', "', '", '", "', '" . "', '**, **', ')(', '] [', '</td><td>', '\n\n'];

test('a card in groups with one sign between them is found without a word, and between the signs of lists with one', async (t) => {
  for (const sign of SIGNS) t.same(tagsOf(`please charge ${CARD.join(sign)} today`), ['CREDIT_CARD'], sign);
  for (const sign of LISTS) {
    t.same(tagsOf(`the card number: (${CARD.join(sign)})`), ['CREDIT_CARD'], sign);
    t.same(tagsOf(`the numbers (${CARD.join(sign)})`), [], sign);
  }
  const written = { a: 'pay 4539=5787=6362=1486, thanks' };
  t.same(detector.scan(written).redacted(), { a: 'pay [CREDIT_CARD], thanks' });
});

test('groups of a card that are a part of a longer list are none', async (t) => {
  for (const text of [
    'arcs: [[-2156,-6341,7116,7117,7118,-6458]]',
    'x 12=4539=5787=6362=1486',
    'x 4539=5787=6362=1486=1',
    'x 4539=5787=6362=1487',
    'x 4539=5787+6362=1486',
    '4539   5787   6362   1486\n4539   5787   6362   1487',
    'pay 45391=57871=63621=48600=0',
    `${'1=2='.repeat(40)}`,
    `card ${'123456789=1='.repeat(9)}`,
    'card 4539=5787=6362=1486x',
    'the value <4539<5787<6362<1486',
  ])
    t.same(tagsOf(text), [], text);
  t.same(tagsOf('card 45391=57871=63621=48666=0'), [], 'a checksum');
});

test('an identifier behind its word is found whatever parts its groups, and its digits one by one', async (t) => {
  for (const sign of [...SIGNS, ...LISTS].filter((one) => one !== '\n\n'))
    t.same(tagsOf(`my ssn is ${['536', '22', '1847'].join(sign)}`), ['US_SSN'], sign);
  for (const [tag, text] of [
    ['US_SSN', 'ssn 5 3 6 2 2 1 8 4 7'],
    ['US_SSN', 'ssn: 5-3-6-2-2-1-8-4-7'],
    ['NL_BSN', 'bsn 111_222_333'],
    ['NL_BSN', 'bsn 111/222/333'],
    ['BR_CPF', 'cpf 529*982*247*25'],
    ['BR_CPF', 'cpf 529/982/247/25'],
    ['PL_PESEL', 'pesel 440514 01458'],
    ['PHONE_NUMBER', 'phone: 415 · 555 · 0132'],
  ] as const)
    t.same(tagsOf(text), [tag], text);
  for (const text of [
    '536=22=1847',
    'ssn 53=622=1847',
    'ssn 666=22=1847',
    'bsn 111_222_334',
    'total 111/222/333',
    'pesel 440514 01459',
    'pesel 4405140145\n8',
    'pesel 440514-01 458',
    'phone: 4155 · 550 · 132',
    'at 12:30:45:123 of 10.11.12',
  ])
    t.same(tagsOf(text), [], text);
});

test('letters that look like digits are digits in a number that a word names', async (t) => {
  for (const [tag, text] of [
    ['CREDIT_CARD', 'card number: 4O12 8888 8888 188l'],
    ['CREDIT_CARD', 'card number: 4O12888888881881'],
    ['US_SSN', 'ssn 53622l847'],
    ['PHONE_NUMBER', 'phone: 4l5-555-0132'],
  ] as const)
    t.same(tagsOf(text), [tag], text);
  t.same(tagsOf({ card_number: '4O12888888881881' }), ['CREDIT_CARD']);
  for (const text of [
    'build 4O12888888881881',
    '10l of 20 lO',
    'DE8937O4OO44O532O13OOO',
    'card 4O12888888881882',
    'ssn 536221O',
  ])
    t.same(tagsOf(text), [], text);
});

test('an IBAN is found with any one sign between its groups', async (t) => {
  for (const sign of [...SIGNS, ...LISTS, '/'].filter((one) => one !== '</td><td>'))
    t.same(tagsOf(`to ${IBAN.join(sign)}`), ['IBAN_CODE'], sign);
  for (const text of [
    'DE89=3704=0044=0532+0130=00',
    'DE89 =3704= 0044=0532=0130=00',
    'DE89=3704=0044=0532=0130=01',
    'DE89       3704',
  ])
    t.same(tagsOf(text), [], text);
});

test('a token is found in literals that any operator joins, and with emphasis or a blank inside', async (t) => {
  const [first, rest] = [TOKEN.slice(0, 14), TOKEN.slice(14)];
  for (const text of [
    `t = "${first}" . "${rest}"`,
    `t = '${first}' || '${rest}'`,
    `t = "${first}" .. "${rest}"`,
    `"".join(["${first}", "${rest}"])`,
    `${first}**${rest}**`,
    `printf '%s%s' ${first} ${rest}`,
  ])
    t.same(tagsOf(text), ['GITHUB_TOKEN'], text);
  t.same(tagsOf(`${ACCESS_KEY.slice(0, 10)} ${ACCESS_KEY.slice(10)}`), ['AWS_ACCESS_KEY']);
  for (const value of [`${first} and so on`, `${first} thiswordhasnodigitsatallx`, `${first}*${rest}`])
    t.same(tagsOf(value), [], String(value));
});

test('text whose characters are all written in quoted-printable is read', async (t) => {
  const printable = (text: string): string =>
    [...text].map((c) => `=${c.charCodeAt(0).toString(16).toUpperCase()}`).join('');
  t.same(tagsOf(`card ${printable(CARD.join(''))}`), ['CREDIT_CARD']);
  t.same(tagsOf(printable('jane.doe@example.com')), ['EMAIL_ADDRESS']);
  t.same(tagsOf('a=34 b=35 c=4 =1F=1E'), []);
});

test('digits that are encoded alone are read under the word before them', async (t) => {
  const digits = CARD.join('');
  t.same(tagsOf(`card ${base64(digits)}`), ['CREDIT_CARD']);
  t.same(tagsOf({ card_number: Buffer.from(digits).toString('hex') }), ['CREDIT_CARD']);
  t.same(tagsOf(`next page ${base64(digits)}`), []);
  t.same(tagsOf(`id ${Buffer.from(digits).toString('hex')}`), []);
});

test('a word for passwords with digits for its letters is one', async (t) => {
  for (const word of ['passw0rd', 'p4ssword', 'pa55word', 'P4SSW0RD']) {
    t.same(tagsOf(`${word}: Tr0ub4dor&3xQ`), ['PASSWORD'], word);
    t.same(detector.scan({ [word]: 'Tr0ub4dor&3xQ' }).counts, [{ type: 'PASSWORD', count: 1 }], word);
  }
  t.same(tagsOf('w0rd: Tr0ub4dor&3xQ'), []);
});

test('lists of countries hold neither passwords nor identity cards', async (t) => {
  t.same(detector.scan({ PT: 'Portugal', PW: 'Palau', PY: 'Paraguay' }).tags, []);
  t.same(detector.scan({ PW: 'Palau7' }).tags, ['CREDENTIALS', 'PASSWORD']);
  t.same(tagsOf('Argentina,17344,76.2,43416755\nColombia,12761,75.8,48228704'), []);
});

test('the spaces of forms part numbers', async (t) => {
  for (const form of [
    'https://x.io/?phone=%2B1+415+555+0132',
    'q=call+%2B1+415+555+0132',
    'https://x.io/?phone=%2B49+30+12345678&a=1',
    'phone=%28415%29+555-0132',
    'tel=0171+1234567',
  ]) {
    t.same(tagsOf(form), ['PHONE_NUMBER'], form);
    t.same(detector.scan({ form }).tags, ['PII', 'PHONE_NUMBER'], form);
  }
  for (const form of ['sum=1+1+1', 'sum=12+345+6789', 'q=version+1+2+3', 'x = 415+555+0132', 'a+415+555'])
    t.same(tagsOf(form), [], form);
});

test('rows of numbers and signs are read in time that grows with their length', async (t) => {
  for (const part of [
    '1=',
    '12345678"."',
    '1</td><td>',
    '4O',
    'AKIA7 ',
    '=34',
    'DE89=',
    '536=22=',
    '9"""""',
  ]) {
    const begun = process.cpuUsage().user;
    detector.scan({ a: part.repeat(400_000 / part.length) });
    t.ok(process.cpuUsage().user - begun < 3_000_000, part);
  }
});
