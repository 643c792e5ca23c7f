import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds the codes of doors and alarms, and codes that were sent, in several languages', async (t) => {
  expectCases(t, [
    ['the door code is 4711', 'PIN=4711'],
    ["my pin's 4711", 'PIN=4711'],
    ['the code of the door is 4711', 'PIN=4711'],
    ['le code de la porte est 4711', 'PIN=4711'],
    ['el código de la alarma es 9137', 'PIN=9137'],
    ['il codice del cancello è 4711', 'PIN=4711'],
    ['Der Türcode lautet 4711', 'PIN=4711'],
    ['deurcode is 4711', 'PIN=4711'],
    ['el PIN de la alarma 9137', 'PIN=9137'],
    ['pincode 2580', 'PIN=2580'],
    ['pincode: 560001'],
    ['the code for all is 4711'],
    ['the pin layout version 1234 is old'],
    ['error code 4711'],
    ["Here's the OTP they just texted me: 663914", 'ONE_TIME_CODE=663914'],
    ['Koden din er 338812', 'ONE_TIME_CODE=338812'],
    ['votre code est 123456', 'ONE_TIME_CODE=123456'],
    ['Your Acme code: 553018', 'ONE_TIME_CODE=553018'],
    ['Your code: 553018', 'ONE_TIME_CODE=553018'],
    ['Your own new Acme code: 553018'],
    ['this code: 553018'],
    ['<td>CVV</td><td>774</td>', 'CARD_SECURITY_CODE=774'],
    ['<b>CVV <i>774</i>', 'CARD_SECURITY_CODE=774'],
    ['card[number]=1&card[cvc]=641', 'CARD_SECURITY_CODE=641'],
  ]);
});

test('finds sessions in cookies, keys of sections and secrets that somebody made up', async (t) => {
  const detector = createDetector();
  const session = '5yl8qqvYYcwk5IqE86tyfh6penVfgHfD';
  const found = (input: unknown) =>
    detector
      .scan(input)
      .detections()
      .map(({ tag, start, end }) => `${tag} ${start}-${end}`);
  t.same(found({ cookie: `theme=dark; session=${session}; x` }), ['GENERIC_SECRET 20-52']);
  t.same(found({ cookie: 'theme=dark; lang=en' }), []);
  t.same(found({ jwt: { key: session } }), ['API_KEY 0-32']);
  t.same(found({ jwt: { key: 'user_id' } }), []);
  t.same(found({ map: { key: session } }), []);
  expectCases(t, [
    [`jwt:\n  alg: x\n  key: ${session}`, `API_KEY=${session}`],
    [`x:\n  - algolia:\n      key: ${session}`, `API_KEY=${session}`],
    [`map:\n  key: ${session}`],
    [`jwt: x\n  key: ${session}`],
    [`jwt:\nkey: ${session}`],
    [`${'  a: b\n'.repeat(9)}  key: ${session}`],
    [`  key: ${session}`],
    ['secret = w1reless-Badger', 'GENERIC_SECRET=w1reless-Badger'],
    ['secret = wireless-badger1'],
    ['secret = w1reless/Badger'],
    ['JSESSIONID=9FF731AC4C91D47C673D2894C6988F11', 'GENERIC_SECRET=9FF731AC4C91D47C673D2894C6988F11'],
    ['r.setValue(v, forHTTPHeaderField: "X-API-Key")'],
    ['use("X-API-Key")'],
    ['password = ini-Alpenstrand', 'PASSWORD=ini-Alpenstrand'],
    ['## 4.12.0.3 (2025-03-11)'],
    ['## [4.12.0.3]'],
    ['# v4.12.0.3'],
    ['at # 4.12.0.3', 'IP_ADDRESS=4.12.0.3'],
    ['{"auth.password":"Has\u0142o"}'],
  ]);
});

test('finds users and passwords in calls, lists of arguments and logs', async (t) => {
  expectCases(t, [
    ['connect(mapState, "a", "b4stion")'],
    ['connect("a", "B4stion-Kudu")'],
    ['connect(f(x), "a", "B4stion-Kudu")'],
    [
      'chpasswd:\n  list: |\n    root:r00t-Egret\n    - ubuntu:ubu-Egret9\n',
      'PASSWORD=r00t-Egret',
      'PASSWORD=ubu-Egret9',
    ],
    ['chpasswd:\n  expire: false'],
    ['try user qa_tester7 password qa-Storch55', 'PASSWORD=qa-Storch55'],
    ['SSID Attic, pass Lak3house-guest', 'PASSWORD=Lak3house-guest'],
    ['tests pass always'],
    ["curl -u 'jiri.latka@x.cz:geheim-77' y", 'EMAIL_ADDRESS=jiri.latka@x.cz', 'PASSWORD=geheim-77'],
    ['curl -u mlopez9:cur1-Stint ftp://h/', 'USERNAME=mlopez9', 'PASSWORD=cur1-Stint'],
  ]);
  const detector = createDetector();
  t.same(detector.scan(['curl', '-u', 'bob:4rgv-Kite', 'https://x']).tags, ['CREDENTIALS', 'PASSWORD']);
  t.same(detector.scan(['mysql', '-u', 'root', '-pargv-Kite']).tags, ['CREDENTIALS', 'PASSWORD']);
  t.same(detector.scan(['redis-cli', '-a', 'argv-Kite']).tags, ['CREDENTIALS', 'PASSWORD']);
  t.same(detector.scan(['curl', '-u', 'bob-Kite7', 'https://x']).tags, []);
  t.same(detector.scan(['mysql', '-p', 'argv-Kite7']).tags, []);
  t.same(detector.scan(['sort', '-u', 'bob:4rgv-Kite']).tags, []);
});
