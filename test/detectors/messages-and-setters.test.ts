import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

const WREN = 'PASSWORD=wr3n-Hollow';

test('names that setters, builders and comparisons are given', async (t) => {
  expectCases(t, [
    ['user.setFirstName("Isolde"); user.setLastName( "Kramer" );', 'PERSON=Isolde'],
    ['.firstName("Octavia").lastName("Brandt").build()', 'PERSON=Octavia', 'PERSON=Brandt'],
    ['form.put("firstName", "Ana")', 'PERSON=Ana'],
    ['setFirstName(name) getLastName() firstName["Ana"]'],
    ['setFirstName("Vorname") setFirstName("ana") setFirstName("Ana'],
    ['setHostName("Ana")'],
  ]);
});

test('codes of diseases behind their word', async (t) => {
  expectCases(t, [
    ['Dx E78.5 and ICD-10 I10', 'ICD10_CODE=E78.5', 'ICD10_CODE=I10'],
    ['Diagnose ICD F32.1.', 'ICD10_CODE=F32.1'],
    ['icd U07, icd E7, icd E78x, icd E78.5x'],
    ['vitamin B12 and E78.5'],
  ]);
});

test('short labels, brackets and abbreviations before a value', async (t) => {
  expectCases(t, [
    ['pw for the staging box is wr3n-Hollow', WREN],
    ['인증번호 [482013]를 입력하세요', 'ONE_TIME_CODE=482013'],
    ['(exp. 02/29, CVC2 736)', 'CARD_EXPIRY=02/29', 'CARD_SECURITY_CODE=736'],
    ['Tel.: 07121 / 334455', 'PHONE_NUMBER=07121 / 334455'],
    ["sudo -S <<< 'wr3n-Hollow' apt update", WREN],
    ['sudo -S apt update'],
    ['parser.add_argument("--password", default="wr3n-Hollow")', WREN],
    [`$${'{DB_PASSWORD}'}    wr3n-Hollow`, WREN],
    ['ftp = FTP("h", "leo", "wr3n-Hollow")', WREN],
    ['login: ana / wr3n-Hollow', WREN],
  ]);
  expectCases(t, [
    ['Staging login: qa@lantern.dev / wr3n-Hollow', 'EMAIL_ADDRESS=qa@lantern.dev', WREN],
    ['username: "qa@lantern.dev"', 'EMAIL_ADDRESS=qa@lantern.dev'],
  ]);
});

test('attributes, types and parameters around a value', async (t) => {
  const key = '4a82820adcdb28d37d86dc9de9e7535a';
  expectCases(t, [
    ['<span itemprop="streetAddress">1630 Revello Drive</span>', 'STREET_ADDRESS=1630 Revello Drive'],
    ['<textarea name="address" rows="2">1 Long Lane, Leeds</textarea>', 'STREET_ADDRESS=1 Long Lane, Leeds'],
    ['<span>1630 Revello Drive</span>'],
    ['case class P(name: String = "Ewa Lis", phone: String)', 'PERSON=Ewa Lis'],
    ['data.frame(name = c("Mabel Finch"), dob = NA)', 'PERSON=Mabel Finch'],
    [`https://x.org/?q=Oslo&app_key=${key}`, `API_KEY=${key}`],
    [`https://x.org/?key=${key}&q=1`, `API_KEY=${key}`],
    ['https://x.org/?key=name&appid=12'],
    ['tarjetas;vencimiento;cryptogramme\nx;09/27;611\n', 'CARD_EXPIRY=09/27', 'CARD_SECURITY_CODE=611'],
  ]);
});

test('the number that a message is sent to is a telephone', async (t) => {
  const detector = createDetector();
  t.same(detector.scan({ to: '00447700900999', body: 'x' }).redacted(), { to: '[PHONE_NUMBER]', body: 'x' });
  t.same(detector.scan({ to: '4477009', body: 'x' }).redacted(), { to: '4477009', body: 'x' });
  t.same(detector.scan({ '#password': 'wr3n-Hollow' }).redacted(), { '#password': '[PASSWORD]' });
});

test('contact cards, calendars and directories hold names and streets', async (t) => {
  expectCases(t, [
    [
      'BEGIN:VCARD\nN:Okoye;Ngozi;;;\nFN:Ngozi Okoye\nADR;TYPE=HOME:;;12 Allen Avenue;Ikeja;Lagos\nN:;;;;\nEND:VCARD',
      'PERSON=Okoye;Ngozi;;;',
      'PERSON=Ngozi Okoye',
      'STREET_ADDRESS=12 Allen Avenue',
    ],
    ['BEGIN:VCALENDAR\nATTENDEE;CN="Ragnar Lod";ROLE=X:mailto:x\n', 'PERSON=Ragnar Lod'],
    [
      'dn: uid=hm\ncn: Hanne Meier\nsn: Meier\nstreet: Am Weg 5\n',
      'PERSON=Hanne Meier',
      'PERSON=Meier',
      'STREET_ADDRESS=Am Weg 5',
    ],
    ['x\nFN:Ngozi Okoye'],
    [`BEGIN:VCARD\n${'x'.repeat(70_000)}\nFN:Ngozi Okoye`],
  ]);
});

test('names of FHIR as text, and what a reference to a person is shown as', async (t) => {
  const detector = createDetector();
  const redacted = (input: unknown): unknown => detector.scan(input).redacted();
  t.same(redacted({ name: [{ use: 'official', text: 'Dr. Ana Orlova' }] }), {
    name: [{ use: 'official', text: '[PERSON]' }],
  });
  t.same(redacted({ reference: 'Patient/1', display: 'Ana Orlova' }), {
    reference: 'Patient/1',
    display: '[PERSON]',
  });
  for (const input of [
    { name: [{ text: 'Ana Orlova', colour: 'red' }] },
    { name: ['Ana Orlova'] },
    { name: [null] },
    { reference: 'Device/1', display: 'Ana Orlova' },
  ])
    t.same(redacted(input), input, JSON.stringify(input));
});

test('communities of SNMP and logins of HAProxy', async (t) => {
  expectCases(t, [
    ['snmp-server community wr3n-Hollow RO', WREN],
    ['set snmp community wr3n-Hollow', WREN],
    ['the snmp server of the community'],
    ['stats auth admin:wr3n-Hollow', WREN],
    ['sort code 40-47-84, a/c 70872490', 'US_BANK_NUMBER=70872490'],
    ['<credential-reference clear-text="wr3n-Hollow"/>', WREN],
  ]);
});

test('finds names behind arrays of a type, in calls without spaces, and passwords of keywords', async (t) => {
  expectCases(t, [
    ['name: String[] = "Jane Doe", phone: "x"', 'PERSON=Jane Doe'],
    ['m.put("firstName","Jane")', 'PERSON=Jane'],
    ['"firstName","Department"'],
    ['{:user/password "hunter2x"}', 'PASSWORD=hunter2x'],
    ['params[:password] "hunter2x"'],
    ['x:/password "hunter2x"'],
    ['رقم الحساب 94545678', 'US_BANK_NUMBER=94545678'],
  ]);
});
