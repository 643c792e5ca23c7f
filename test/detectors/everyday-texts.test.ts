import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const found = (input: unknown): string[] =>
  detector
    .scan(input)
    .values()
    .map(([value, mask]) => `${mask.slice(1, -1)}=${value}`);

test('templates, help, settings and forms under a word for passwords hold none', async (t) => {
  for (const input of [
    'data:\n  password: {{ .Values.dbPassword | b64enc }}',
    'password: {{ .Values.password | b64enc | quote }}',
    '  -w, --no-password        never prompt for password\n  -W, --password           force password prompt (automatic)\n',
    { 'mask-passwords': { enabled: true, mode: 'strict' } },
    { password: { policy: 'strict', minLength: 12, charset: 'alnum1' } },
    { passwords: { algorithm: 'argon2id', hash: 'sha256-x1' } },
    { password: { encryption: 'scram-sha-256' } },
    '[ req_attributes ]\nchallengePassword\t\t= A challenge password\nchallengePassword_min\t\t= 4\n',
  ])
    t.same(found(input), [], JSON.stringify(input));
  t.same(found({ password: { value: 'hunter2!' } }), ['PASSWORD=hunter2!']);
  t.same(found({ password: { old: 'hunter2!', policy: 'strict1' } }), ['PASSWORD=hunter2!']);
  t.same(found({ passwords: { bob: 'hunter2!' } }), ['PASSWORD=hunter2!']);
});

test('what names a secret, a file or a thing is no value of it', async (t) => {
  for (const input of [
    {
      text: '"env":[{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"db-92dxyz","key":"password"}}}]',
    },
    {
      text: `user: { password: "{{ vault_app_password | password_hash('sha512') }}", update_password: on_create }`,
    },
    { text: 'kubectl create secret generic db --from-file=password=./pw.txt --dry-run=client' },
    { text: 'auth:\n  existingSecret: redis-ol24f\n  existingSecretPasswordKey: password' },
    { text: '<path d="m78.778 73.973 406 98 0592 123 45 6789 z"/>' },
    { text: 'offsets 519 47 3826 17' },
    { cas: '50-78-2', cid: 2244 },
    { member_id: '3837973806499644936' },
  ])
    t.same(found(input), [], JSON.stringify(input));
  t.same(found({ name: 'Jane', text: 'Jane Doe 519 47 3826' }), ['US_SSN=519 47 3826']);
  t.same(found({ text: 'offset 17, SSN 519 47 3826 18' }), ['US_SSN=519 47 3826']);
  t.same(found({ text: '{"password":"Tr0ub4dor&3x"}' }), ['PASSWORD=Tr0ub4dor&3x']);
  t.same(found({ member_id: 'XYZ123456789' }), ['HEALTH_PLAN_ID=XYZ123456789']);
  t.same(found({ text: 'password=./Tr0ub4dor&3x' }), ['PASSWORD=./Tr0ub4dor&3x']);
});

test('times of files, revisions of packages and numbers of the network are nobody’s data', async (t) => {
  for (const text of [
    ' Birth: 2024-01-02 10:11:12.123456789 +0000',
    'libfoo 1.2.5.1-2 amd64',
    'Unpacking foo (1.2.5.1-2) over (1.2.4.9-1)',
    'python3-x 4.0.0.1+dfsg-3',
    'installed 10.2.5.1-2ubuntu1',
    'Flags [.], seq 2874663459:2874664907, ack 1203948571, win 501, length 1448',
    'call trace ack 2099283746',
  ])
    t.same(found({ text }), [], text);
  t.same(found({ text: 'hosts 192.168.1.1-20 and 10.0.0.1-10.0.0.9' }), [
    'IP_ADDRESS=192.168.1.1',
    'IP_ADDRESS=10.0.0.1',
  ]);
  t.same(detector.scan({ login: 'octocat7' }).tags, ['ACCOUNT', 'USERNAME']);
});

test('members of models, results of checks and codes with letters are nobody’s data', async (t) => {
  for (const input of [
    { memberName: 'ReceiptHandle' },
    { member_name: 'Key' },
    { pass: 'aria-level dəyərləri etibarlıdır', incomplete: 'aria-level dəstəklənmir' },
    { unlock_code: '12345-abcde-56789-fghij' },
    { payee_name: 'Jane Doe’s Car Payment' },
    { text: '1c79c9d6a5b1f2e3'.repeat(2).concat(' ').repeat(80) },
  ])
    t.same(found({ input }), [], JSON.stringify(input));
  t.same(found({ passwords: [{ website: 'example.com', username: 'jane', password: 'exJDoe123' }] }), [
    'PASSWORD=exJDoe123',
    'USERNAME=jane',
  ]);
  t.same(found({ passwords: { bob: 'exJDoe123' } }), ['PASSWORD=exJDoe123']);
  t.same(found({ input: { member_name: 'Jane Doe', phone: '+14155550132' } }), [
    'PHONE_NUMBER=+14155550132',
    'PERSON=Jane Doe',
  ]);
});

