import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds the names of data sources that have user and password in them', async (t) => {
  expectCases(t, [
    ['open app:hunter2@tcp(db:3306)/shop', 'CONNECTION_STRING=app:hunter2@tcp(db:3306)/shop'],
    ['open app:s3cr3t!@unix(/tmp/a.sock)/shop', 'CONNECTION_STRING=app:s3cr3t!@unix(/tmp/a.sock)/shop'],
    ['Open("mysql", "root:letmein@/db")', 'CONNECTION_STRING=root:letmein@/db'],
    [
      'jdbc:oracle:thin:scott/tiger42@//db:1521/XE',
      'CONNECTION_STRING=jdbc:oracle:thin:scott/tiger42@//db:1521/XE',
    ],
    ['user:password@tcp(localhost:3306)/db'],
    [`app:$${'{'}PASSWORD}@tcp(db:3306)/shop`],
    ['app@tcp(db:3306)/shop'],
    [':x@tcp(db:3306)/shop'],
    ['root:letmein@/db'],
    ['"root:letmein@/db x"'],
  ]);
});

test('finds passwords in flags of Windows, in stores of keys and in commands', async (t) => {
  expectCases(t, [
    ['xfreerdp /u:bob /p:hunter2 /v:host', 'PASSWORD=hunter2'],
    ['ls /p:hunter2'],
    ['consul kv put app/db/password letmein', 'PASSWORD=letmein'],
    ['etcdctl put "/app/db/password" "hunter2"', 'PASSWORD=hunter2'],
    [
      'etcdctl put /app/api_token 8f14e45fceea167a5a36dedd4bea2543',
      'API_KEY=8f14e45fceea167a5a36dedd4bea2543',
    ],
    ['aws ssm put-parameter --name /app/db/password --type SecureString --value hunter2', 'PASSWORD=hunter2'],
    ['aws ssm put-parameter --name "/app/db/password" --value="hunter2"', 'PASSWORD=hunter2'],
    ['aws ssm get-parameter --name /app/db/password --with-decryption'],
    ['consul kv put app/db/password @file'],
    ['consul kv put app/db/password -'],
    ['consul kv get app/db/password hunter2'],
    ['see app/db/password hunter2'],
    ['consul kv put (app/db/password'],
    ['consul kv put app/db/password.'],
    ['AUTH letmein', 'PASSWORD=letmein'],
    ['redis> AUTH default hunter2', 'PASSWORD=hunter2'],
    ['redis-cli AUTH hunter2\nOK', 'PASSWORD=hunter2'],
    ['x\n  AUTH hunter2\r\nOK', 'PASSWORD=hunter2'],
    ['AUTH PLAIN AGJvYgBodW50ZXIy', 'PASSWORD=AGJvYgBodW50ZXIy'],
    ['AUTH required'],
    ['AUTH hunter2 is what you type'],
    ['the AUTH hunter2'],
    ['auth hunter2'],
  ]);
});

test('finds passwords in annotations, macros, sections, cells and calls of SQL', async (t) => {
  expectCases(t, [
    ['@Value("letmein") private String dbPassword;', 'PASSWORD=letmein'],
    ['@Value("hunter2")\n  lateinit var password: String', 'PASSWORD=hunter2'],
    ['@Value(value = "hunter2") String password;', 'PASSWORD=hunter2'],
    [`@Value("$${'{'}db.password}") String password;`],
    ['f(x) String password;'],
    ['@Size("letmein") String password;'],
    ['@Value(letmein") String password;'],
    ['-define(db_password, "letmein").', 'PASSWORD=letmein'],
    ['-define(db_password, letmein).'],
    ['[client]\nuser = bob\npassword = letmein\n', 'PASSWORD=letmein'],
    ['a = [1]\npassword = letmein\n'],
    ['id,db_password,note\n7,letmein,ok\n', 'PASSWORD=letmein'],
    ["INSERT INTO s (name, value) VALUES ('db_password', 'letmein')", 'PASSWORD=letmein'],
    ["SET PASSWORD FOR 'bob' = PASSWORD('letmein')", 'PASSWORD=letmein'],
    ["parola d'ordine: hunter2", 'PASSWORD=hunter2'],
    ['Мой пароль letmein', 'PASSWORD=letmein'],
    ['비밀번호는 hunter2 입니다', 'PASSWORD=hunter2'],
    ['DB_PASSWORD\nTr0ub4dor&3\n', 'PASSWORD=Tr0ub4dor&3'],
    ["paths: ['user.password', 'data[0].secret']"],
  ]);
});

