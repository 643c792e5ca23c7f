import t from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const rows = (head: string, row: (i: number) => string, count = 60): string =>
  [head, ...Array.from({ length: count }, (_, i) => row(i))].join('\n');
const counts = (text: unknown): Record<string, number> =>
  Object.fromEntries(detector.scan(text).counts.map(({ type, count }) => [type, count]));
const redacted = (text: string): unknown => detector.scan(text).redacted();

t.test('the head of a column speaks for every cell below, however far below', async (t) => {
  const row = (i: number): string =>
    `${i},someone,${533_801_000 + i},x,${4_155_550_100 + i},y,${4_155_551_100 + i}`;
  const found = { US_PASSPORT: 60, PHONE_NUMBER: 60 };
  t.same(counts(rows('id,team,passport_number,a,phone,b,order_number', row)), found);
  t.same(
    counts(rows('id\tteam\tpassportNumber\ta\tphone\tb\torder', (i) => row(i).replaceAll(',', '\t'))),
    found,
  );
  const head = '| id | team | passport number | a | phone | b | order |\n|---|---|---|---|---|---|---|';
  t.same(counts(rows(head, (i) => `| ${row(i).replaceAll(',', ' | ')} |`)), found);
  t.same(counts(`Export of May\n\n${rows('id,team,passport_number,a,phone,b,order', row)}`), found);
});

t.test('a separator in quotes parts no cells, and a line with other cells is no row', async (t) => {
  const head = 'team,passport,order';
  t.same(counts(rows(head, (i) => `"a, b",${533_801_000 + i},${4_155_551_100 + i}`)), { US_PASSPORT: 60 });
  const text = `${rows(head, () => 'a,b,c', 9)}\na,b,533801000,c\na,533801001\n533801002,b,533801003`;
  t.same(counts(text), {});
  t.same(counts(`${text}\na,533801004,d`), { US_PASSPORT: 1 });
});

t.test('prose and settings have no columns', async (t) => {
  const far = 'x'.repeat(90);
  for (const head of [
    'Passport, please: wait',
    'passport = 1, team = 2',
    'the passport of the one who waits there now, again',
    `passport,${'team,'.repeat(1000)}order`,
    'team,order',
    'passport',
  ])
    t.same(counts(`${head}\n${far},${far}\n${far},533801000`), {}, head.slice(0, 40));
});

t.test('lines of a literal that lists words are no table', async (t) => {
  t.same(
    counts("('print_rules',\n 'prop', 'pwd', 'smt_status',\n 'solve_direct', 'spark_status', 'thy_deps',"),
    {},
  );
  t.same(counts("r'cd|ls|'\nr'pwd|read|'\nr'set|shift|'"), {});
  t.same(counts("people\n'user','password',\n'bob','hunter2',"), { PASSWORD: 1 });
  t.same(counts('Export,,\nuser,password,\nbob,hunter2,'), { PASSWORD: 1 });
});

t.test('the columns of a table that hold secrets are read together', async (t) => {
  t.equal(
    redacted(
      'user,password,api_token\nann,"Sommer,2024!",8f14e45fceea167a5a36dedd4bea2543\nbob,wint3r&Rain,',
    ),
    'user,password,api_token\nann,"[PASSWORD]",[API_KEY]\nbob,[PASSWORD],',
  );
  t.equal(
    redacted('| user | **password** |\n|---|---|\n| ann | Sommer2024! |\n| bob | wint3r&Rain |'),
    '| user | **password** |\n|---|---|\n| ann | [PASSWORD] |\n| bob | [PASSWORD] |',
  );
  const many = rows(
    'id,password,client_secret',
    (i) => `${i},Sommer${i}!x,k3J9xQ2vLm8Zt5Rw7Y${100 + i}`,
    400,
  );
  t.same(counts(many), { PASSWORD: 400, GENERIC_SECRET: 400 });
  t.equal(redacted('password,user\nSommer2024!'), 'password,user\nSommer2024!', 'no row');
});

t.test('and so are the columns of an INSERT', async (t) => {
  t.equal(
    redacted(
      "INSERT INTO users (name, password, token) VALUES ('O', 'Sommer,2024!', '8f14e45fceea167a5a36dedd4bea2543'), ('bob', 'wint3r)Rain', NULL)",
    ),
    "INSERT INTO users (name, password, token) VALUES ('O', '[PASSWORD]', '[API_KEY]'), ('bob', '[PASSWORD]', NULL)",
  );
  for (const harmless of [
    "INSERT INTO users (name, password) SELECT 'Sommer2024!', x",
    "INSERT INTO users (name, password) VALUES ('Sommer2024!')",
    'CREATE TABLE users (name text, password text',
    'SELECT (name, password, x) VALUES',
  ])
    t.equal(redacted(harmless), harmless);
});

t.test('the names of an INSERT say what stands in each place of its rows', async (t) => {
  const name = 'Ann, who was named for her aunt and for nobody else';
  t.equal(
    redacted(
      `INSERT INTO people (id, name, birth_date) VALUES (1, '${name}', '1984-03-05'), (2, 'O''Hara', '1990-12-31');\nINSERT INTO calls (note, phone) VALUES ('${name}', '4155550132')`,
    ),
    `INSERT INTO people (id, name, birth_date) VALUES (1, '${name}', '[DATE_OF_BIRTH]'), (2, '[PERSON]', '[DATE_OF_BIRTH]');\nINSERT INTO calls (note, phone) VALUES ('${name}', '[PHONE_NUMBER]')`,
  );
  for (const harmless of [
    `INSERT INTO people (birth_date, id) VALUES ('${name}', '1984-03-05')`,
    `INSERT INTO people (id, birth_date) VALUES ('${name}', 7) ON '1984-03-05'`,
    `INSERT INTO people (id, birth_date) VALUES ${'x'.repeat(1100)}, '1984-03-05'`,
    `INSERT INTO people (id, birth_date VALUES '${name}', '1984-03-05'`,
    `INSERT INTO people (id, birth_date) VALUES (7, '${name}', '1984-03-05')`,
    `INSERT INTO people (id, ${'c, '.repeat(730)}birth_date) VALUES (${'1, '.repeat(731)} '1984-03-05')`,
  ])
    t.equal(redacted(harmless), harmless);
});
