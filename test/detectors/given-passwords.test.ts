import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds passwords that sentences give to be used, and no words about passwords', async (t) => {
  expectCases(t, [
    ['use the db password letmein to log in', 'PASSWORD=letmein'],
    ['use the db password hunter2 to log in', 'PASSWORD=hunter2'],
    ['Log in as bob with the password letmein', 'PASSWORD=letmein'],
    ['username bob, password letmein', 'PASSWORD=letmein'],
    ['login bob and password letmein.', 'PASSWORD=letmein'],
    ['I changed the password to "letmein" yesterday', 'PASSWORD=letmein'],
    ['the password is "optional"'],
    ['비밀번호는 letmein 입니다', 'PASSWORD=letmein'],
    ['His password was letmein until May.', 'PASSWORD=letmein'],
    ['log in with password authentication.'],
    ['use the password manager to log in'],
    ['use the old and lost password letmein'],
    ['we lost the password letmein'],
    ['use a strong one, password letmein'],
    ['use the password letmein because it is easy'],
    ['the file, password letmein'],
    ['a ===, password letmein'],
    ['we use it on the very old and password letmein'],
    ['use the new admin password letmein to log in', 'PASSWORD=letmein'],
    ['the new temporary admin password letmein'],
    ['bob, password letmein'],
    ['the password is <b>letmein</b>', 'PASSWORD=letmein'],
    ['<i>Password:</i> letmein', 'PASSWORD=letmein'],
    ['password:</longertag> letmein'],
    ['enable password letmein', 'PASSWORD=letmein'],
    ['Enable password entry'],
    ['You can enable password letmein'],
  ]);
});

test('finds passwords in scripts, statements and commands', async (t) => {
  expectCases(t, [
    ['expect "assword:"; send "hunter2\\r"', 'PASSWORD=hunter2'],
    ['expect "assword:"; send -- "hunter2\\r"', 'PASSWORD=hunter2'],
    ['expect "assword:"; send $PASS'],
    ['expect "assword:"; interact'],
    ["expect '*assword:*'; send_user hello"],
    ['read -p "Password: " pw && echo "$pw"'],
    [`{ user: "bob's", password: 'hunter2x' }`, 'PASSWORD=hunter2x'],
    ['ALTER USER scott IDENTIFIED BY tiger ACCOUNT UNLOCK;', 'PASSWORD=tiger'],
    ["CREATE USER bob IDENTIFIED BY VALUES 'S:8F3'"],
    ['members of the group identified by letmein'],
    ['user bob of the group, identified by letmein'],
    ['sudo: bob : COMMAND=/usr/bin/mysql -u root -phunter2', 'PASSWORD=hunter2'],
    ['mysqldump --user=backup --password=dumpling --all', 'PASSWORD=dumpling'],
    ['gpg --batch --passphrase blueMonday -d f.gpg', 'PASSWORD=blueMonday'],
    ['tool --password STRING'],
    ['url=jdbc:mysql://h/db?user=root&password=blueMonday', 'PASSWORD=blueMonday'],
    ['<Password>blueMonday</Password>', 'PASSWORD=blueMonday'],
    ['<wsse:Password Type="text">blueMonday</wsse:Password>', 'PASSWORD=blueMonday'],
    ['DB_PASSWORD=blueMonday\n', 'PASSWORD=blueMonday'],
    ['connect(password=blueMonday)'],
  ]);
});

test('finds passwords among the arguments of functions', async (t) => {
  expectCases(t, [
    ['headers.add("db_password", "letmein")', 'PASSWORD=letmein'],
    ['.db_password("letmein")', 'PASSWORD=letmein'],
    ['password("letmein")'],
    ['"trust", "md5", "password", "scram-sha-256", "gss"'],
    ['Map.of("user", "bob", "password", "hunter2")', 'PASSWORD=hunter2'],
    ["pymysql.connect('localhost', 'root', 'hunter2', 'shop')", 'PASSWORD=hunter2'],
    ['new mysqli("localhost", "root", "hunter2", "db")', 'PASSWORD=hunter2'],
    ['DBI->connect("dbi:Pg:dbname=x", "user", "hunter2");', 'PASSWORD=hunter2'],
    ['socket.connect("cache.example", 80)'],
    ["jwt.sign({ id }, 'tr0mbone-signs', { expiresIn: '1h' })", 'PASSWORD=tr0mbone-signs'],
    ["jwt.sign({ id\n}, 'tr0mbone-signs')"],
    ["await page.fill('#password', 'letmein')", 'PASSWORD=letmein'],
    ["cy.get('input[name=password]').type('letmein')", 'PASSWORD=letmein'],
    ["page.getByLabel('Password').fill('letmein')", 'PASSWORD=letmein'],
    ['find_element(By.ID, "password").send_keys("letmein")', 'PASSWORD=letmein'],
    ["page.getByLabel('Password').click('letmein')"],
    ["press('[name=password]', 'letmein')", 'PASSWORD=letmein'],
    [`press('[name="password"]', 'letmein')`, 'PASSWORD=letmein'],
    [".argument('[password]', 'password for user, if required')"],
  ]);
});

