import { test } from 'tap';
import { expectCases } from './expect.ts';

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

test('dates of birth as tickets write them', async (t) => {
  expectCases(t, [
    ['dob: 12MAR1981', 'DATE_OF_BIRTH=12MAR1981'],
    ['DOB 5Jan84', 'DATE_OF_BIRTH=5Jan84'],
    ['dob: 12MAR19811'],
    ['dob: 12MAZ1981'],
    ['left on 12MAR1981'],
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
