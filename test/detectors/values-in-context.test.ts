import { test } from 'tap';
import { expectCases } from './expect.ts';

test('finds secrets whose label or place is written in other ways', async (t) => {
  expectCases(t, [
    ['nmap --script-args smbuser=adm,smbpass=nm4p-Birkhuhn,x=1', 'PASSWORD=nm4p-Birkhuhn'],
    ['compass=nm4p-Birkhuhn'],
    ['"pgpass": "1.0.5"'],
    ['enable secret 0 3nable-Stieglitz', 'GENERIC_SECRET=3nable-Stieglitz'],
    ["new Client(['auth' => ['leo', 'php-Lerche7']]);", 'PASSWORD=php-Lerche7'],
    ['PASS=<password>\nSTRIPE_KEY=sk-xxx-yyy-1'],
    ['pass: <password>\nnext-Thing1: 2'],
    ['<password>\nnext-Thing1</password>', 'PASSWORD=next-Thing1'],
    ["CREATE USER app WITH PASSWORD :'app_password'"],
    ["{ password :'hunter2' }", 'PASSWORD=hunter2'],
    ['root:$PASSWORD:hunter2'],
  ]);
});

test('finds short numbers behind emphasis and as second arguments', async (t) => {
  expectCases(t, [
    ['your PIN is <b>4471</b>', 'PIN=4471'],
    ['your PIN is </b>4471'],
    ['your PIN is <span class="x">4471'],
    ["page.type('#cvc', '339')", 'CARD_SECURITY_CODE=339'],
  ]);
});

test('finds people among what only people have: an account, a street with a number', async (t) => {
  expectCases(t, [
    ['firstName=Priscila&phone=x&z', 'PERSON=Priscila'],
    ['full_name=Ann & Bo'],
    ['name: Ruth Sommer, IBAN of hers and so on'],
    ['name: Ruth Sommer, IBAN DE89 and so on', 'PERSON=Ruth Sommer'],
    ['Name: Sorting Hat\nAddress: bus 2, slot 4\nand more'],
    ['Name: Ruth Sommer\nAddress: 12 Main St\nand more', 'PERSON=Ruth Sommer', 'STREET_ADDRESS=12 Main St'],
    [
      'Name|Card|CVV\nNils Holm|4111111111111111|441',
      'PERSON=Nils Holm',
      'CREDIT_CARD=4111111111111111',
      'CARD_SECURITY_CODE=441',
    ],
    ['bot@ci.invalid'],
  ]);
});
