import t from 'tap';
import { types } from '../../../src/cel/index.ts';
import { type Case, runCases } from '../cases.ts';
import { evaluate, issueLines } from '../evaluate.ts';

// The cases of the network_ext section of cel-spec, which @bufbuild/cel-spec does not contain yet.
t.test('addresses and ranges are read as cel-spec says', async (t) => {
  const cases: Case[] = [
    ["string(ip('192.168.0.1'))", '192.168.0.1'],
    ["ip('192.168.0.1.0')", 'error: invalid_argument'],
    ["isIP('192.168.0.1')", true],
    ["isIP('192.168.0.1.0')", false],
    ["ip.isCanonical('127.0.0.1')", true],
    ["ip.isCanonical('127.0.0.1.0')", 'error: invalid_argument'],
    ["ip.isCanonical('2001:DB8::68')", false],
    ["string(ip('2001:db8::68'))", '2001:db8::68'],
    ["ip('2001:db8:::68')", 'error: invalid_argument'],
    ["ip('fe80::1%en0')", 'error: invalid_argument'],
    ["ip('::ffff:192.168.0.1')", 'error: invalid_argument'],
    ["type(ip('192.168.0.1')) == net.IP", true],
    ["ip('192.168.0.1').family()", 4],
    ["ip('0.0.0.0').isUnspecified()", true],
    ["ip('127.0.0.1').isUnspecified()", false],
    ["ip('127.0.0.1').isLoopback()", true],
    ["ip('1.2.3.4').isLoopback()", false],
    ["ip('192.168.0.1').isGlobalUnicast()", true],
    ["ip('255.255.255.255').isGlobalUnicast()", false],
    ["ip('224.0.0.1').isLinkLocalMulticast()", true],
    ["ip('224.0.1.1').isLinkLocalMulticast()", false],
    ["ip('169.254.169.254').isLinkLocalUnicast()", true],
    ["ip('192.168.0.1').isLinkLocalUnicast()", false],
    ["ip('127.0.0.1') == ip('127.0.0.1')", true],
    ["ip('127.0.0.1') == ip('10.0.0.1')", false],
    ["ip('::ffff:c0a8:1') == ip('192.168.0.1')", true],
    ["ip('::ffff:c0a8:1') == ip('192.168.10.1')", false],
    ["ip('2001:db8::68').family()", 6],
    ["ip('::').isUnspecified()", true],
    ["ip('::1').isLoopback()", true],
    ["ip('2001:db8::abcd').isGlobalUnicast()", true],
    ["ip('ff00::1').isGlobalUnicast()", false],
    ["ip('ff02::1').isLinkLocalMulticast()", true],
    ["ip('fd00::1').isLinkLocalMulticast()", false],
    ["ip('fe80::1').isLinkLocalUnicast()", true],
    ["ip('fd80::1').isLinkLocalUnicast()", false],
    ["ip('2001:db8::1') == ip('2001:DB8::1')", true],
    ["ip('::') == ip('::ffff')", false],
    ["type(cidr('192.168.0.0/24')) == net.CIDR", true],
    ["cidr('192.168.0.0/')", 'error: invalid_argument'],
    ["cidr('fe80::1%en0/24')", 'error: invalid_argument'],
    ["cidr('::ffff:192.168.0.1/24')", 'error: invalid_argument'],
    ["cidr('127.0.0.1/24') == cidr('127.0.0.1/24')", true],
    ["cidr('192.0.0.1/32') == cidr('10.0.0.1/8')", false],
    ["cidr('2001:db8::/32') == cidr('10.0.0.1/32')", false],
    ["cidr('192.168.0.0/24').containsIP(ip('192.168.0.1'))", true],
    ["cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))", false],
    ["cidr('192.168.0.0/24').containsIP('192.168.0.1')", true],
    ["cidr('192.168.0.0/24').containsIP('192.168.1.1')", false],
    ["cidr('192.168.0.0/24').containsCIDR(cidr('192.168.0.0/25'))", true],
    ["cidr('192.168.0.0/24').containsCIDR(cidr('192.168.0.1/32'))", true],
    ["cidr('192.168.0.0/24').containsCIDR(cidr('192.168.0.0/23'))", false],
    ["cidr('192.168.0.0/24').containsCIDR('192.168.0.0/25')", true],
    ["cidr('10.0.0.0/8').containsCIDR(cidr('10.0.0.0/8'))", true],
    ["cidr('2001:db8::/32').containsIP(ip('192.168.1.1'))", false],
    ["cidr('192.168.1.1/32').containsIP(ip('2001:db8::1'))", false],
    ["cidr('192.168.0.0/24').ip() == ip('192.168.0.0')", true],
    ["cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')", true],
    ["cidr('192.168.0.0/24').prefixLength()", 24],
    ["string(cidr('2001:db8::/32'))", '2001:db8::/32'],
    ["cidr('2001:db8::/32').containsIP(ip('2001:db8::1'))", true],
    ["cidr('2001:db8::/32').containsCIDR(cidr('2001:db8::/33'))", true],
    ["string(cidr('192.168.0.0/24'))", '192.168.0.0/24'],
  ];
  runCases(t, cases);
  t.match(issueLines("isIP(cidr('192.168.0.0/24'))"), [/found isIP\(net.CIDR\), expected isIP\(string\)/]);
});

