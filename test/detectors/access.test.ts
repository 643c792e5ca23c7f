import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { type Case, expectCases } from './expect.ts';

const HEX = '8f14e45fceea167a5a36dedd4bea2543';
const BCRYPT = '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW';
const SHA512 = `$6$rounds=5000$saltsalt$${'a1B2c3D4e5'.repeat(8)}aBcdEf`;
const YESCRYPT = '$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7';
const ARGON =
  '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$RdescudvJCsgt3ub+b4dWRWJTmaaJObG3n9YJ9kFk2M';
const SCRYPT = '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E';
const DJANGO = 'pbkdf2_sha256$260000$k3J9xQ2vLm8Z$3f5a8kH1vQm9Zt5Rw7Yp1k3J9xQ2vLm8Zt5Rw7Yp1k4=';
const WERKZEUG = `scrypt:32768:8:1$k3J9xQ2v$${HEX}${HEX}`;
const SSHA = '{SSHA}DkMTwB1+a/3DfsiIl6m2QbOF6XsLVpQ8rVZKtA==';

const HASHES: readonly Case[] = [
  ...[BCRYPT, SHA512, YESCRYPT, ARGON, SCRYPT, DJANGO, WERKZEUG, SSHA].map(
    (hash): Case => [`stored ${hash} in it`, `PASSWORD_HASH=${hash}`],
  ),
  [`password: ${BCRYPT}`, `PASSWORD_HASH=${BCRYPT}`],
  [`userPassword: ${SSHA}`, `PASSWORD_HASH=${SSHA}`],
  [`root:${SHA512}:19000:0:99999:7:::`, `PASSWORD_HASH=${SHA512}`],
  [`{PBKDF2-SHA256}10000:k3J9x:${HEX} in it`, `PASSWORD_HASH={PBKDF2-SHA256}10000:k3J9x:${HEX}`],
  [`{SSHA}tlwwso+nWwimC7JCY1Nxf5lArgVDuW/a`, 'PASSWORD_HASH={SSHA}tlwwso+nWwimC7JCY1Nxf5lArgVDuW/a'],
  [
    'SCRAM-SHA-256$4096:Ow0l73kaRZDaLFo3PybndQ==$Bu0jeuT8JFU+wmYDs3qdMKussBRq0HjYIqvWj2Ns5GM=:Yv6HZ56ED2C5NBWa+qpHQ0ZpefiXDwh8DLqF/BKF6lI= x',
    'PASSWORD_HASH=SCRAM-SHA-256$4096:Ow0l73kaRZDaLFo3PybndQ==$Bu0jeuT8JFU+wmYDs3qdMKussBRq0HjYIqvWj2Ns5GM=:Yv6HZ56ED2C5NBWa+qpHQ0ZpefiXDwh8DLqF/BKF6lI=',
  ],
  ['$2b$12$R9h/cIPz0gi and $1$a2 and $HOME/9/bin, #{x9}a7 {SSHA}a1b2, {x}a/7z b{/9'],
  [`$q1$${HEX}, costs $5 or $6$7, pbkdf2_sha256 with 1000 rounds, scrypt: 5, $2y$10$${'.'.repeat(53)}`],
];

const SHARED = 'https://acc.blob.core.windows.net/c/b?sv=2022-11-02&sr=b&sp=r&sig=';
const SIG = 'Z%2FRHIX5Xcg0Mq2rqI3OlWTjEg2tYkboXr1P9ZUXDtkk%3D';
const CLOUDFRONT =
  'nitfHRCrtziwO2HwPfWw~yYDhUF5EwRunQA-j19DzZrvDh6hQ73lDx~-ar3UocvvRQVw6EkC~GdpGQyyOSKQim-TxAnW7d8F5';

