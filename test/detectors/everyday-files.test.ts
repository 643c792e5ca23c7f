import { createHash } from 'node:crypto';
import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const found = (input: unknown): string[] =>
  detector
    .scan(input)
    .values()
    .map(([value, mask]) => `${mask.slice(1, -1)}=${value}`);
/** Hexadecimal digits of digests. */
const hex = (digits: number): string =>
  Array.from({ length: 11 }, (_, k) => createHash('sha512').update(String(k)).digest('hex'))
    .join('')
    .slice(0, digits);

test('names of currencies, languages and regions are names of nobody', async (t) => {
  for (const input of [
    { text: '"SAR": {\n  "displayName": "Saudi Riyal",\n  "displayName-count-one": "Saudi riyal"\n}' },
    { SAR: { displayName: 'Saudi Riyal', symbol: 'SAR' } },
    { text: 'fy:{name:"Western Frisian",nativeName:"Frysk"},ga:{name:"Irish",nativeName:"Gaeilge"}' },
    { text: '{"name":"North Lanarkshire","countryCode":"GB"},{"name":"Ireland","demonym":"Irish"}' },
    { text: 'display_name: Python Debugger' },
  ])
    t.same(found(input), [], JSON.stringify(input));
  const name = ['PERSON=Ann Carter'];
  t.same(found({ text: '"displayName": "Ann Carter", "mobilePhone": ""' }), name);
  t.same(found({ text: 'display_name: Ann Carter\nphone:' }), name);
  t.same(found({ displayName: 'Ann Carter', mobilePhone: '' }), name);
  t.same(found({ displayName: 'Ann Carter', mail: '', userPrincipalName: '' }), name);
  t.same(
    found([
      ['displayName', 'phone'],
      ['Ann Carter', ''],
    ]),
    name,
  );
});

test('a degree is a place on earth, and no one’s data by itself', async (t) => {
  const scan = detector.scan({ city: 'Des Moines', latitude: 41.5911079, longitude: -93.6038358 });
  t.same(scan.tags, ['GEOLOCATION', 'COORDINATES']);
});

test('codes of countries, unions of types and salts are no passwords', async (t) => {
  for (const text of [
    '"PS": "Palestina",\n    "PT": "Portugal",\n    "PW": "Palau",\n    "PY": "Paraguay"',
    '"PT": "Portugal",\n    "PW": "Palau",\n    "',
    "{ BB: 'Barbados', PW: 'Belau', BE: 'Belgia' }",
    '  | "double"\n  | "password"\n  | "binary"\n\nexport type',
    'pbkdf2Sync(password: Uint8Array, salt: Uint8Array, iterations: number)',
    "argon2id('password', 'salt1234', { t: 1 })",
    "pbkdf2('password123', 'salt-of-it-9')",
    '"username": "proxy_username",\n"password": "proxy_password"',
    "Jwr=rt3rxPw:5pGOu!5rpJvG'!6V",
  ])
    t.same(found({ text }), [], text);
  for (const text of [
    '"ID": "kim", "PW": "letmein", "DB": "shop"',
    '"PT": "Portugal", "PW": "k3y-Hollow", "PY": "Paraguay"',
    "login('password', 'k3y-Hollow')",
    'dbPw: k3y-Hollow',
  ])
    t.match(found({ text })[0], /^PASSWORD=/, text);
});

test('code that names the armour of a key, or leaves its body out, holds no key', async (t) => {
  for (const text of [
    "if (text.includes('-----BEGIN PRIVATE KEY-----')) return parse(text);",
    'let head = "-----BEGIN ENCRYPTED PRIVATE KEY-----";\nlet body = read(head, 12);',
    "pem.replace('-----BEGIN RSA PRIVATE KEY-----', '').trim() + tail12",
    'key = `-----BEGIN PGP PRIVATE KEY BLOCK-----\n...\n-----END PGP PRIVATE KEY BLOCK-----`;',
    'c="PuTTY-User-Key-File-2: ssh-rsa\\r\\n";c+="Private-Lines: "+n+"\\r\\n";c+="Private-MAC: "+m+"\\r\\n"',
  ])
    t.same(found({ text }), [], text);
  const body = 'MIICWwIBAAKBgQDRhGF7X4A0ZVlEg594WmODVVUIiiPQs04aLmvfg8SborHss5gQ';
  for (const text of [
    `"-----BEGIN RSA PRIVATE KEY-----" +\n  "${body}"`,
    `"-----BEGIN RSA PRIVATE KEY-----\\n" "${body}\\n"`,
    `['-----BEGIN RSA PRIVATE KEY-----', '${body}'].join('\\n')`,
  ])
    t.same(detector.scan({ text }).tags, ['CREDENTIALS', 'PRIVATE_KEY'], text);
});

test('numbers of algorithms, digests and programs of contracts are no unread content', async (t) => {
  const program = `0x${'6080604052348015600f57600080fd5b50600436106100285760003560e01c8063'.repeat(12)}`;
  for (const text of [
    `const P = BigInt('0x${hex(192)}');`,
    `mnemonicToSeedSync('basket actual') // => '${hex(128)}'`,
    `"modulus": "${hex(512)}"`,
    `var _hSigAAA = "${hex(256)}";`,
    `"bytecode": "${program.slice(2)}"`,
    `${hex(91)}",\n "0x12`,
    `env:\n  - secure: "${'c4X6Fg9g3Z27vweDsb6q4Is7cwt4TdKX/H0T9MaGRZEcBvA2ke05B2m7jcw+z0Ml'.repeat(3).slice(0, 171)}="`,
  ])
    t.same(found({ text }), [], text.slice(0, 80));
  for (const text of [
    `of ${hex(160)} there`,
    `BigInt('0x${hex(1200)}')`,
    `"bytecode": "${hex(1400)}"`,
    `secure: ${'c4X6Fg9g3Z27vweDsb6q4Is7cwt4TdKX/H0T9MaGRZEcBvA2ke05B2m7jcw+z0Ml'.repeat(3)}`,
  ])
    t.same(detector.scan({ text }).tags, ['UNSCANNED'], text.slice(0, 80));
});