test('a pair under auth has a password; names of required members and talk are none', async (t) => {
  const detector = createDetector();
  const paths = (input: unknown): string[] =>
    detector
      .scan(input)
      .detections()
      .map(({ path }) => path);
  t.same(paths({ auth: ['bob', 'letmein'] }), ['/auth/1']);
  t.same(paths({ required: ['Username', 'Password'] }), []);
  t.same(paths({ pass: 'aria-x exists and refers to what readers know' }), []);
  t.same(paths({ password: 'correct horse battery staple orange window' }), ['/password']);
});

test('verdicts of tests, prose and paths in notes of packages are no passwords', async (t) => {
  expectCases(t, [
    ['x\nPASS: gdb.ada/literals.exp: print 7#8#\nPASS: tests/a.sh\nPASS: t1.exp at once'],
    ['user: bob\nPASS: Tr0ub4dor&3\n', 'PASSWORD=Tr0ub4dor&3'],
    ['a problem identified by "jamesh42"'],
    ['alter user bob identified by "jamesh42"', 'PASSWORD=jamesh42'],
    ['use --change-passphrase to rewrite\nit'],
    ['change your passphrase again - sorry.'],
    ['the password has been reset to letmein', 'PASSWORD=letmein'],
    ['private key\n    fuzz/key_parser_fuzzer.in/10a5c92fa30ddb6cbb4286d7699b2b7a7e032b17\n'],
  ]);
});

test('takes a comparison for no element', async (t) => {
  expectCases(t, [['if (password > 8) reject()'], ['<password>hunter2</password>', 'PASSWORD=hunter2']]);
});

test('finds passwords that only their place in a file of accounts tells', async (t) => {
  expectCases(t, [
    ['user bob on >letmein ~* +@all -@write\nuser eve on #aa +@all', 'PASSWORD=letmein'],
    ['ACL SETUSER bob on +@read >hunter2', 'PASSWORD=hunter2'],
    ['users > 5 +@all'],
    [
      '[smtp.example.net]:587 bob:hunter2\nrelay.example.net:25\tapp:letmein\r\n',
      'PASSWORD=hunter2',
      'PASSWORD=letmein',
    ],
    ['[mail]:587 status:up after 3 s, [mail]:8080 bob:hunter2, mail:587 /var/x:hunter2'],
    ['AuthInfo:smtp.example.net "U:bob" "I:bob" "P:letmein" "M:PLAIN"', 'PASSWORD=letmein'],
    ['{"P:hunter2x"}'],
    [
      '# client\tserver\tsecret\tIP addresses\nbob pppd "letmein" *\neve\t*\thunter2\t*\n# end\na b hunter2',
      'PASSWORD=letmein',
      'PASSWORD=hunter2',
    ],
    ['# client server secret\nnothing here'],
    ['# the secret\nbob pppd hunter2'],
    ['<auth-user-pass>\nbob\nletmein\n</auth-user-pass>', 'PASSWORD=letmein'],
    ['<auth-user-pass>\nbob has a word\nmore than one is there\n'],
    ["PRAGMA key = 'hunter2';", 'PASSWORD=hunter2'],
    ['new NetworkCredential("bob", "letmein")', 'PASSWORD=letmein'],
    ['new NetworkCredential("bob") and new Credential("bob", "letmein")'],
    ['ldap_default_authtok = hunter2', 'PASSWORD=hunter2'],
    ['"app" "hunter2"\n"eve" "Tr0ub4dor&3"\n', 'PASSWORD=hunter2', 'PASSWORD=Tr0ub4dor&3'],
    ['"app" "hunter2" and more'],
    ['"open" "source"\n'],
  ]);
});

