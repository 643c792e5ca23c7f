import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const redacted = (input: unknown): unknown => detector.scan(input).redacted();

test('the selector of an element says what is typed into it', async (t) => {
  for (const [member, element, tag] of [
    ['selector', '#password', 'PASSWORD'],
    ['selector', 'input[name=password]', 'PASSWORD'],
    ['selector', 'form > input[type="password"]', 'PASSWORD'],
    ['locator', "page.getByLabel('Password')", 'PASSWORD'],
    ['locator', '[data-testid="login-password"]', 'PASSWORD'],
    ['element', 'Password textbox', 'PASSWORD'],
    ['element', 'New password input field', 'PASSWORD'],
    ['target', 'user_password', 'PASSWORD'],
    ['fill', '.form .password', 'PASSWORD'],
    ['placeholder', 'Your password', 'PASSWORD'],
    ['css', 'input#ssn', 'US_SSN'],
  ] as const) {
    const value = tag === 'US_SSN' ? '536224187' : 'wren-Hollow7';
    t.same(redacted({ [member]: element, text: value }), { [member]: element, text: `[${tag}]` }, element);
  }
  t.same(redacted({ target: 'cvc', keys: '559' }), { target: 'cvc', keys: '[CARD_SECURITY_CODE]' });
  t.same(redacted({ name: 'step 3', selector: '#password', value: 'wren-Hollow7' }), {
    name: 'step 3',
    selector: '#password',
    value: '[PASSWORD]',
  });
});

test('selectors of other elements, and what only clicks, leave the text alone', async (t) => {
  for (const input of [
    { selector: '#search', text: 'wren-Hollow7' },
    { selector: `#${'x'.repeat(200)}password`, text: 'wren-Hollow7' },
    { selector: '>>> *', text: 'wren-Hollow7' },
    { selector: '#password', text: 'Forgot password?' },
    { element: 7, text: 'wren-Hollow7' },
  ])
    t.same(redacted(input), input, JSON.stringify(input));
});

test('the columns of a statement name the values that are bound to it', async (t) => {
  for (const [sql, member, values, expected] of [
    ['UPDATE u SET password = ? WHERE id = ?', 'args', ['wren-Hollow7', 'x1'], ['[PASSWORD]', 'x1']],
    ['UPDATE u SET x = $2 WHERE u.ssn = $1', 'params', ['536224187', 'x'], ['[US_SSN]', 'x']],
    ['SELECT 1 FROM u WHERE lower(last_name) = %s', 'values', ['Orlova'], ['[PERSON]']],
    ['SELECT 1 FROM u WHERE last_name LIKE lower(?)', 'bindings', ['Orlova'], ['[PERSON]']],
    ['INSERT INTO u (id, "password") VALUES (?, ?)', 'args', ['x1', 'wren-Hollow7'], ['x1', '[PASSWORD]']],
    ['insert into u (ssn, id) values ($2, $1)', 'params', ['x1', '536224187'], ['x1', '[US_SSN]']],
    [
      'INSERT INTO u (id, password, at) VALUES (%s, %s, now())',
      'args',
      ['a', 'wren-Hollow7'],
      ['a', '[PASSWORD]'],
    ],
    [
      'INSERT INTO u (password) VALUES ($1, $3)',
      'args',
      ['wren-Hollow7', 'a', 'b'],
      ['[PASSWORD]', 'a', 'b'],
    ],
    ['SELECT $2, password = $3', 'args', ['a', 'b', 'wren-Hollow7'], ['a', 'b', '[PASSWORD]']],
  ] as const)
    t.same(redacted({ sql, [member]: values }), { sql, [member]: expected }, sql);
});

test('values without a statement that names their columns are read as any', async (t) => {
  for (const input of [
    { sql: 'SELECT 1', args: ['wren-Hollow7'] },
    { sql: 'SELECT ? + ?', args: ['wren-Hollow7'] },
    { sql: `SELECT '${'x'.repeat(5000)}' WHERE password = ?`, args: ['wren-Hollow7'] },
    { text: 7, params: ['wren-Hollow7'] },
  ])
    t.same(redacted(input), input, JSON.stringify(input).slice(0, 80));
});

