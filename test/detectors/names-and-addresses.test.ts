import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

const NADIA = 'PERSON=Nadia Orlova';

test('a name in a text is that of a person beside what people have', async (t) => {
  expectCases(t, [
    ['- name: Nadia Orlova\n  phone: x', NADIA],
    ['dict(name="Nadia Orlova", dob=None)', NADIA],
    ["User::create(['name' => 'Nadia Orlova', 'telephone' => ''])", NADIA],
    ['Person{Name: "Nadia Orlova", Phone: ""}', NADIA],
    ['(:name "x") {"name": "Nadia Orlova", "mobile_number": null}', NADIA],
    ['curl --name="Nadia Orlova" --phone=x', NADIA],
    ['-F "name=Nadia Orlova" -F "dob=x"', NADIA],
    ['Date of birth: x\nName: Nadia Orlova', NADIA],
    ['name: Orlova, Nadia\nssn: x'],
    ['Name: Jean-Luc de la Cruz | tel: x', 'PERSON=Jean-Luc de la Cruz'],
    ['name: Nadia Orlova (mother)\nphone: x', NADIA],
    ['name: Nadia Orlova\nphone: x\nname: Ben Ode\nphone: y', NADIA, 'PERSON=Ben Ode'],
  ]);
});

test('a name of a thing is none', async (t) => {
  expectCases(t, [
    ['name: Nadia Orlova\nversion: 1'],
    ['server name: Nadia Orlova\nphone: x'],
    ['hostname: Nadia Orlova\nphone: x'],
    ['name: nadia orlova\nphone: x'],
    ['name: Nadia\nphone: x'],
    ['name: Ülkü\nphone: x'],
    ['name: N D\nphone: x'],
    [`name: Nadia ${'Orlova '.repeat(20)}\nphone: x`],
    ['xname: "Nadia Orlova", phone: x'],
  ]);
});

test('one word under the label of a part of a name is one beside what people have', async (t) => {
  expectCases(t, [
    ['Nom : Delaunay\nTél. : x\nPrénom : Clémence', 'PERSON=Delaunay', 'PERSON=Clémence'],
    ['UserDto(id=5, firstName=Aurélie, lastName=Fontaine, phone=x)', 'PERSON=Aurélie', 'PERSON=Fontaine'],
    ['surname: ORLOVA\ndob: x', 'PERSON=ORLOVA'],
    ['surname: Orlova\nshoe: x'],
    ['firstName: String, lastName: String, phone: String'],
    ['first_name: Vorname\nlast_name: Nachname\nphone: Telefon'],
    ['firstName: Faker(), phone: x'],
    ['firstName: orlova, phone: x'],
  ]);
});

test('names in scripts that part no words need no blank', async (t) => {
  expectCases(t, [
    ['氏名：佐藤花子', 'PERSON=佐藤花子'],
    ['姓名：李娜，出生', 'PERSON=李娜'],
    ['이름: 김민수', 'PERSON=김민수'],
    ['姓名：必填'],
    ['이름: 필수'],
  ]);
});

test('labels of names and addresses in more languages', async (t) => {
  expectCases(t, [
    ['Name on card: Nadia Orlova', NADIA],
    ['Ansprechpartnerin: Nadia Orlova', NADIA],
    ['Jméno a příjmení: Nadia Orlova', NADIA],
    ['Teljes név: Nadia Orlova', NADIA],
    ['adress: Vasagatan 12', 'STREET_ADDRESS=Vasagatan 12'],
    ['Wohnhaft: Gartenweg 7', 'STREET_ADDRESS=Gartenweg 7'],
  ]);
});

test('an address goes on behind its commas as far as it is one', async (t) => {
  expectCases(t, [
    ['adress: Vasagatan 12, 411 24 Göteborg', 'STREET_ADDRESS=Vasagatan 12, 411 24 Göteborg'],
    ['endereço: Rua Augusta, 1500, São Paulo, celular x', 'STREET_ADDRESS=Rua Augusta, 1500, São Paulo'],
    ['Address: 12 Main St, Leeds. Please call', 'STREET_ADDRESS=12 Main St, Leeds'],
    ['address: 12 Main St, city=Austin', 'STREET_ADDRESS=12 Main St'],
    ['address: 12 Main St, Phone x', 'STREET_ADDRESS=12 Main St'],
    ['address: 12 Main St, A, B, C, D, E', 'STREET_ADDRESS=12 Main St, A, B, C, D'],
    ['address: 12, Main'],
  ]);
});

test('the value of a label stands behind emphasis and tags too', async (t) => {
  expectCases(t, [
    ['**Full name:** Nadia Orlova', NADIA],
    ['<b>Full name:</b> <code>Nadia Orlova</code>', NADIA],
    ['<span>Full name:</span> <span class="v">Nadia Orlova</span>', NADIA],
    ['<b>Full name:</b> <Nadia Orlova'],
  ]);
});

test('words that label only a whole column or key', async (t) => {
  expectCases(t, [
    [
      'ime,prezime,ulice\nIvana,Horvat,Ilica 242\n',
      'PERSON=Ivana',
      'PERSON=Horvat',
      'STREET_ADDRESS=Ilica 242',
    ],
    ['Guest,Room\nNadia Orlova,12\n', NADIA],
    ['runtime: Nadia Orlova'],
  ]);
  const detector = createDetector();
  t.same(detector.scan({ emergencyContact: 'Nadia Orlova' }).redacted(), { emergencyContact: '[PERSON]' });
  t.same(detector.scan({ ['guest'.repeat(9)]: 'Nadia Orlova' }).tags, []);
});

test('words of things are no names of people', async (t) => {
  expectCases(t, [
    ['- name: Set Root Password\n  user: x password=y\n'],
    ['name = "Default Profile"; phone = None'],
    ['name,email,subject\nWelcome Mail,x,y\nNadia Orlova,x,y\n', NADIA],
    ['the pin on the board is 1204 mm from the edge'],
    ['the PIN on the card is 1204 and the rest', 'PIN=1204'],
    ['surname: Report\ndob: x'],
  ]);
  const detector = createDetector();
  for (const input of [
    { name: 'Quarterly Report', phone: 'x' },
    { name: 'Nadia Orlova', mobile: true },
    { first: 'Monday', last: 'Friday', title: 'x' },
  ])
    t.same(detector.scan(input).redacted(), input, JSON.stringify(input));
});
