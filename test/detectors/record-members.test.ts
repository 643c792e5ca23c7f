import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const redacted = (input: unknown): unknown => detector.scan(input).redacted();

test('names, addresses and numbers are found under keys of many languages and scripts', async (t) => {
  for (const [key, value, tag] of [
    ['имя', 'Иван Петров', 'PERSON'],
    ['氏名', '山田太郎', 'PERSON'],
    ['الاسم', 'محمد علي', 'PERSON'],
    ['příjmení', 'Novák', 'PERSON'],
    ['efternamn', 'Svensson', 'PERSON'],
    ['soyadı', 'Yılmaz', 'PERSON'],
    ['achternaam', 'de Vries', 'PERSON'],
    ['адрес', 'ул. Ленина 5', 'STREET_ADDRESS'],
    ['地址', '北京市朝阳区建国路1号', 'STREET_ADDRESS'],
    ['電話番号', '090-1234-5678', 'PHONE_NUMBER'],
    ['휴대폰', '010-1234-5678', 'PHONE_NUMBER'],
    ['هاتف', '0501234567', 'PHONE_NUMBER'],
    ['ημερομηνία γέννησης', '05/03/1984', 'DATE_OF_BIRTH'],
    ['mật khẩu', 'hunter22', 'PASSWORD'],
    ['kata sandi', 'hunter22', 'PASSWORD'],
  ] as const)
    t.same(redacted({ [key]: value }), { [key]: `[${tag}]` }, key);
});

test('a name in an escaped text of another script is one too', async (t) => {
  t.same(redacted({ имя: 'Иван&#32;Петров' }), { имя: '[PERSON]' });
});

test('members beside a value say what it is', async (t) => {
  for (const [input, tag] of [
    [{ type: 'ssn', value: '536224187' }, 'US_SSN'],
    [{ system: 'http://hl7.org/fhir/sid/us-ssn', value: '536224187' }, 'US_SSN'],
    [{ system: 'phone', use: 'home', value: '4155550132' }, 'PHONE_NUMBER'],
    [{ type: { coding: [{ code: 'MR' }] }, system: 'urn:oid:1.2.36', value: '12345678' }, 'MRN'],
    [{ type: { text: 'Medical record number' }, value: '12345678' }, 'MRN'],
    [{ question: 'What is your SSN?', answer: '536224187' }, 'US_SSN'],
    [{ id: 'x1', type: 'password', value: 'hunter22' }, 'PASSWORD'],
  ] as const) {
    const value = 'value' in input ? 'value' : 'answer';
    t.same(redacted(input), { ...input, [value]: `[${tag}]` }, JSON.stringify(input));
  }
});

test('members that say nothing of a value leave it alone', async (t) => {
  for (const input of [
    { type: { coding: [{ code: 'XX' }] }, value: '12345678' },
    { type: { coding: [{ code: 7 }] }, value: '12345678' },
    { type: { coding: [7] }, value: '12345678' },
    { type: { coding: [] }, value: '12345678' },
    { type: {}, value: '12345678' },
    { type: '???', value: '536224187' },
    { name: 'total', type: 'number', value: '536224187' },
    { question: 7, value: '536224187' },
  ])
    t.same(redacted(input), input, JSON.stringify(input));
});

test('an array inherits what the object around it says', async (t) => {
  t.same(redacted({ address: [{ line: ['5 Main St'], city: 'Springfield' }] }), {
    address: [{ line: ['[STREET_ADDRESS]'], city: 'Springfield' }],
  });
  t.same(redacted({ name: { given: ['Jane'], family: 'Doe' } }), {
    name: { given: ['[PERSON]'], family: '[PERSON]' },
  });
});

test('what stands under the key of a password but only names one is a caption', async (t) => {
  for (const caption of [
    'Passwort',
    'Contraseña',
    'Enter your password',
    'Mot de passe oublié ?',
    'This field is required',
    'The <label> of 2 fields is not unique',
    'Les rôles abstraits ne sont pas utilisés',
    'パスワード',
    'Пароль',
  ])
    t.same(redacted({ password: caption }), { password: caption }, caption);
  for (const secret of [
    'password123',
    'Summer Rain',
    'my@password',
    'correct horse battery staple',
    'Correct Horse Battery',
  ])
    t.same(redacted({ password: secret }), { password: '[PASSWORD]' }, secret);
});

test('what a check says when it passes is no password', async (t) => {
  for (const pass of [
    "'scope'-attributten bruges korrekt",
    'ARIA-attributet stöds',
    'aria-level-värden är giltiga',
  ])
    t.notOk(detector.scan({ pass, fail: 'Ikke gyldig' }).tags.includes('PASSWORD'), pass);
  t.same(redacted({ pass: 'ett lösen ord' }), { pass: '[PASSWORD]' });
  t.same(redacted({ pass: 'hunter22', fail: 3 }), { pass: '[PASSWORD]', fail: 3 });
});

test('the token that makes a request unique, or proves a domain, is no secret', async (t) => {
  for (const input of [
    { clientRequestToken: '1d2129a1-3d38-460a-9756-e5b91fddb951' },
    { DkimTokens: ['vvjuipp74whm76gqoni7qmwwn4w4qusjiainivf6sf'] },
  ])
    t.same(redacted(input), input);
});

test('a word for a password in Chinese or Japanese counts by its own characters', async (t) => {
  // these characters differ by a multiple of 64 from those of the word
  const other = { text: 'テーブルで headers7 属性' };
  t.same(redacted(other), other);
  t.same(redacted({ text: '密碼: hunter22' }), { text: '密碼: [PASSWORD]' });
});

test('a code, a member or a sentence under a label of addresses is none', async (t) => {
  for (const text of [
    'address: Address4 | Address6',
    "const addr = ipaddr.parse('192.1.1');",
    'addr = sock.recvfrom(4096)',
    'the address: all 8 groups, each of them',
  ])
    t.notOk(detector.scan({ text }).tags.includes('STREET_ADDRESS'), text);
  t.same(redacted({ email_address: '807b7160b3385afb' }), { email_address: '807b7160b3385afb' });
});

test('the words of a seed phrase in an array are one finding', async (t) => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ');
  t.same(redacted({ words }), { words: words.map(() => '[SEED_PHRASE]') });
  const others = [
    words.slice(1),
    words.with(0, 'year'),
    words.with(0, 'UPS?'),
    [...words.slice(0, 11), 7],
    [...words, ...words, ...words],
    words.with(3, 'abcdefg'),
  ];
  for (const other of others) t.same(redacted({ other }), { other });
  t.same(createDetector({ disabledTags: ['SEED_PHRASE'] }).scan({ words }).tags, []);
});
