import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

const WREN = 'PASSWORD=wr3n-Hollow';

test('sentences of more languages say a password', async (t) => {
  expectCases(t, [
    ['adgangskoden er wr3n-Hollow, tak', WREN],
    ['salasana on wr3n-Hollow', WREN],
    ['lozinka je wr3n-Hollow', WREN],
    ['parola: wr3n-Hollow', WREN],
    ['la clave del wifi es wr3n-Hollow y', WREN],
    ['ο κωδικός είναι wr3n-Hollow, κινητό', WREN],
    ['הסיסמה היא wr3n-Hollow', WREN],
    ['मेरा पासवर्ड wr3n-Hollow है', WREN],
    ['비번은 wr3n-Hollow 이고', WREN],
    ['รหัสผ่าน: wr3n-Hollow', WREN],
    ['kata sandi: wr3n-Hollow', WREN],
    ['口令：wr3n-Hollow', WREN],
    ['kodeord: wr3n-Hollow', WREN],
  ]);
});

test('what forms call a password in some language is none', async (t) => {
  expectCases(t, [
    ['{"password":"Пароль","confirm_password":"Подтвердите пароль"}'],
    ['{"password":"パスワード"}'],
    ['{"errors.password":"Das Passwort ist falsch","login.username":"Benutzername"}'],
    ["VALUES ('password','Lösenord'),('phone','Telefonnummer')"],
    ['first_name: Imię\nphone: Telefon'],
    ['{"password":"Lösenord2024"}', 'PASSWORD=Lösenord2024'],
  ]);
});

test('names with a namespace are labels', async (t) => {
  expectCases(t, [
    ["profile::db::root_password: 'wr3n-Hollow'", WREN],
    ['  app:dbPassword: wr3n-Hollow', WREN],
    ['{:user/password "wr3n-Hollow"}', WREN],
    ['see a/password "wr3n-Hollow"'],
    ['std::password wr3n-Hollow'],
    ['arn:aws:secret:password:wr3n-Hollow'],
  ]);
});

test('an object or a call around the value of a label', async (t) => {
  expectCases(t, [
    ['"adminLoginPassword":{"value":"wr3n-Hollow"}', WREN],
    ['password: { default: "wr3n-Hollow" }', WREN],
    ['"password": {"type": "wr3n-Hollow"}'],
    ['"password": {"value: "wr3n-Hollow"}'],
    ['"password": {"value" "wr3n-Hollow"}'],
    ['"password": {"value": 7}'],
    ["'password' => Hash::make('wr3n-Hollow')", WREN],
    ['password = bcrypt.hashSync("wr3n-Hollow", 10)', WREN],
    ['DB_PASSWORD = os.getenv("DB_PW", "wr3n-Hollow")', WREN],
    ['String password = System.getenv().getOrDefault("PW", "wr3n-Hollow");', WREN],
    ['DB_PASSWORD = os.getenv("DB_PW")'],
    ['DB_PASSWORD = os.getenv("DB_PW", None)'],
    ["pwd = self.password.encode('utf-8')"],
    ['user_pass = (self.username + ":" + self.password).encode("ascii")'],
    ["pwd = 'wr3n-Hollow'.encode('utf-8')", WREN],
    ['password = hash("wr3n-Hollow")', WREN],
    ['DB_PASSWORD = read("DB_PW", "wr3n-Hollow")'],
    ['Dim pwd As String = "wr3n-Hollow"', WREN],
    ["EXEC add @Password = N'wr3n-Hollow', @FirstName = N'Ana'", WREN, 'PERSON=Ana'],
  ]);
});

test('a rule may stand between the head of a table and its rows', async (t) => {
  expectCases(t, [
    ['| User | Password |\n|------+----------|\n| x | wr3n-Hollow |\n', WREN],
    [
      ' surname | dob \n---------+-----\n Orlova  | 1984-03-05\n',
      'PERSON=Orlova',
      'DATE_OF_BIRTH=1984-03-05',
    ],
    ['Фамилия;Дата рождения\nСмирнова;17.08.1978\n', 'PERSON=Смирнова', 'DATE_OF_BIRTH=17.08.1978'],
  ]);
});

test('an authorization header without an operator', async (t) => {
  expectCases(t, [
    ['proxy_set_header Authorization "Basic c3ZjOlRyMHViNGRvdXI=";', 'API_KEY=c3ZjOlRyMHViNGRvdXI='],
    ['.header("Authorization", "Bearer kQ7zR2mX9vT4wY1bN8dP5sL3")', 'API_KEY=kQ7zR2mX9vT4wY1bN8dP5sL3'],
    ['the authorization of users'],
  ]);
});

test('members that say what a number beside them is', async (t) => {
  const detector = createDetector();
  const redacted = (input: unknown): unknown => detector.scan(input).redacted();
  for (const [input, key, tag] of [
    [{ idDocType: 'PASSPORT', number: '912803456' }, 'number', 'US_PASSPORT'],
    [{ id_type: 'drivers_license', number: 'A56319335' }, 'number', 'US_DRIVER_LICENSE'],
    [{ account: '945456787', routing: 'x' }, 'account', 'US_BANK_NUMBER'],
    [{ line1: '5 Main Street', city: 'x' }, 'line1', 'STREET_ADDRESS'],
    [{ name: 'Ana Orlova', email: 'x', role: 'y' }, 'name', 'PERSON'],
  ] as const)
    t.same(redacted(input), { ...input, [key]: `[${tag}]` }, JSON.stringify(input));
  for (const input of [
    { type: 'invoice', number: '912803456' },
    { type: 7, number: '912803456' },
    { account: '945456787', plan: 'x' },
    { line1: '5 Main Street', text: 'x' },
    { name: 'Ana Orlova', email: 'x', url: 'y' },
  ])
    t.same(redacted(input), input, JSON.stringify(input));
  t.same(redacted({ args: ['login', '-u', 'bob', '-p', 'wr3n-Hollow'] }), {
    args: ['login', '-u', 'bob', '-p', '[PASSWORD]'],
  });
  t.same(
    redacted({
      record: [
        ['First name', 'Ana'],
        ['Surname', 'Orlova'],
      ],
    }),
    {
      record: [
        ['First name', '[PERSON]'],
        ['Surname', '[PERSON]'],
      ],
    },
  );
  t.same(redacted({ 姓名: '陈伟' }), { 姓名: '[PERSON]' });
});

test('labels of people in lists, logs and forms', async (t) => {
  expectCases(t, [
    ['Card(holder=ALMA RUIZ)', 'PERSON=ALMA RUIZ'],
    ['{Name:Rob Giese Email:x Phone:y}', 'PERSON=Rob Giese'],
    ['Full name (as in passport): Ana Devi', 'PERSON=Ana Devi'],
    ['Full name (as in passport: Ana Devi'],
    ['Full name(x): Ana Devi'],
    ['Forename: Rik\nDOB: x', 'PERSON=Rik'],
    ['(name: "Vesna Ilić", mail: "x")', 'PERSON=Vesna Ilić'],
    ['authors = [{name = "Vesna Ilić", email = "x"}]'],
  ]);
});
