import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { type Case, expectCases } from './expect.ts';

const BIRTHS: readonly Case[] = [
  ['geb. 14.03.1961', 'DATE_OF_BIRTH=14.03.1961'],
  ['née le 5 mars 1984', 'DATE_OF_BIRTH=5 mars 1984'],
  ['nacido el 5 de marzo de 1984', 'DATE_OF_BIRTH=5 de marzo de 1984'],
  ['生年月日：1984年3月5日', 'DATE_OF_BIRTH=1984年3月5日'],
  ['生年月日は1984/03/05', 'DATE_OF_BIRTH=1984/03/05'],
  ['생년월일 1984년 3월 5일', 'DATE_OF_BIRTH=1984년 3월 5일'],
  ['출생 1984년 13월 5일, 1984년 3일, 1984년입니다'],
  ['дата рождения: 05.03.1984', 'DATE_OF_BIRTH=05.03.1984'],
  ['родился 5 марта 1984 года', 'DATE_OF_BIRTH=5 марта 1984'],
  ['data urodzenia: 5 marca 1984', 'DATE_OF_BIRTH=5 marca 1984'],
  ['datum narození: 5. 3. 1984', 'DATE_OF_BIRTH=5. 3. 1984'],
  ['datum narození: 5. 13. 1984, 5. b. 1984, 5. 3 1984'],
  ['født 5. mars 1984', 'DATE_OF_BIRTH=5. mars 1984'],
  ['DOB: 03051984', 'DATE_OF_BIRTH=03051984'],
  ['DOB: 99999999'],
  ['released 1984年3月5日 and 5. 3. 1984'],
  ['born 1984-03-05T10:11:12Z', 'DATE_OF_BIRTH=1984-03-05'],
  ['born 1984-13-05T10:11:12Z, at 1984-03-05T10:11:12Z or 10:11:12'],
];

const CARDS: readonly Case[] = [
  ['%B4111111111111111^DOE/JANE^2709101000000000?', 'CREDIT_CARD=4111111111111111'],
  ['%B4111111111111112^DOE/JANE^2709101000000000? B4111111111111111'],
  [';4111111111111111=2709101000000000?', 'CREDIT_CARD=4111111111111111'],
  ['maestro card 501800000009', 'CREDIT_CARD=501800000009'],
  ['jcb card 213112345678905 or 180012345678905', 'CREDIT_CARD=180012345678905'],
  ['/status/505874871616671744 and 187650773531824'],
  ['cvv: 123, exp 09/27, PIN 4821', 'CARD_SECURITY_CODE=123', 'CARD_EXPIRY=09/27', 'PIN=4821'],
  ['security code is 4821', 'CARD_SECURITY_CODE=4821'],
  ['expires 2027-09', 'CARD_EXPIRY=2027-09'],
  ['valid thru 09/2027', 'CARD_EXPIRY=09/2027'],
  ['expires 13/27, 09/27/28, 09/2, 09/27x, 2027-9, 3600'],
  ['cvv 12, pin 123, pin 4821.5, pin 48x, GPIO pin 4, exit code 137 after 12 ms'],
];

const PLATES: readonly Case[] = [
  ['license plate B-AB 1234', 'LICENSE_PLATE=B-AB 1234'],
  ['plate AB-123-CD', 'LICENSE_PLATE=AB-123-CD'],
  ['number plate AB12 CDE', 'LICENSE_PLATE=AB12 CDE'],
  ['plate 1234 and ab12 cde'],
  ['VIN WVWZZZ1JZXW000001', 'VEHICLE_ID=WVWZZZ1JZXW000001'],
  ['WVWZZZ1JZXW000001 and IVWZZZ1JZXW000001 and 1M8GDM9AXKP04278A'],
  ['1M8GDM9AXKP042788', 'VEHICLE_ID=1M8GDM9AXKP042788'],
];

test('finds dates of birth as people and systems of many languages write them', async (t) => {
  expectCases(t, BIRTHS);
  const detector = createDetector();
  t.same(detector.scan({ dob: '1984-03-05T00:00:00Z' }).redacted(), { dob: '[DATE_OF_BIRTH]T00:00:00Z' });
  t.same(detector.scan({ birth_date: 19840305 }).redacted(), { birth_date: '[DATE_OF_BIRTH]' });
  const off = createDetector({ disabledTags: ['DATE_OF_BIRTH'] });
  t.same(off.scan({ dob: '1984-03-05T00:00:00Z', born: '1984年3月5日' }).tags, []);
});