test('tags of other languages, constants and names of members are no passwords', async (t) => {
  expectCases(t, [
    ['=item B<pass>\n\n=item fail'],
    ['it would I<pass> because it was'],
    ['a C<struct pwd> fields'],
    ['fsck uses the <pass> column to determine'],
    ['run with --otp <one-time password>`, or go through the web `x`'],
    ['#define GL_STENCIL_PASS_DEPTH_PASS        0x0B96\n'],
    ['#define SSL_TXT_kPSK "kPSK"\n'],
    ['exports.AuthenticationMD5Password = AuthenticationMD5Password;'],
    ['AttributeOID.CHALLENGE_PASSWORD: "challengePassword",'],
    ['ADMIN_PASSWORD: "adminpassword"', 'PASSWORD=adminpassword'],
    [':type passphrase: :py:data:`bytes`'],
    ['password\t[success=1 default=ignore]\tpam_unix.so'],
    ['`key` or `passphrase` are strings.'],
    ['"VerificationToken": "EXAMPLE3VYb9EDI2nTOQRi/Tf6MI/6bD6THIGiP1MVY="'],
    ['Authorization: AWS4-HMAC-SHA256 Credential=x'],
    [
      'https://a:b@example.com smtps://:pass@mail.example.com',
      'EMAIL_ADDRESS=b@example.com',
      'EMAIL_ADDRESS=pass@mail.example.com',
    ],
  ]);
});

test('the text of an element counts where its end is on a line of its own', async (t) => {
  const { tags } = createDetector().scan({ text: '<password>\n  blueMonday\n</password>' });
  t.ok(tags.includes('PASSWORD'));
});

test('finds values in pages, keys of functions and credentials that stand together', async (t) => {
  const secret = 'wJ4lrXUtnFEMI/K7MDENG/bPxRfiCY2zQ7TnLp8v';
  expectCases(t, [
    ['<li><b>Password:</b> h0ney!Pw</li>', 'PASSWORD=h0ney!Pw'],
    ['<p>Your password is <code>h0neyPw7</code>.</p>', 'PASSWORD=h0neyPw7'],
    ['the password is <b'],
    ['the password is <1>'],
    ['<property name="db.password">h0neyPw7</property>', 'PASSWORD=h0neyPw7'],
    ['Het wachtwoord van de router is Molen#12', 'PASSWORD=Molen#12'],
    ['サーバーのパスワード:Momiji24', 'PASSWORD=Momiji24'],
    ['服务器密码:Panda2024', 'PASSWORD=Panda2024'],
    ['creds: eve / sl4shPw!', 'PASSWORD=sl4shPw!'],
    ['creds: eve'],
    ["crypto.createHmac('sha256', 'hm4cS3cret!')", 'PASSWORD=hm4cS3cret!'],
    ['strcpy(password, "cStrPw1");', 'PASSWORD=cStrPw1'],
    ['expect "password:"; send "hunter2\\r"', 'PASSWORD=hunter2'],
    ["ConvertTo-SecureString -AsPlainText 'AdP4ss!' -Force", 'PASSWORD=AdP4ss!'],
    ['snmpget -v2c -c c0mmun1ty router sysUpTime.0', 'PASSWORD=c0mmun1ty'],
    ['snmpget -v2c -c public router sysUpTime.0'],
    [
      `new Basic("AKIAJDMQVCCKBZIIJ47Q", "${secret}")`,
      'AWS_ACCESS_KEY=AKIAJDMQVCCKBZIIJ47Q',
      `AWS_SECRET_KEY=${secret}`,
    ],
    [`AKIAJDMQVCCKBZIIJ47Q,${secret}`, 'AWS_ACCESS_KEY=AKIAJDMQVCCKBZIIJ47Q', `AWS_SECRET_KEY=${secret}`],
    ['AKIAJDMQVCCKBZIIJ47Q, eu-central-1', 'AWS_ACCESS_KEY=AKIAJDMQVCCKBZIIJ47Q'],
  ]);
});