t.test('every form of an address has one meaning, and other texts have none', async (t) => {
  const cases: Case[] = [
    ['string(ip("1:0:0:2:0:0:0:3"))', '1:0:0:2::3'],
    ['string(ip("1:0:2:0:3:0:4:0"))', '1:0:2:0:3:0:4:0'],
    ['string(ip("1:0:0:2:3:0:0:4"))', '1::2:3:0:0:4'],
    ['string(ip("0:0:0:0:0:0:0:0"))', '::'],
    ['string(ip("1::"))', '1::'],
    ['string(ip("::ABCD"))', '::abcd'],
    ['string(ip("64:ff9b::10.0.0.1"))', '64:ff9b::a00:1'],
    ['cidr("0.0.0.0/0").containsIP("8.8.8.8")', true],
    ['cidr("::/0").containsIP("::1")', true],
    ['cidr("10.0.0.0/8").containsIP("10.0.0.1.1")', 'error: invalid_argument'],
    ['cidr("10.0.0.0/8").containsCIDR("10.0.0.0")', 'error: invalid_argument'],
    [
      '[isCIDR("10.0.0.0/8"), isCIDR("10.0.0.0/33"), isCIDR("10.0.0.0/08"), isCIDR("10.0.0.0")]',
      [true, false, false, false],
    ],
    [
      '[isCIDR("::/128"), isCIDR("::/129"), isCIDR("/8"), isCIDR("::ffff:0:0/96")]',
      [true, false, false, false],
    ],
  ];
  runCases(t, cases);
  const wrong = [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '0x7f.0.0.1',
    '2130706433',
    ' 1.2.3.4',
    '1.2.3.4\n',
    '١.2.3.4',
    '1',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '12345::',
    '1:2:3:4:5:6:7::8',
    '[::1]',
    '::1.2.3',
    '1.2.3.4::',
    'g::',
    `${'0:'.repeat(60)}1`,
  ];
  for (const text of wrong) t.equal(evaluate(`isIP(${JSON.stringify(text)})`), false, text);
});

t.test('an address that is not one of the public internet is private', async (t) => {
  const isPrivate = (address: string): unknown => evaluate(`ip("${address}").isPrivate()`);
  for (const address of [
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '::1',
    '::',
    'fe80::1',
    'fd12::1',
    'ff02::1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2001:db8::1',
    '::7f00:1',
  ])
    t.equal(isPrivate(address), true, address);
  for (const address of '8.8.8.8 172.32.0.1 100.128.0.1 1.1.1.1 2606:4700::1111 64:ff9b::808:808 2002:808:808::1'.split(
    ' ',
  ))
    t.equal(isPrivate(address), false, address);
});

t.test('a URL has the parts that the program which opens it reads', async (t) => {
  const cases: Case[] = [
    [
      'url("HTTPS://Api.Example.COM:8443/a/b?x=1&x=2&y=a+b%20c#top")',
      {
        scheme: 'https',
        host: 'api.example.com',
        port: 8443,
        path: '/a/b',
        query: new Map([
          ['x', ['1', '2']],
          ['y', ['a b c']],
        ]),
      },
    ],
    [
      'url("http://example.com")',
      { scheme: 'http', host: 'example.com', port: 80, path: '/', query: new Map() },
    ],
    ['url("https://user:pw@example.com./x").host', 'example.com'],
    ['url("https://[2001:DB8::1]:443/").host', '2001:db8::1'],
    ['url("http://[::ffff:10.0.0.1]/").host', '10.0.0.1'],
    [
      'url("file:///etc/passwd")',
      { scheme: 'file', host: '', port: 0, path: '/etc/passwd', query: new Map() },
    ],
    ['url("mailto:ann@example.com").path', 'ann@example.com'],
    ['url("postgres://db.internal:5432/app").port', 5432],
    ['url("https://example.com:/").port', 443],
    ['url("https://example.com/a/../../b/./c/..").path', '/b/'],
    ['url("https://example.com/%2e%2E/%61dmin%2fx").path', '/admin%2Fx'],
    [
      'url("https://example.com/?a&b=&=c&d=%ZZ&d=%ff").query',
      { a: [''], b: [''], '': ['c'], d: ['%ZZ', '%ff'] },
    ],
    ['url("https://example.com/?__proto__=1&constructor=2").query["constructor"]', ['2']],
    ['"__proto__" in url("https://example.com/").query', false],
    ['url("https://example.com/#?a=1").query.size()', 0],
    ['url("https://example.com/?q=https://other.example/@x").host', 'example.com'],
    ['[isURL("https://example.com"), isURL("example.com")]', [true, false]],
    ['url("nothing")', 'error: invalid_argument'],
  ];
  runCases(t, cases);
});