test('the first row of a table names its columns', async (t) => {
  t.same(
    redacted({
      values: [
        ['First', 'Last', 'SSN'],
        ['Nadia', 'Orlova', '536-22-4187'],
        ['Piotr', 'Wilk', '536224188', 'more'],
      ],
    }),
    {
      values: [
        ['First', 'Last', 'SSN'],
        ['[PERSON]', '[PERSON]', '[US_SSN]'],
        ['[PERSON]', '[PERSON]', '[US_SSN]', 'more'],
      ],
    },
  );
  t.same(
    redacted([
      ['Vorname', 'Passwort'],
      ['Ruth', 'wren-Hollow7'],
    ]),
    [
      ['Vorname', 'Passwort'],
      ['[PERSON]', '[PASSWORD]'],
    ],
  );
  const columns = ['Name', 'Email'];
  t.same(redacted({ columns, rows: [['Nadia Orlova', 'x'], { id: 1 }] }), {
    columns,
    rows: [['[PERSON]', 'x'], { id: 1 }],
  });
});

test('rows without heads that name anything are read as any', async (t) => {
  for (const input of [
    [
      ['First', 'Last'],
      ['Nadia', 'Orlova'],
    ],
    [
      ['Name', 'Colour'],
      ['Nadia Orlova', 'red'],
    ],
    [['password'], ['Ruth']],
    [
      ['a', 'password'],
      ['wren', 'Hollow', 'x7'],
    ],
    [
      ['password', 'x'.repeat(50)],
      ['wren-Hollow7', 'b'],
    ],
    { columns: ['name', 'size'], rows: [['Nadia Orlova', '7']] },
  ])
    t.same(redacted(input), input, JSON.stringify(input));
});

test('a name beside what people have is that of a person', async (t) => {
  for (const other of ['phone_number', 'Mobile', 'dateOfBirth', 'passport', 'surname', 'SSN', 'pwd'])
    t.same(redacted({ name: 'Nadia Orlova', [other]: 'x' }), { name: '[PERSON]', [other]: 'x' }, other);
  t.same(redacted({ Name: ['Nadia Orlova', 'Ben Ode'], Phone: ['x', 'y'] }), {
    Name: ['[PERSON]', '[PERSON]'],
    Phone: ['x', 'y'],
  });
  t.same(redacted({ title: 'Ms', first: 'Nadia', last: 'Orlova' }), {
    title: 'Ms',
    first: '[PERSON]',
    last: '[PERSON]',
  });
  t.same(redacted({ First: 'Nadia', Last: 'Orlova', dob: 'x' }), {
    First: '[PERSON]',
    Last: '[PERSON]',
    dob: 'x',
  });
});

test('a name beside what things have is none', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, k) => [`field_${k}`, k]));
  for (const input of [
    { name: 'Nadia Orlova', version: '1' },
    { name: 'Nadia', phone: 'x' },
    { name: 7, phone: 'x' },
    { first: 'Nadia', last: 'Orlova' },
    { first: 'nadia', last: 'Orlova', title: 'x' },
    { first: 'Nadia', title: 'x' },
    { name: 'Nadia Orlova', ...many, phone: 'x' },
    { name: 'Nadia Orlova', [`phone${'_'.repeat(30)}`]: 'x' },
  ])
    t.same(redacted(input), input, JSON.stringify(input).slice(0, 80));
});

test('a code that a channel sends is one of one use', async (t) => {
  t.same(redacted({ to: 'x', code: '482913', channel: 'sms' }), {
    to: 'x',
    code: '[ONE_TIME_CODE]',
    channel: 'sms',
  });
  t.same(redacted({ code: '482913', channel: '#ops' }), { code: '482913', channel: '#ops' });
});
