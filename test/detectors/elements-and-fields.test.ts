import { test } from 'tap';
import { expectCases } from './expect.ts';

test('the element behind the one whose text is a label holds its value', async (t) => {
  expectCases(t, [
    ['<dl><dt>Anschrift</dt><dd>Am Kirchberg 5, 97070 Ulm</dd>', 'STREET_ADDRESS=Am Kirchberg 5, 97070 Ulm'],
    ['<tr><td>First name</td> <td>Ana</td></tr>', 'PERSON=Ana'],
    ['<tr><th>Surname</th><td>Orlova </td></tr>', 'PERSON=Orlova'],
    ['<th>Name</th><td>Casimir Drozd</td><th>Phone</th>', 'PERSON=Casimir Drozd'],
    ['<label>Surname</label><input id="x" value="Orlova">', 'PERSON=Orlova'],
    ['<label>Home address</label><textarea rows="2">1 Long Lane</textarea>', 'STREET_ADDRESS=1 Long Lane'],
  ]);
});

test('heads of columns, forms without values and text without a label hold none', async (t) => {
  expectCases(t, [
    ['<th>First name</th><th>Orlova</th>'],
    ['<td>First name</td><td>Email</td>'],
    ['<td>Vorname</td><td>Nachname</td>'],
    ['<th>Name</th><td>Casimir Drozd</td><th>Colour</th>'],
    ['<td>what we sent to your First name</td><td>Ana</td>'],
    ['<label>Surname</label><input id="x" placeholder="Orlova">'],
    ['<label>Surname</label><input value=Orlova>'],
    ['<td>First name</td>Ana Orlova'],
    ['<td>First name</td><!-- --><td>Ana</td>'],
    ['<td>First name</td><b><i><u><s><q>Ana</q>'],
    ['<td>First name</td><td>Al'],
    ['<td>First name</td><td>Al</td>'],
    ['<td>First name</td><td'],
    [`<td>First name</td><td>${'Ana '.repeat(60)}</td>`],
  ]);
});

test('an attribute of the tag says what the value of a field is', async (t) => {
  expectCases(t, [
    ['<input type="text" name="full_name" class="x" value="Ana Orlova">', 'PERSON=Ana Orlova'],
    ['<TextField label="Full name" defaultValue="Ana Orlova" />', 'PERSON=Ana Orlova'],
    ["<input autocomplete='street-address' value='5 Main St'>", 'STREET_ADDRESS=5 Main St'],
    ['<input class="surname" value="Orlova">'],
    ['<input surname value="Orlova">'],
    ['<input name="x" size=7 value="Orlova">'],
    ['<input name="seed_phrase" value="Orlova">'],
    ['x="y" z:"surname" value="Orlova"'],
    [`<input ${'a="b" '.repeat(8)}value="Orlova">`],
  ]);
});

test('dates of birth as arguments of a call and as tickets write them', async (t) => {
  expectCases(t, [
    ['dob=datetime.date(1984, 3, 5)', 'DATE_OF_BIRTH=1984, 3, 5'],
    ['.dateOfBirth(LocalDate.of(1984, 12, 31))', 'DATE_OF_BIRTH=1984, 12, 31'],
    ['birthday: new Date(1984,0,5,0,0)', 'DATE_OF_BIRTH=1984,0,5'],
    ['created = date(1984, 3, 5)'],
    ['dob = date(1984, 33, 5)'],
    ['dob = date(1984, 3, 55)'],
    ['dob = date(1984, 3, 555)'],
    ['dob = date(1984, x, 5)'],
    ['dob = date(1984, 3 5)'],
    ['dob = f 1984, 3, 5)'],
    ['dob: 12MAR1981', 'DATE_OF_BIRTH=12MAR1981'],
    ['DOB 5Jan84', 'DATE_OF_BIRTH=5Jan84'],
    ['dob: 12MAR19811'],
    ['dob: 12MAZ1981'],
    ['left on 12MAR1981'],
  ]);
});

test('a sentence or a line gives the name of an account', async (t) => {
  expectCases(t, [
    ['my username is bikelover82, thanks', 'USERNAME=bikelover82'],
    ['mein Benutzername lautet kschulz7.', 'USERNAME=kschulz7'],
    ['il nome utente è mrossi71', 'USERNAME=mrossi71'],
    ['- User: stg_tester1\n', 'USERNAME=stg_tester1'],
    ['usuario = mgarcia44', 'USERNAME=mgarcia44'],
    ['the server is bikelover82'],
    ['username has bikelover82'],
    ['usernameis bikelover82'],
    ['my username is admin1'],
    ['see User: stg_tester1'],
    ['host: stg_tester1'],
  ]);
});

test('a short number after its word and a verb, further away', async (t) => {
  expectCases(t, [
    ['the PIN for the company card is 9042', 'PIN=9042'],
    ['the PIN is set, the room is 9042'],
    ['the PIN of 3 cards is 9042'],
    ['the PIN for the company card, 9042'],
    ['暗証番号は4821です', 'PIN=4821'],
    ['il codice OTP è 773301', 'ONE_TIME_CODE=773301'],
    ['Ihr Bestätigungscode lautet 664120', 'ONE_TIME_CODE=664120'],
    ['Your code is 558203', 'ONE_TIME_CODE=558203'],
  ]);
});

test('plates with digits first, licences of digits, tokens of bots in addresses', async (t) => {
  expectCases(t, [
    ['matrícula 4821 KLM', 'LICENSE_PLATE=4821 KLM'],
    ['permis de conduire 880675100222', 'DRIVER_LICENSE=880675100222'],
    [
      'https://api.telegram.org/bot7123456789:AAFW8YHHZTE6sHsgk9gmDFwZCZ2pgT3VI0z/send',
      'API_KEY=7123456789:AAFW8YHHZTE6sHsgk9gmDFwZCZ2pgT3VI0z',
    ],
    ['https://x.org/bot7123456789:AA/send'],
  ]);
});