const SIGNED: readonly Case[] = [
  [`${SHARED}${SIG}`, `SIGNED_URL=${SIG}`],
  [`https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=${HEX}${HEX}`, `SIGNED_URL=${HEX}${HEX}`],
  [`https://storage.googleapis.com/o?X-Goog-Signature=${HEX}${HEX}${HEX}`, `SIGNED_URL=${HEX}${HEX}${HEX}`],
  [
    `https://d1.cloudfront.net/a?Expires=1&Signature=${CLOUDFRONT}&Key-Pair-Id=K2`,
    `SIGNED_URL=${CLOUDFRONT}`,
  ],
  [
    `https://b.s3.amazonaws.com/k?Expires=1&amp;Signature=vjbyPxybdZaNmGa%2ByT272YEAiv4%3D`,
    'SIGNED_URL=vjbyPxybdZaNmGa%2ByT272YEAiv4%3D',
  ],
  [
    `${SHARED}none, big=${SIG}, X-Amz-Signature=${HEX.slice(0, 20)} Signature=${SIG} &Signature=${'a'.repeat(40)}`,
  ],
];

const CODES: readonly Case[] = [
  ['your verification code is 482913', 'ONE_TIME_CODE=482913'],
  ['OTP: 482913', 'ONE_TIME_CODE=482913'],
  ['one-time code 4829', 'ONE_TIME_CODE=4829'],
  ['482913 is your Example verification code', 'ONE_TIME_CODE=482913'],
  ['G-482913 is your login code.', 'ONE_TIME_CODE=482913'],
  ['code 482913, your order code is 482913, 482913 is your order, 482913 is mine, OTP: 48'],
];

const SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const SEEDS: readonly Case[] = [
  [SEED, `SEED_PHRASE=${SEED}`],
  [`my mnemonic: ${SEED} keep it`, `SEED_PHRASE=${SEED}`],
  [`seed_phrase="${SEED}"`, `SEED_PHRASE=${SEED}`],
  [`my recovery phrase is:\n${SEED}`, `SEED_PHRASE=${SEED}`],
  [`mnemonic: ${SEED.replaceAll(' ', ',\n')}`, `SEED_PHRASE=${SEED.replaceAll(' ', ',\n')}`],
  [
    `seed phrase:\n1. ${SEED.split(' ')
      .map((word, i) => (i === 0 ? word : `${i + 1}. ${word}`))
      .join(' ')}`,
    `SEED_PHRASE=${SEED.split(' ')
      .map((word, i) => (i === 0 ? word : `${i + 1}. ${word}`))
      .join(' ')}`,
  ],
  [SEED.replaceAll(' ', '\n  '), `SEED_PHRASE=${SEED.replaceAll(' ', '\n  ')}`],
  [SEED.toUpperCase(), `SEED_PHRASE=${SEED.toUpperCase()}`],
  [SEED.replace('yellow', 'year')],
  [SEED.replace(' thank ', ', thank ')],
  ['answer in two sentences, and cite the ticket that you used for it'],
  [`${SEED} thank`],
  [`mnemonic: ${SEED.replace('yellow', 'year')}, seed: ten`],
  [SEED.replace('legal', 'harmless')],
];