t.test('a URL that two programs could open at two hosts is none', async (t) => {
  const wrong = [
    '',
    'example.com/x',
    '//example.com',
    'http:example.com',
    'http:/example.com',
    'http:///evil.example',
    'https://',
    'https://good.example\\@evil.example/',
    'https://good.example\\.evil.example',
    'https://a@good.example@evil.example',
    'https://good.example @evil.example',
    ' https://good.example',
    'https://good.example\n',
    'ht\ntps://good.example',
    'https://goo\td.example',
    'https://good.example%2f.evil.example',
    'https://good%2eexample/',
    'https://ｇood.example',
    'https://good。example',
    'https://xn--\u0131.example',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://1.2.3.4.5/',
    'https://[::1',
    'https://::1/',
    'https://[fe80::1%25eth0]/',
    'https://[good.example]/',
    'https://good.example:99999/',
    'https://good.example:80a/',
    'https://good.example:80:90/',
    'https://good..example/',
    'https://.example/',
    `https://${'a.'.repeat(130)}example/`,
    'https://good.example/\u0000',
    'https://good.example/\ud800',
    '1http://good.example',
    'ftp:good.example',
    'x://a b/',
  ];
  for (const text of wrong) {
    t.equal(
      evaluate('url(s)', { variables: { s: types.string }, activation: { s: text } }),
      'error: invalid_argument',
      JSON.stringify(text),
    );
  }
});

t.test('a mail address has the domain that receives the mail', async (t) => {
  const domain = (s: string): unknown =>
    evaluate('emailDomain(s)', { variables: { s: types.string }, activation: { s } });
  t.equal(domain('ann@Example.COM'), 'example.com');
  t.equal(domain('ann.b+c@mail.example.com.'), 'mail.example.com');
  t.equal(domain('Ann Bee <ann@example.com>'), 'example.com');
  t.equal(domain('"Ann" <ann@example.com>'), 'example.com');
  // biome-ignore format: short texts read better in rows
  const wrong = [
    '', 'ann', '@example.com', 'ann@', 'a@good.example@evil.example', 'a@good.example,b@evil.example',
    'a@good.example;b@evil.example', 'a@good.example b@evil.example', 'a@good.example <b@evil.example>',
    '"a@good.example" <b@evil.example>', 'x@evil.example>, <a@good.example', '<a@good.example',
    'Ann <a@good.example> x', 'Ann, Bob <a@good.example>', '"a b"@good.example',
    'a@good.example\nBcc: b@evil.example', 'Ann\n<a@good.example>', 'a@[10.0.0.1]', 'a@good。example',
    'a@good..example', 'a(x)@good.example',
  ];
  for (const text of wrong) t.equal(domain(text), 'error: invalid_argument', JSON.stringify(text));
});

t.test('network functions stop when the budget is spent', async (t) => {
  const s = 'a'.repeat(500);
  for (const call of [
    'url(s)',
    'isURL(s)',
    'emailDomain(s)',
    'l.map(x, ip("1.2.3.4"))',
    'l.map(x, cidr("::/1"))',
    'l.map(x, c.containsIP("::"))',
    'l.map(x, c.containsCIDR("::/1"))',
    'l.map(x, a.isPrivate())',
    'l.map(x, ip.isCanonical("::"))',
  ])
    t.equal(
      evaluate(`cel.bind(c, cidr("::/0"), cel.bind(a, ip("::"), ${call}))`, {
        variables: { s: types.dyn, l: types.dyn },
        activation: { s, l: [...s] },
        steps: 400,
      }),
      'error: budget_spent',
      call,
    );
});