test('finds what belongs to a card by its word', async (t) => {
  expectCases(t, CARDS);
  const detector = createDetector();
  t.same(detector.scan({ cvv: 123, pin: 4821, count: 123, code: 99 }).redacted(), {
    cvv: '[CARD_SECURITY_CODE]',
    pin: '[PIN]',
    count: 123,
    code: 99,
  });
});

test('finds vehicles by their check digit or a word, and plates by a word', async (t) => {
  expectCases(t, PLATES);
});

test('finds a place by a pair of degrees with a word, one alone when strict', async (t) => {
  expectCases(t, [
    ['gps 52.520008, 13.404954', 'COORDINATES=52.520008', 'COORDINATES=13.404954'],
    ['lat: -33.868820, lng: 151.209290', 'COORDINATES=-33.868820', 'COORDINATES=151.209290'],
    ['lat 52.520008 and no more'],
    ['lat 252.520008, 13.404954x'],
    ['lat 52.5, 13.4 and 52.520008.1'],
    ['ratio 52.520008, 13.404954'],
  ]);
  const strict = createDetector({ sensitivity: 'strict' });
  t.same(strict.scan({ lat: 52.520008, ratio: 13.404954 }).redacted(), {
    lat: '[COORDINATES]',
    ratio: 13.404954,
  });
  t.same(createDetector({ disabledTags: ['COORDINATES'] }).scan({ gps: '52.520008, 13.404954' }).tags, []);
});

test('code, versions, addresses of memory and names of units are nothing', async (t) => {
  expectCases(t, [
    ['x[::2] and a[1::2] and b[::1] and std::a1::b2'],
    ['RFC 7540 8.1.2.4 and Chrome/120.0.0.0'],
    ['bind 0.0.0.0 and id=259625984862129'],
    ['a+16777216*b and (x)+16777216/2 and [1]+16777216'],
    ['getty@tty1.service and user@1000.service'],
    ['address 0x00007fff5fbff8c0'],
    ['web2 sudo: ubuntu : TTY=pts/4 ; PWD=/home/deploy ; USER=root ; COMMAND=/usr/bin/apt'],
    ['"local-member-id":"6303aaf4b4d37adc","snapshot-index":08288774'],
    ['member id b0633572463415ff, member id 1a2b3c4d5e, snapshot-index 82887741'],
    ['SHA256:w51tu5IgbpxO8DAgd+ur Nov 11 12:03:48 web2'],
    ['[::1]:8080 and fe80::1', 'IP_ADDRESS=::1', 'IP_ADDRESS=fe80::1'],
    ['ip 1::2', 'IP_ADDRESS=1::2'],
  ]);
  t.same(createDetector().scan({ address: '0x00007fff5fbff8c0' }).tags, []);
});

test('finds VAT numbers of Europe by country and check digits, with spaces too, and no others', async (t) => {
  const valid =
    'FR40303265045 GB980780684 ATU13585627 NL004495445B01 NL123456789B13 CHE-109.322.551 CHE107787577 BE0776091951 ' +
    'CZ25123891 DE136695976 DK13585628 EE100931558 EL094259216 FI20774740 HR33392005961 HU12892312 IT00743110157 ' +
    'LT119511515 LU15027442 LV40003521600 MT11679112 PL8567346215 PT501964843 RO18547290 SI50223054 SK2022749619';
  for (const text of valid.split(' ')) expectCases(t, [[`(${text})`, `EU_VAT_NUMBER=${text}`]]);
  expectCases(t, [
    ['ATU 13585627', 'EU_VAT_NUMBER=ATU 13585627'],
    ['GB 980 7806 84', 'EU_VAT_NUMBER=GB 980 7806 84'],
    ['BE 0776.091.951', 'EU_VAT_NUMBER=BE 0776.091.951'],
    ['FR41303265045 GB980780685 ATU13585628 NL123456789B14 CHE107787578 XX0776091951 de136695976'],
    ['USt-IdNr. de136695976', 'EU_VAT_NUMBER=de136695976'],
  ]);
});

test('the letter check of company numbers of Brazil and Colombia, Hong Kong and Chile', async (t) => {
  expectCases(t, [
    ['12.ABC.345/01DE-35', 'BR_CNPJ=12.ABC.345/01DE-35'],
    ['12.ABC.345/01DE-36'],
    ['HKID AB987654(3)', 'HK_HKID=AB987654(3)'],
    ['RUT 10.000.013-K', 'CL_RUT=10.000.013-K'],
    ['RUT 10.000.014-K'],
  ]);
});
