import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { type Case, expectCases } from './expect.ts';

const PHONES: readonly Case[] = [
  ['+1 (415) 555-0132 ext. 12', 'PHONE_NUMBER=+1 (415) 555-0132 ext. 12'],
  ['415.555.0132x818', 'PHONE_NUMBER=415.555.0132x818'],
  ['1-415-555-0132', 'PHONE_NUMBER=1-415-555-0132'],
  ['(+44) 20 7123 4567', 'PHONE_NUMBER=(+44) 20 7123 4567'],
  ['+44 (20) 7123 4567', 'PHONE_NUMBER=+44 (20) 7123 4567'],
  ['call 415 555-0132', 'PHONE_NUMBER=415 555-0132'],
  ['call 089/726341', 'PHONE_NUMBER=089/726341'],
  ['089 72 63 41 office', 'PHONE_NUMBER=089 72 63 41'],
  ['51-16-34-25-Office', 'PHONE_NUMBER=51-16-34-25'],
  ['you can call 33 93 31', 'PHONE_NUMBER=33 93 31'],
  ['my number is 09-76254001', 'PHONE_NUMBER=09-76254001'],
  ['my number is 13812345678', 'PHONE_NUMBER=13812345678'],
  ['phone 4155550132', 'PHONE_NUMBER=4155550132'],
  ['phone 415555 or 12'],
  ['phone 415.5550199e-01 415.5550199E+10'],
  ['phone 415.5550199 e-1 415.5550199e-1234', 'PHONE_NUMBER=415.5550199'],
  ['my order number is 09-76254001'],
  ['reach Jane (415-555-0132) or Joe (13812345678)', 'PHONE_NUMBER=415-555-0132', 'PHONE_NUMBER=13812345678'],
  [
    'WhatsApp 0171 4515516, text me at 020 478 1432',
    'PHONE_NUMBER=0171 4515516',
    'PHONE_NUMBER=020 478 1432',
  ],
  ['my number is 99-76254001'],
  ['+999 123 456 789'],
  ['+1 23'],
  ['Nov 16 04:05:42 web5 call 415 555-0132', 'PHONE_NUMBER=415 555-0132'],
  ['call a taxi to 03 2657 Main Street'],
  ['call on 2024-10-11 or 11.10.2024 or 9-7-20241'],
  ['911-555-0132 is wrong, and 415-155-0132 too'],
  ['phone book /4155550132 @4155550132 x_4155550132'],
  ['phone 41555501321234567'],
  ['price $415 555 0132'],
  [`call ${'123 '.repeat(40)}`],
  [`call 12${' 1'.repeat(40)}`],
];

const ADDRESSES: readonly Case[] = [
  [
    '1.1.1.1 and 10.0.0.0/8 and 10.0.0.0/99',
    'IP_ADDRESS=1.1.1.1',
    'IP_ADDRESS=10.0.0.0/8',
    'IP_ADDRESS=10.0.0.0',
  ],
  ['192.168.1.1.', 'IP_ADDRESS=192.168.1.1'],
  ['256.1.1.1 1.2.3 01.02.03.04 1.2.3.4a a1.2.3.4 1.2.3.4567'],
  ['build 1.2.3.4'],
  ['x-1.2.3.4'],
  ['1.2.3.44x55 and 1.3.6.1.4.1.311'],
  ['192.168.1.1.1', 'IP_ADDRESS=192.168.1.1.1'],
  ['12:30 10.0.0.1', 'IP_ADDRESS=10.0.0.1'],
];

const DATES: readonly Case[] = [
  ['DOB 1980-01-02', 'DATE_OF_BIRTH=1980-01-02'],
  ['born 31/12/1980', 'DATE_OF_BIRTH=31/12/1980'],
  ['born 12/31/80', 'DATE_OF_BIRTH=12/31/80'],
  ['dob: 19800102', 'DATE_OF_BIRTH=19800102'],
  ['D.O.B. 02/01/1980', 'DATE_OF_BIRTH=02/01/1980'],
  ['Date of birth: May 12, 1984.', 'DATE_OF_BIRTH=May 12, 1984'],
  ['born on Sept. 3rd 1990', 'DATE_OF_BIRTH=Sept. 3rd 1990'],
  ['DOB 12-MAY-1984', 'DATE_OF_BIRTH=12-MAY-1984'],
  ['born 12th of May, 1984', 'DATE_OF_BIRTH=12th of May, 1984'],
  ['geboren am 3. März 1984', 'DATE_OF_BIRTH=3. März 1984'],
  ['nacimiento: 12 de mayo de 1984', 'DATE_OF_BIRTH=12 de mayo de 1984'],
  ['born in 12 rooms 1984; born 12 May 19845, born May 12, 198; born maybe 12 1984; born xMay 12 1984'],
  ['the release of 12 May 1984 and of May 12, 1984'],
  ['born 31/31/1980 or 99999999 or 1/2/3/4/5'],
  ['born in a small town in the south of the country, moved on 1999-01-02'],
  ['at 2024-01-02T03:04:05.123456Z, 2024-01-02 03:04, 03:04:05,5+02:00, 3:04, 2024-01-02T03:04:05-07:00'],
  ['2024-01-02 12 and 2024-01-02Tx and 2024-01-02 x'],
  ['2024-1-02 2024-01-2 20240-01-02 99:99:99:99 1:2 12:3 2024-01-02x'],
];

