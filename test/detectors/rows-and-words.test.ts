import { test } from 'tap';
import { expectCases } from './expect.ts';

test('groups of four digits that go on are a table, not a card or an identity number', async (t) => {
  expectCases(t, [
    ['56D8 3626 5722 5723 5724 5725 5726 5727 58ED 5904'],
    ['708A 6376 9524\n5782 6625 693F'],
    ['8185\n8186\n8187\n8188\n8189\n11559'],
    ['card CARD 4111 1111 1111 1111 now', 'CREDIT_CARD=4111 1111 1111 1111'],
    ['aadhaar 56D8 6911 7891 7986', 'IN_AADHAAR=6911 7891 7986'],
    ['VISA 4111 1111 1111 1111', 'CREDIT_CARD=4111 1111 1111 1111'],
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
