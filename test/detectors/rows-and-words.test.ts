import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('groups of four digits that go on are a table, not a card or an identity number', async (t) => {
  expectCases(t, [
    ['56D8 3626 5722 5723 5724 5725 5726 5727 58ED 5904'],
    ['708A 6376 9524\n5782 6625 693F'],
    ['8185\n8186\n8187\n8188\n8189\n11559'],
    ['card CARD 4111 1111 1111 1111 now', 'CREDIT_CARD=4111 1111 1111 1111'],
    ['aadhaar 56D8 6911 7891 7986', 'IN_AADHAAR=6911 7891 7986'],
    ['VISA 4111 1111 1111 1111', 'CREDIT_CARD=4111 1111 1111 1111'],
    [
      '4012-8888-8888-1881 4012 8888 8888 1881',
      'CREDIT_CARD=4012-8888-8888-1881',
      'CREDIT_CARD=4012 8888 8888 1881',
    ],
  ]);
});

test('words of more languages, codes in two halves, and words behind a date say what a value is', async (t) => {
  expectCases(t, [
    ['telefoonnummer: 020 123 4567', 'PHONE_NUMBER=020 123 4567'],
    ['mon numéro est le 07 55 12 34 98', 'PHONE_NUMBER=07 55 12 34 98'],
    ['Your verification code is 913 402', 'ONE_TIME_CODE=913 402'],
    ['Your verification code is 913 4021'],
    ['Your verification code is 913, 4021'],
    ['ich bin am 5. Mai 1983 geboren', 'DATE_OF_BIRTH=5. Mai 1983'],
    ['ich bin am 5. Mai 1983 gekommen'],
    ['BDAY:19820704', 'DATE_OF_BIRTH=19820704'],
    ['<input name="cvc" value="719">', 'CARD_SECURITY_CODE=719'],
    ['kart numarası 501812163605', 'CREDIT_CARD=501812163605'],
    ['national_insurance_number=AB161604A', 'UK_NINO=AB161604A'],
    ['"request_id": "3562168848581103"'],
    ['name,street,city\n"O\'Neil, Sean",17 Harbour View Road,Cork\n', 'STREET_ADDRESS=17 Harbour View Road'],
    [
      'name,email\n"O\'Neil, Sean",sean@example.com\n',
      "PERSON=O'Neil, Sean",
      'EMAIL_ADDRESS=sean@example.com',
    ],
  ]);
});

test('what describes an address in documentation is none', async (t) => {
  expectCases(t, [
    ['address: An integer representation of an IPv4 IP address.'],
    ['exports.Address6 = void 0;'],
    ['ctx.addr = (addr or 0) - 1\n'],
    ['Address: 12 Main Street', 'STREET_ADDRESS=12 Main Street'],
  ]);
});

test('finds persons in elements, in rows of COPY and beside what people have', async (t) => {
  expectCases(t, [
    ['<FirstName>Nina</FirstName><LastName>Orlova</LastName>', 'PERSON=Nina', 'PERSON=Orlova'],
    ['<FileName>Nina</FileName><LastName></LastName><LastName>x1</LastName>'],
    ['Nina</LastName>'],
    ['<family>DejaVu Sans</family>'],
    [`${'x'.repeat(200)}</LastName>`],
    [
      'COPY people (id, full_name, birth_date, password) FROM stdin;\n1\tLaura Chen\t1985-06-17\tmarzipan7\n2\tOmar Haddad\t1972-12-05\torchard9\n\\.\n',
      'PERSON=Laura Chen',
      'PERSON=Omar Haddad',
      'DATE_OF_BIRTH=1985-06-17',
      'DATE_OF_BIRTH=1972-12-05',
      'PASSWORD=marzipan7',
      'PASSWORD=orchard9',
    ],
    [
      '-- a dump\n\nCOPY public.people (id, full_name, birth_date) FROM stdin;\n1\tLaura Chen\t1985-06-17\n',
      'PERSON=Laura Chen',
      'DATE_OF_BIRTH=1985-06-17',
    ],
    ['COPY people (id, name) FROM stdin;\n1\tx\n'],
    ['COPY people (full_name) TO stdout;'],
    ['copy the file'],
    [
      'holder,pan,cvv,expires\nIris Novak,4233936054847252,907,03/28\n',
      'PERSON=Iris Novak',
      'CREDIT_CARD=4233936054847252',
      'CARD_SECURITY_CODE=907',
      'CARD_EXPIRY=03/28',
    ],
  ]);
});

test('a name in JSON is that of a person beside what only people have', async (t) => {
  const detector = createDetector();
  const tags = (input: unknown): readonly string[] => detector.scan(input).tags;
  t.ok(tags({ name: 'Kai Braun', phone: '030 1234567' }).includes('PERSON'));
  t.notOk(tags({ name: 'Kai Braun', size: 3 }).includes('PERSON'));
});
