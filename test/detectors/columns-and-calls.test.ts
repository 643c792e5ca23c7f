import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds names, addresses, accounts and codes of cards in the columns of tables', async (t) => {
  expectCases(t, [
    ['Vorname;Nachname;Stadt\nHannes;Berger;Wien', 'PERSON=Hannes', 'PERSON=Berger'],
    ['people\n\n| full_name | role |\n|---|---|\n| Ola Berg | cook |', 'PERSON=Ola Berg'],
    ['name,email\nOla Berg,none\n', 'PERSON=Ola Berg'],
    ['name,version\nOla Berg,2\n'],
    [
      'nom,adresse\nBlanc,"12 rue des Lilas, Lyon"\n',
      'PERSON=Blanc',
      'STREET_ADDRESS=12 rue des Lilas, Lyon',
    ],
    ['"mrn","ward"\n"MRN-4471882","3"', 'MRN=MRN-4471882'],
    ["INSERT INTO p (first_name, n) VALUES ('Ola', 1), ('Eva', 2)", 'PERSON=Ola', 'PERSON=Eva'],
    ['INSERT INTO p SELECT first_name FROM q'],
    ['pan\texp\tcvv\n1\t09/27\t431\n', 'CARD_EXPIRY=09/27', 'CARD_SECURITY_CODE=431'],
    ['card,pin\nred,4471\n', 'PIN=4471'],
    ['food,exp\nmilk,09/27\n'],
    ['first_name,last_name\nnot a row'],
    ['host,password\ndb1,Marmalade\ndb2,Required\n', 'PASSWORD=Marmalade'],
    ['f(const char *password,\n\t\t\tconst int n)'],
    ['#define SET_PASS\t\t\t0xF1\n#define\tFoo12\t0xF2'],
    ['|netrw-a| of a password....|\nnetrw|browsing12|'],
  ]);
});

test('finds names and addresses in messages of HL7', async (t) => {
  expectCases(t, [
    [
      'MSH|^~\\&|A\rPID|1||||ROE^ANN||||||44 Elm^^Reno||\nNK1|1|ROE^LEE|SPO|1 Oak',
      'PERSON=ROE^ANN',
      'STREET_ADDRESS=44 Elm^^Reno',
      'PERSON=ROE^LEE',
      'STREET_ADDRESS=1 Oak',
    ],
    ['PIDX||||||ROE^ANN'],
    ['GT1|1||ROE^ANN', 'PERSON=ROE^ANN'],
    ['PID|1||||^^|||||||Elm Street'],
    ['a|b|c|d|e|ROE^ANN'],
  ]);
  const scan = createDetector().scan({
    coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.9' }],
  });
  t.same(scan.tags.includes('ICD10_CODE'), true);
  t.same(createDetector().scan({ coding: [{ system: 'http://loinc.org', code: 'E11.9' }] }).tags, []);
});

test('finds passwords among the arguments of calls', async (t) => {
  expectCases(t, [
    ["$pdo = new PDO('mysql:host=db', 'app', 'heron7');", 'PASSWORD=heron7'],
    ['DriverManager.getConnection(URL, "app", "heron7");', 'PASSWORD=heron7'],
    ['smtp.login("kim@ex.org", "heron7")', 'EMAIL_ADDRESS=kim@ex.org', 'PASSWORD=heron7'],
    ['c.basic_auth("kim", Some("heron7"))', 'PASSWORD=heron7'],
    ['c.auth(user, "heron7")', 'PASSWORD=heron7'],
    ['WiFi.begin("Home", "heronry77");', 'PASSWORD=heronry77'],
    ['c.login(user, password); c.login("kim"); c.auth(f("a"), "heron7"); begin("a", "heron7")'],
    ['let password = String::from("heronry");', 'PASSWORD=heronry'],
    ['const password = env.PASSWORD || "heronry";', 'PASSWORD=heronry'],
    ['const password = env.PASSWORD || "";'],
    ['{:user "app" :password "heronry"}', 'PASSWORD=heronry'],
    ["OPTIONS (user 'bob', password 'thimble')", 'PASSWORD=thimble'],
    ["OPTIONS (user 'bob', password 'thimble') and (password 'as it is')", 'PASSWORD=thimble'],
    ["its password 'thimble')"],
  ]);
});

test('finds passwords in lists of options, before remarks, in headers and in sentences', async (t) => {
  expectCases(t, [
    ['helm install --set auth.password=heronry,auth.database=app', 'PASSWORD=heronry'],
    ['f(password=heronry,db=app)'],
    ['x: 1\npassword: heronry # change it', 'PASSWORD=heronry'],
    ['masterauth bittern', 'PASSWORD=bittern'],
    ['{authorization=[Bearer sxXbKwkgNtSzgs8mWdtwwvbCVfzIu1eS]}', 'API_KEY=sxXbKwkgNtSzgs8mWdtwwvbCVfzIu1eS'],
    ['PASSWORD=$DB_PASSWORD ./run.sh'],
    ['Das Passwort lautet Sommerwiese, bitte merken', 'PASSWORD=Sommerwiese'],
    ['Das Paßwort lautet Sommerwiese, bitte merken', 'PASSWORD=Sommerwiese'],
    ['Paßwort: Sommer2024', 'PASSWORD=Sommer2024'],
    ['Das Passwort ist Pflicht.'],
    ['La contraseña es girasol y mi correo es otro', 'PASSWORD=girasol'],
    ['La contraseña es girasol y lilas'],
    ['La password è errata, riprova.'],
    ['Lösenordet är solros12, tack', 'PASSWORD=solros12'],
    ['Nací el 12 de octubre de 1990', 'DATE_OF_BIRTH=12 de octubre de 1990'],
    ['ring mig 070-123 45 67', 'PHONE_NUMBER=070-123 45 67'],
    ['كلمة المرور هي abbad2026', 'PASSWORD=abbad2026'],
  ]);
});