const IDENTIFIERS: readonly Case[] = [
  ['SSN 536221847 and 000221847', 'US_SSN=536221847'],
  ['ssn 536-22-0000 666221847 900221847'],
  ['Suite 680 36 4022 Oakridge Lane'],
  ['536 22 1847', 'US_SSN=536 22 1847'],
  ['536 22 1847 main', 'US_SSN=536 22 1847'],
  ['Suite 536 22 1847'],
  [
    'ids a1b2c3d4-1234-1234-1234-1234567890ab a1b2c3d4-1234-1234-1234-1234567890abc a1b2c3d4-1234-1234-123g-1234567890ab',
  ],
  ['55555555-K'],
  [
    'nir 985057800608491, 185137800608491, 085057800608491, 185457800608491, 185007800608492, 185557800608491, 185307800608491',
  ],
  ['4111 1111\r\n1111 1111', 'CREDIT_CARD=4111 1111\r\n1111 1111'],
  ['codice fiscale RSSMRλ85T10A562S'],
  ['1ES4-TE5-MK73 1EGA-TE5-MK73 1EG4-TEA-MK73'],
  ['SSN 536 22 1847 Main', 'US_SSN=536 22 1847'],
  [
    'national id 44051401458 and citizen ID 10000000146',
    'PL_PESEL=44051401458',
    'TR_NATIONAL_ID=10000000146',
  ],
  ['536221847 is the SSN', 'US_SSN=536221847'],
  ['rsa id 4801015009084', 'ZA_ID_NUMBER=4801015009084'],
  ['passport 912803456, ssn 536221847', 'US_PASSPORT=912803456', 'US_SSN=536221847'],
  ['travel document A12803456', 'US_PASSPORT=A12803456'],
  ['itin 911701234 or 911931234', 'US_ITIN=911701234'],
  ['aadhaar 312345678909 or 212345678909', 'IN_AADHAAR=312345678909'],
  ['rrn 9601211234567', 'KR_RRN=9601211234567'],
  ['tnin 2345678901234 or 9234567890124', 'TH_TNIN=2345678901234'],
  ['tnin 1960000000001 or 1970000000001, 1280000000007, 1000000000009', 'TH_TNIN=1960000000001'],
  ['partita IVA 01114601006 or 00000000000, 00000000018', 'IT_VAT_CODE=01114601006'],
  ['partita IVA 00000019992 or 00000011015', 'IT_VAT_CODE=00000019992'],
  ['Steuer-ID 11111111111 02345678901'],
  ['npi 1111111112 3234567893'],
  ['member id 123456789', 'HEALTH_PLAN_ID=123456789'],
  ['AB 123456 C or ab123456c or AB 00 00 00 C or AB 12 34 5', 'UK_NINO=AB 123456 C'],
  ['nino ab123456c', 'UK_NINO=ab123456c'],
  ['AB 123456C', 'UK_NINO=AB 123456C'],
  ['AB 12 34 56 E or XAB 12 34 56 C or FQ 12 34 56 C'],
  ['dni 55555555-K, 5555555-X, 55555555-A', 'ES_NIF=55555555-K'],
  ['Y8063915-Z Y8063915-A Q8063915-Z Y80639-Z', 'ES_NIE=Y8063915-Z'],
  [
    '1EG4 TE5 MK73 1EG4TE5MK73 1EG4-TE5 MK73 1EG4-TE5-MK7 1SG4-TE5-MK73 1234-',
    'US_MBI=1EG4 TE5 MK73',
    'US_MBI=1EG4TE5MK73',
  ],
  [
    '010594Y9032 020516C903K 131052+308T 131052-308TX 131052-30',
    'FI_PERSONAL_IDENTITY_CODE=010594Y9032',
    'FI_PERSONAL_IDENTITY_CODE=020516C903K',
    'FI_PERSONAL_IDENTITY_CODE=131052+308T',
  ],
  ['311190-1111 010594Z9032'],
  [
    'T0000001E F2346401L G1122144N M4332674T A1234567Z',
    'SG_NRIC_FIN=T0000001E',
    'SG_NRIC_FIN=F2346401L',
    'SG_NRIC_FIN=M4332674T',
  ],
  ['codice fiscale RSSMRA85T10A56NN'],
  ['codice fiscale RSSMRAURTMLALSNL'],
  ['1850578006084 91', 'FR_NIR=1850578006084 91'],
  ['185052A00608402 or 185052B00608456 or 585052A00608402'],
  ['dea BB1388568, B91388563', 'MEDICAL_LICENSE=BB1388568'],
  ['driving license LH329609T, mrn A12345', 'US_DRIVER_LICENSE=LH329609T', 'MRN=A12345'],
  ['mrn ABC12 but not AAAA/B1234567'],
];