const VENDORS: readonly Case[] = [
  [`x ${'a1B2c3D4e5F6'.repeat(5).slice(0, 52)}JQQJ99${'a1B2c3D4e5F6'.repeat(3).slice(0, 26)} y`].map(
    (text) => [text, `AZURE_SECRET=${text.slice(2, -2)}`] as const,
  )[0] as Case,
  [`x ${'a1B2c3D4e5F6'.repeat(7).slice(0, 76)}AZDO1a2B y`].map(
    (text) => [text, `AZURE_SECRET=${text.slice(2, -2)}`] as const,
  )[0] as Case,
  [`sid 00D5g000004abcd!AQEAQ${HEX}${HEX} .`, `API_KEY=00D5g000004abcd!AQEAQ${HEX}${HEX}`],
  ['sid 00D5g000004abcd!AQEAQ'],
  [`tf a1B2c3D4e5F6g7.atlasv1.${HEX}${HEX} .`, `API_KEY=a1B2c3D4e5F6g7.atlasv1.${HEX}${HEX}`],
  ['tf a1B2c3D4e5F6g7.atlasv1.short'],
  ['maxmind 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 .', 'API_KEY=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'],
  [
    'a1B2c3_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o_mmx a1B2c34_1B2c3D4e5F6g7H8i9J0k1L2m3N4o_mmk a1B2c3_a1B2c3D4e5F6_7H8i9J0k1L2m3N4o_mmk',
  ],
  [`sc_k3j9x.a1b2.acc-1a2b3c4d5e6f.${HEX}${HEX}`, `API_KEY=sc_k3j9x.a1b2.acc-1a2b3c4d5e6f.${HEX}${HEX}`],
  ['x.accept and sc_k3j9x.a1b2.acc-1a2b3c and my.acc_1a2b3c4d5e6f'],
  [
    'app 1234567890123456|k3J9xQ2vLm8Zt5Rw7Yp1k3J9xQ2',
    'API_KEY=1234567890123456|k3J9xQ2vLm8Zt5Rw7Yp1k3J9xQ2',
  ],
  ['1234567890123456|abc 1234567890123456|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  [
    `twitter_bearer_token = "${'A'.repeat(22)}k3J9xQ2vLm8Zt5Rw7Yp1k3J9xQ2vLm8Zt5Rw7Yp1k3J9xQ2vLm8Zt5Rw7Yp1k3J9xQ2vLm8Zt5Rw7Yp1"`,
    `API_KEY=${'A'.repeat(22)}k3J9xQ2vLm8Zt5Rw7Yp1k3J9xQ2vLm8Zt5Rw7Yp1k3J9xQ2vLm8Zt5Rw7Yp1k3J9xQ2vLm8Zt5Rw7Yp1`,
  ],
  [
    'someToken: pk.k3j9xq2vlm8zt5rw7yp1k3j9xq2vlm8zt5rw7yp1k3j9xq2vlm8zt5rw7yp1k3.k3j9xq2vlm8zt5rw7yp1k3',
    'API_KEY=pk.k3j9xq2vlm8zt5rw7yp1k3j9xq2vlm8zt5rw7yp1k3j9xq2vlm8zt5rw7yp1k3.k3j9xq2vlm8zt5rw7yp1k3',
  ],
  [
    `post to https://contoso.webhook.office.com/webhookb2/${HEX}@${HEX}/IncomingWebhook/${HEX}`,
    `API_KEY=https://contoso.webhook.office.com/webhookb2/${HEX}@${HEX}/IncomingWebhook/${HEX}`,
  ],
  ['see https://contoso.webhook.office.com/webhookb2/x and https://a.example/webhook/incoming'],
  [
    'PresharedKey = FpCyhws9cxwWoV4xELtfJvjJN+zQVRPISllRWgeopVE=',
    'GENERIC_SECRET=FpCyhws9cxwWoV4xELtfJvjJN+zQVRPISllRWgeopVE=',
  ],
  [
    'PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=',
    'API_KEY=yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=',
  ],
  ['machine a.example\n  login ann\n  password letmein\n', 'PASSWORD=letmein'],
];

const PUTTY = `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 1\nAAAAC3Nz\nPrivate-Lines: 1\nAAAAIJ1hV1zC3k3J9xQ2vLm8\nPrivate-MAC: ${HEX}`;
const KEYS: readonly Case[] = [
  [`${PUTTY}\nend`, `PRIVATE_KEY=${PUTTY}`],
  ['PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\nAAAA'],
  ['a MY-User and PuTTY-User'],
];

const NAMES: readonly Case[] = [
  ['username: "asmith42"', 'USERNAME=asmith42'],
  ['username: asmith42', 'USERNAME=asmith42'],
  ['username: test12, username: asmith, login = "admin", user_name="a b"'],
];

