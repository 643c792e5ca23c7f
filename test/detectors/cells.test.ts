import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds what the heads of tables in HTML say of their cells', async (t) => {
  expectCases(t, [
    [
      '<table><tr><th>Customer</th><th>E-mail</th><th>CVV</th><th>Card</th></tr>\n' +
        '<tr><td>Ines Dubois</td><td>ines@dubois.be</td><td>206</td><td>x</td></tr><tr><td>Paul Roi</td></tr></table>',
      'PERSON=Ines Dubois',
      'EMAIL_ADDRESS=ines@dubois.be',
      'CARD_SECURITY_CODE=206',
      'PERSON=Paul Roi',
    ],
    [
      '<thead><tr><th scope="col"><b>User</b></th><th>Password</th></tr></thead><tr><td>bob</td><td>Blue-Tern9</td></tr>',
      'PASSWORD=Blue-Tern9',
    ],
    [
      '<TABLE><TR><TH>Passport No.</TH><TH>Date of birth</TH></TR><TR><TD>A08842917</TD><TD>23/04/1986</TD></TR></TABLE>',
      'US_PASSPORT=A08842917',
      'DATE_OF_BIRTH=23/04/1986',
    ],
    [
      '<table><tr><th>x</th><th><b>Password</b></th></tr><tr><td>y</td><td>Blue-Tern9</td></tr></table><td>z</td>',
      'PASSWORD=Blue-Tern9',
    ],
    ['<tr><th>Password</th></tr><tr><td>Blue-Tern9</td></tr>'],
    ['<tr><th>Size</th><th>Weight</th></tr><tr><td>Blue-Tern9</td><td>206</td></tr>'],
    ['<tr><th>Password</th><th>User</th><'],
  ]);
});

test('finds what the heads of aligned tables and of those of Jira and reStructuredText say', async (t) => {
  expectCases(t, [
    [
      'Payer Name      Payer Email               Card\nRuta Kalnina    ruta@kalnina.lv           4264822561272535',
      'PERSON=Ruta Kalnina',
      'EMAIL_ADDRESS=ruta@kalnina.lv',
      'CREDIT_CARD=4264822561272535',
    ],
    [
      'ACCT       NAME                 SSN          BALANCE\n9930021187 Carlton Briggs       277-70-5414  1,204.22',
      'US_BANK_NUMBER=9930021187',
      'PERSON=Carlton Briggs',
      'US_SSN=277-70-5414',
    ],
    [
      '||Name||Phone||DOB||\n|Noor Jahan|+92 300 1234567|1994-04-04|',
      'PERSON=Noor Jahan',
      'PHONE_NUMBER=+92 300 1234567',
      'DATE_OF_BIRTH=1994-04-04',
    ],
    ['||Name||Phone||\nNoor Jahan'],
    [
      '=====  ==========\nLogin  Passphrase\n=====  ==========\nmark5  rst-Beetle9\n=====  ==========\n',
      'USERNAME=mark5',
      'PASSWORD=rst-Beetle9',
    ],
    [
      '+------+---------------+\n| Name | Phone         |\n+======+===============+\n| Jane Doe | 020 7946 0958 |\n+------+-----+\n| Max Muster | 030 1234567 |\n+----+----+',
      'PERSON=Jane Doe',
      'PHONE_NUMBER=020 7946 0958',
      'PERSON=Max Muster',
      'PHONE_NUMBER=030 1234567',
    ],
    [
      '| User  | Password |\n|-------+----------|\n| rkelly21 | 0rg-Mantis |',
      'USERNAME=rkelly21',
      'PASSWORD=0rg-Mantis',
    ],
    ['2024-01-02,login,ok\n2024-01-03,payments,down'],
    ['Name   Status\nfull_name   x\n'],
    ['Client name   Status\nJane\n'],
    ['Client name   Status\nx\n\nJane Doe      open\n'],
    ['Client name   City of the client\nJane Doefoobar Cork\n'],
  ]);
});

test('finds what statements insert into columns, wherever they stand', async (t) => {
  expectCases(t, [
    [
      "insert into staff(emp_name, emp_dob, emp_acct_no) select 'Thaddeus Boone', to_date('1977-08-21','YYYY'), '7712004419' from dual",
      'PERSON=Thaddeus Boone',
      'DATE_OF_BIRTH=1977-08-21',
      'US_BANK_NUMBER=7712004419',
    ],
    ["insert into staff(emp_name, x) select lower('Thaddeus Boone'), ('y');", 'PERSON=Thaddeus Boone'],
    ["insert into t(a, b) select 'Thaddeus Boone', 'y' from x"],
    ['insert into staff(emp_name) select first from other'],
    [
      "CREATE TABLE x (id int);\nINSERT INTO users (id, full_name, pw, born) VALUES (gen_id(), 'Jane Doe', crypt('Blue-Tern9', gen_salt('bf')), DATE '1980-02-03'), (2, 'Max Muster', 'x', NOW());",
      'PERSON=Jane Doe',
      'PASSWORD=Blue-Tern9',
      'DATE_OF_BIRTH=1980-02-03',
      'PERSON=Max Muster',
    ],
    [
      "-- people\nINSERT INTO p (first_name) VALUES ('Eva');\nINSERT INTO p (first_name) VALUES ('Ida');",
      'PERSON=Eva',
      'PERSON=Ida',
    ],
    ['INSERT INTO p (first_name) DEFAULT'],
    ['INSERT INTO p'],
    ["INSERT INTO p (first_name) VALUES ('Eva', 2)"],
  ]);
});

test('tables that never end are read once', async (t) => {
  const detector = createDetector();
  for (const piece of [
    '<th>name</th>',
    '<th>phone',
    "insert into t (name, phone) values ('",
    'name  phone\n',
    '||name||phone||\n|',
  ])
    t.ok(detector.scan({ text: piece.repeat(3000) }));
});