test('finds telephone numbers as people write them, and no dates, orders or prices', async (t) => {
  expectCases(t, PHONES);
});
test('finds IPv4 addresses with their prefix length, and no versions', async (t) => {
  expectCases(t, ADDRESSES);
});
test('finds dates of birth by the word before them only', async (t) => {
  expectCases(t, DATES);
});
test('finds identifiers of persons with all their rules', async (t) => {
  expectCases(t, IDENTIFIERS);
});

test('strict also finds what only a checksum tells', async (t) => {
  expectCases(
    t,
    [
      ['44051401458', 'PL_PESEL=44051401458'],
      ['order 4111111111111111', 'CREDIT_CARD=4111111111111111'],
      ['version 10.0.0.1', 'IP_ADDRESS=10.0.0.1'],
      ['ab123456c', 'UK_NINO=ab123456c'],
    ],
    { sensitivity: 'strict' },
  );
  expectCases(t, [['44051401458'], ['order 4111111111111111'], ['isbn 9783161484100']]);
});

test('a word in the next member of an object says nothing of a number, nor does one before a nearer counter', async (t) => {
  expectCases(t, [
    ['"volume":1187127515,"account_type":"checking"'],
    ['"account_type":"checking","transaction_id":"672472721501"'],
    ['"lng":99.97503461781889},"phone_model":"x"'],
    ['945456787 is my checking account', 'US_BANK_NUMBER=945456787'],
    ['the SSN for this order is 536221847', 'US_SSN=536221847'],
  ]);
});

test('the key of a counter does not outweigh a word in the text', async (t) => {
  const detector = createDetector();
  t.same(detector.scan({ ticket: 'my account number is 945456787' }).tags, ['FINANCIAL', 'US_BANK_NUMBER']);
  t.same(detector.scan({ ssn: { description: '536221847' } }).tags, ['PII', 'US_SSN']);
});

test('a card number under the key of a counter is found when strict, as the weaker finding it is', async (t) => {
  for (const input of [{ order_id: '4111111111111111' }, { order_id: 4111111111111111 }]) {
    t.same(createDetector().scan(input).tags, []);
    const [finding] = createDetector({ sensitivity: 'strict' }).scan(input).detections();
    t.match(finding, { tag: 'CREDIT_CARD', strength: 'bare' });
  }
  t.same(createDetector().scan({ order_id: '4111 1111 1111 1111' }).tags, [
    'FINANCIAL',
    'PCI',
    'CREDIT_CARD',
  ]);
  t.same(createDetector().scan({ order_id: '4111111111111112' }).tags, []);
  expectCases(t, [
    ['the order of monday was charged to 4111111111111111', 'CREDIT_CARD=4111111111111111'],
    ['the order number is 4111111111111111'],
  ]);
});

test('a counter is a card all the same when a word says so', async (t) => {
  expectCases(t, [['order paid by card 4111111111111111', 'CREDIT_CARD=4111111111111111']]);
});

test('numbers count by their key, as numbers and as text', async (t) => {
  const detector = createDetector();
  const tags = (input: unknown): readonly string[] => detector.scan(input).counts.map(({ type }) => type);
  t.same(tags({ phone: 4155550132 }), ['PHONE_NUMBER']);
  t.same(tags({ phone: { home: 4155550132 } }), ['PHONE_NUMBER']);
  t.same(tags({ phones: [4155550132, '415 555 0133'] }), ['PHONE_NUMBER']);
  t.same(tags({ phone: { home: { ssn: 536221847 } } }), ['US_SSN']);
  t.same(tags({ total: 4155550132, rate: 4155550132.5, big: 1e21, at: -1700000000000 }), []);
  t.same(tags({ to: -4111111111111111 }), ['CREDIT_CARD'], 'a sign hides no digits');
  t.same(tags({ pan: 6212345678901234569n }), ['CREDIT_CARD'], 'nor do more digits than a number holds');
  t.same(tags({ cards: [-6212345678901234569n, 1n << 80n] }), ['CREDIT_CARD']);
  t.same(tags({ mrn: 1234567, password: 12345678 }), ['PASSWORD', 'MRN']);
  t.same(tags({ values: [4111111111111111, 1700000000000], flags: [1, 0, 1, 0, 1, 0, 1, 0, 1] }), [
    'CREDIT_CARD',
  ]);
  t.same(tags({ list: [1, 2], mixed: [1, 'x', 3], long: [1234567, 1, 1], few: [1, 2, 3] }), []);
});

test('a number counts whose first digits stand within a row that is read at once, and the last beyond', async (t) => {
  const row = '1000000001 '.repeat(6).replace(/1 $/, '2 ');
  expectCases(t, [[`${row}4111111111111111 and more`, 'CREDIT_CARD=4111111111111111']]);
});

test('an extended number counts by the word after its extension', async (t) => {
  expectCases(t, [['089 726341x12 office', 'PHONE_NUMBER=089 726341x12']]);
});