const FORMS: readonly Case[] = [
  ['4111/1111/1111/1111', 'CREDIT_CARD=4111/1111/1111/1111'],
  ['4111,1111,1111,1111', 'CREDIT_CARD=4111,1111,1111,1111'],
  ['4111,1111,1111,1112 4111,1111,1111,11111 4111,1111,1111,1111,1111 4111,1111,1111,1111x'],
  ['card_4111111111111111_x', 'CREDIT_CARD=4111111111111111'],
  ['id_4539578763621486_x'],
  ['4111_1111_1111_1111', 'CREDIT_CARD=4111_1111_1111_1111'],
  ['id_4111111111111112_x id_41111111111111111111111_x a_4111_1111_1111_1112_b x_4111111111111111y_1'],
  ['National Insurance number: AB123456C', 'UK_NINO=AB123456C'],
  ['DOB 5-Mar-84, and it was released to all of them on 5-Mar-84', 'DATE_OF_BIRTH=5-Mar-84'],
  ['DOB 5-Mar-8443, DOB 5-Mar-a'],
  ['PID|1||12345^^^H^MR||DOE^JOHN^A||19840305|M', 'MRN=12345', 'PERSON=DOE^JOHN^A', 'DATE_OF_BIRTH=19840305'],
  [
    'MSH|^~\\&|A\rPID|1||12345^^^H^MR||DOE^JOHN^A||19840305101112|M',
    'MRN=12345',
    'PERSON=DOE^JOHN^A',
    'DATE_OF_BIRTH=19840305',
  ],
  ['PID|1||12345|||19840305|M\nPID|1||1234||||19841305|M\nPVX|1||12345||||19840305|M', 'MRN=12345'],
  ['PID|1||1234||||1984030|M'],
  ['PID|1||||||||||||||||||536224187|', 'US_SSN=536224187'],
  ['PID|1||||||||||||||||||5362241|\nPID|1||12345x||||19840305x|'],
  ['card4111111111111111', 'CREDIT_CARD=4111111111111111'],
  ['cc:4111111111111111exp:12/27', 'CREDIT_CARD=4111111111111111'],
  ['part4111111111111111 4111111111111111exp a4111111111111112'],
  ['card41111111111111111111 card4111111111111111_5 card a12345678b9012'],
  ['паспорт 45 08 123456', 'PASSPORT=45 08 123456'],
  ['DOB 3/5/84, and more than that to say of it before 3/5/84', 'DATE_OF_BIRTH=3/5/84'],
  ['ssn 536 - 22 - 4187', 'US_SSN=536 - 22 - 4187'],
  ['ssn 536/22/4187', 'US_SSN=536/22/4187'],
  ['4111-\n1111-\n1111-\n1111', 'CREDIT_CARD=4111-\n1111-\n1111-\n1111'],
  ['6 - 7 and 6 -7 and 12 - x, -3623781514577E-319 and 6363857920591E145'],
];

for (const [name, cases] of Object.entries({ HASHES, SIGNED, CODES, SEEDS, VENDORS, KEYS, NAMES, FORMS })) {
  test(`${name.toLowerCase()} are found, and what is like them is not`, async (t) => {
    expectCases(t, cases);
  });
}

test('the name beside a value tells in large objects too', async (t) => {
  const detector = createDetector();
  const others = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, i]));
  t.same(detector.scan({ ...others, name: 'DB_PASSWORD', value: 'Tr0ub4dor&3' }).tags, [
    'CREDENTIALS',
    'PASSWORD',
  ]);
  t.same(detector.scan({ ...others, value: 'Tr0ub4dor&3' }).tags, []);
});

test('keys name them too', async (t) => {
  const detector = createDetector();
  const tags = (input: unknown): readonly string[] => detector.scan(input).counts.map(({ type }) => type);
  t.same(tags({ otp: '482913' }), ['ONE_TIME_CODE']);
  t.same(tags({ mnemonic: `${SEED}` }), ['SEED_PHRASE']);
  t.same(tags({ mnemonic: 'ten words' }), []);
  for (const key of ['username', 'user_name', 'userName', 'login'])
    t.same(tags({ [key]: 'asmith42' }), ['USERNAME'], key);
  for (const name of ['admin', 'root', '12345', 'a']) t.same(tags({ username: name }), [], name);
});