test('numbers of persons are found as people write them', async (t) => {
  for (const [input, ...wanted] of [
    ['my social is 219478830', 'US_SSN=219478830'],
    ['536/22/1847', 'US_SSN=536/22/1847'],
    ['NIE X-1234567-L', 'ES_NIE=X-1234567-L'],
    ['Meine IdNr. lautet 12345678903', 'DE_TAX_ID=12345678903'],
    ['आधार संख्या 234123412346', 'IN_AADHAAR=234123412346'],
    [{ jumin_number: '8803011234567' }, 'KR_RRN=8803011234567'],
    [{ tckimlik: '10000000146' }, 'TR_NATIONAL_ID=10000000146'],
    ['my card 3528000000000007', 'CREDIT_CARD=3528000000000007'],
    ['cc 3528000000000007', 'CREDIT_CARD=3528000000000007'],
    ['0961-7596216', 'PHONE_NUMBER=0961-7596216'],
    ['tawagan mo ako sa 0917 555 2041', 'PHONE_NUMBER=0917 555 2041'],
    ['01.42.68.53.00', 'PHONE_NUMBER=01.42.68.53.00'],
    ['Büro 030 123456-78 / 0171/1234567', 'PHONE_NUMBER=030 123456-78', 'PHONE_NUMBER=0171/1234567'],
  ] as const)
    t.same(found({ input }).sort(), [...wanted].sort(), JSON.stringify(input));
});

const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const [HALF, REST] = [TOKEN.slice(0, 20), TOKEN.slice(20)];

test('plain disguises do not hide a value', async (t) => {
  for (const [text, tag] of [
    ['pay 4539  5787  6362  1486 now', 'CREDIT_CARD'],
    ['4539|5787|6362|1486', 'CREDIT_CARD'],
    ['4539*5787*6362*1486', 'CREDIT_CARD'],
    ['4539:5787:6362:1486', 'CREDIT_CARD'],
    ['my card 41 11:11:11 11 11 11 11', 'CREDIT_CARD'],
    ['card 4539578763621486.0', 'CREDIT_CARD'],
    [`curl -H x:${HALF}\\\n${REST}`, 'GITHUB_TOKEN'],
    [`'${HALF}''${REST}'`, 'GITHUB_TOKEN'],
    [`"${HALF}" "${REST}"`, 'GITHUB_TOKEN'],
    [`key${TOKEN}`, 'GITHUB_TOKEN'],
    ['keyAKIAZ7Q4W3XMEVUB5TFN', 'AWS_ACCESS_KEY'],
    [TOKEN.replace('_', '=5F'), 'GITHUB_TOKEN'],
    ['De89370400440532013000', 'IBAN_CODE'],
    ['SSN 536=2D22=2D1847', 'US_SSN'],
    [Buffer.from('ssn: 219478830').toString('base64'), 'US_SSN'],
  ] as const)
    t.ok(
      detector.scan({ text }).counts.some(({ type }) => type === tag),
      text,
    );
  for (const text of [
    'task_live_list_of_words_and_more_words_1',
    '1234  5678  9012  3456\n1111  2222  3333  4444',
  ])
    t.same(found({ text }), [], text);
});

test('places of files, keys of stores and caches, and hashes of tokens open nothing', async (t) => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  for (const input of [
    { PWD: '/srv/billing2' },
    { env: { PWD: '/home/ann/app', OLDPWD: '~/src' } },
    { passwd: './secrets/db_pw' },
    { caches: [{ id: 7, key: 'macOS-pip-5f2b8c6a90d1e3f47b6a' }] },
    { build_caches: { key: 'q7Zk2mWx9RtLp4Vb8NcY' } },
    { kvs: [{ key: base64('config/flags/new-checkout'), value: base64('on') }] },
    { hashed_token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    { text: 'csrf token: q7Zk2mWx9RtLp4Vb8NcY' },
    { text: 'a two-pass "encode2Words" of the text' },
    { text: 'gpg --recv-keys 9DC858229FC7DD38854AE2D88D81803C0EBFCD88' },
    { trustStorePassword: 'my_trustStorePassword' },
    { text: '"checks": { "pass": "Tables have a caption that is read", "fail": "None" }' },
  ])
    t.same(found(input), [], JSON.stringify(input));
  t.same(found({ pwd: '/Tr0ub4dor&3x' }), ['PASSWORD=/Tr0ub4dor&3x']);
  t.same(found({ text: 'run it --db-pass "Tr0ub4dor&3x"' }), ['PASSWORD=Tr0ub4dor&3x']);
  t.same(found({ text: '"pass": "correct horse battery", "user": "ann"' }), [
    'PASSWORD=correct horse battery',
  ]);
  const key = base64('q7Zk2mWx9RtLp4Vb8NcY');
  t.same(found({ vault: { acmesoft_key: key } }), [`API_KEY=${key}`], 'a secret that is encoded');
});

test('names of programs, moments and ids beside words for telephones are nobody’s data', async (t) => {
  for (const input of [
    { display_name: 'Computer Vision' },
    { displayName: { zh: 'API 网关示例' } },
    { redirect_uris: [], client_name: 'Acme Code Agent' },
    { contactArn: 'arn:aws:ssm-contacts:eu-west-1:444455556666:contact/oncall' },
    { text: 'call back at <time unix="1718041200"/>' },
    { text: 'phone of the user: app://open?id=482910736' },
    { text: 'started via: /deploy 2.4.1 staged now' },
  ])
    t.same(found(input), [], JSON.stringify(input));
  for (const key of ['display_name', 'client_name'])
    t.same(found({ [key]: 'Ann Carter', mobilePhone: '' }), ['PERSON=Ann Carter']);
  t.same(found({ text: 'phone of the user: 482910736' }), ['PHONE_NUMBER=482910736']);
  t.same(found({ text: 'via: Via Roma 12, Milano' }), ['STREET_ADDRESS=Via Roma 12, Milano']);
});