test('finds passwords in calls, headers, options of mounts and scripts of sessions', async (t) => {
  expectCases(t, [
    ['set_db_password("letmein")', 'PASSWORD=letmein'],
    ["client.setPassword( 'letmein');", 'PASSWORD=letmein'],
    ['map.put("db_password", "letmein");', 'PASSWORD=letmein'],
    ['get_db_password("letmein"); password("letmein"); t("password", "letmein"); set("password", "string")'],
    ['map.put("password", letmein); set_password(letmein)'],
    ['curl -H "X-Db-Password: letmein" https://a.example', 'PASSWORD=letmein'],
    ['log("Password: letmein")'],
    ['mount -t cifs //srv/a /mnt -o username=bob,password=letmein,uid=1000', 'PASSWORD=letmein'],
    ['//srv/a /mnt cifs username=bob,password=letmein,uid=1000 0 0', 'PASSWORD=letmein'],
    ['connect(user=bob,password=letmein,port=1)'],
    ['user=bob, password=letmein, port=1'],
    ['aws configure set aws_secret_access_key letmein', 'AWS_SECRET_KEY=letmein'],
    ['ftp -n host <<EOF\nuser bob letmein\nput x\nEOF', 'PASSWORD=letmein'],
    ['ftp -n host <<EOF\nuser bob\nput x\nEOF'],
    ['rm -n host <<EOF\nuser bob letmein\nEOF'],
    ['quote USER bob\nquote PASS letmein\nbye', 'PASSWORD=letmein'],
    ['USER bob\r\nPASS letmein\r\nLIST', 'PASSWORD=letmein'],
    ['tests\nPASS letmein\nUSER bob\nPASS all tests'],
    ['d-i passwd/root-password password letmein', 'PASSWORD=letmein'],
    ['d-i passwd/root-password-again\tpassword  letmein', 'PASSWORD=letmein'],
    ['see docs/login password letmein; passwd/user password'],
    ['"bob" "letmein"\n"eve" "hunter2"\n', 'PASSWORD=letmein', 'PASSWORD=hunter2'],
    ['PASS: align\nFAIL: layout\nPASS: t1'],
    ['USER: bob\nPASS: letmein', 'PASSWORD=letmein'],
    ['PASS: Tr0ub4dor&3', 'PASSWORD=Tr0ub4dor&3'],
  ]);
  const detector = createDetector();
  t.same(detector.scan({ a: { pass: '元素有字幕轨道' }, b: { pass: 'האלמנט קיים' } }).tags, []);
  t.same(
    detector.scan([{ pass: 'aria-level-värden är giltiga' }, { pass: '엘리먼트가 존재합니다.' }]).tags,
    [],
  );
  t.ok(detector.scan({ pass: 'größe-42' }).tags.includes('PASSWORD'));
});

test('names of types, members and phrases of readmes are no secrets', async (t) => {
  expectCases(t, [
    ['key: t.CryptoKey | Uint8Array; type Token = OAuth2Token; privateKey?: XOAuth2PrivateKey;'],
    [`EXPORTED_PASSWORD = require_attributes_of_a_package.${'LONG_NAME_OF_'.repeat(6)}PASSWORD;`],
    ["password: 'my awesome password', passphrase: 'top secret'"],
    ['token: Abcdef12Ghij34Klm567n', 'API_KEY=Abcdef12Ghij34Klm567n'],
  ]);
  const detector = createDetector();
  t.same(detector.scan({ pass: 'フォーカス可能な要素です' }).tags, []);
});
