import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds the full names of those who are a guest, a tenant, an insured person', async (t) => {
  expectCases(t, [
    [
      'Guest: Evangeline Moss / Cell: +1.503.555.0148',
      'PERSON=Evangeline Moss',
      'PHONE_NUMBER=+1.503.555.0148',
    ],
    ['phone 020 7946 0958 / Guest: Evangeline Moss', 'PERSON=Evangeline Moss', 'PHONE_NUMBER=020 7946 0958'],
    [
      '**Tenant:** Marguerite Delacroix\n**Date of birth:** 12.11.1987',
      'PERSON=Marguerite Delacroix',
      'DATE_OF_BIRTH=12.11.1987',
    ],
    [`['phone' => 'x', 'account_holder' => 'Sjoerd van Dalen']`, 'PERSON=Sjoerd van Dalen'],
    ['Versicherungsnehmer: Hannelore Beck\nTelefon: x', 'PERSON=Hannelore Beck'],
    ['Emergency contact: Mia Berg, phone: x', 'PERSON=Mia Berg'],
    ['Guest: Evangeline Moss'],
    ['the guest: Evangeline Moss, phone x'],
    ['Guest: Ubuntu\nphone: x'],
    ['myguest: Evangeline Moss, phone: x'],
  ]);
  const detector = createDetector();
  t.same(detector.scan({ tenant: 'Jane Doe' }).tags, ['PII', 'PERSON']);
  t.same(detector.scan({ tenant: 'Ubuntu' }).tags, []);
  t.same(detector.scan({ tenant: 'Support Team' }).tags, []);
  t.same(detector.scan({ kundendaten: { name: 'Reto Zumstein', ahvNummer: 'x' } }).tags, ['PII', 'PERSON']);
});

test('finds names and addresses under qualified columns, in builders, flags, elements and parts', async (t) => {
  expectCases(t, [
    [
      "SET m.nachname = 'Steinbrück', m.strasse = 'Am Weiher 7'",
      'PERSON=Steinbrück',
      'STREET_ADDRESS=Am Weiher 7',
    ],
    ['m.x = 1; m. = 2'],
    ['b.givenName("Saoirse").familyName("Gallagher")', 'PERSON=Saoirse', 'PERSON=Gallagher'],
    [
      "New-ADUser -Name 'Colm Fitzgerald' -MobilePhone '+353 86 204 1187' -StreetAddress '14 Pery Square'",
      'PERSON=Colm Fitzgerald',
      'PHONE_NUMBER=+353 86 204 1187',
      'STREET_ADDRESS=14 Pery Square',
    ],
    ['<name>Ruben Castillo</name><dob>x</dob>', 'PERSON=Ruben Castillo'],
    ['<span itemprop="name">Rupert Giles</span> phone: x', 'PERSON=Rupert Giles'],
    ['<name>Ruben Castillo</name>'],
    ['<label>Ruben Castillo</label><phone>x'],
  ]);
});

test('finds addresses under words for places, and no other places', async (t) => {
  expectCases(t, [
    ['Location: 12 Main Street, Springfield', 'STREET_ADDRESS=12 Main Street, Springfield'],
    ['Pickup location: Hauptstraße 91', 'STREET_ADDRESS=Hauptstraße 91'],
    ['location: 2 servers in rack 12'],
    ['Location: eu-west-1'],
  ]);
  const detector = createDetector();
  t.same(detector.scan({ location: 'Hauptstraße 91, 69117 Heidelberg' }).tags, ['PII', 'STREET_ADDRESS']);
  t.same(detector.scan({ location: 'Room 2, Building 5' }).tags, []);
});

test('looks for what people have without end, and reads it once', async (t) => {
  const decoys = 'name: Blue Chair\n'.repeat(40);
  expectCases(t, [
    [`${decoys}${'x'.repeat(300)}\nname: Jane Doe\nphone: x`, 'PERSON=Jane Doe'],
    ['name: Jane Doe\nemail: x', 'PERSON=Jane Doe'],
    ['name: Jane Doe\nemail: x\nlicense: MIT'],
    ['name: Jane Doe, "mail", "jane@example.com"', 'PERSON=Jane Doe', 'EMAIL_ADDRESS=jane@example.com'],
    ['name: Jane Doe, "mail", x, and more'],
    ['name: Jane Doe, "mail", "jane\nand more'],
    ['name: Jane Doe, mail. And more'],
    ['author name: Jane Doe\nphone: x'],
    ['author:\n  name: Jane Doe\n  phone: x'],
    ['name: Jane Doe\ndate of birth: x', 'PERSON=Jane Doe'],
    ['name: Jane Doe\nphone no. : x', 'PERSON=Jane Doe'],
    ['name: Jane Doe\nphone2 = x', 'PERSON=Jane Doe'],
    ['name: Jane Doe\n<phone>x', 'PERSON=Jane Doe'],
    ['name: Jane Doe\nx</phone', 'PERSON=Jane Doe'],
    ['name: Jane Doe\nphone => x', 'PERSON=Jane Doe'],
    ['name: Jane Doe\nphone calls'],
    ['name: Jane Doe phonebook: x'],
  ]);
});
