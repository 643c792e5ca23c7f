import { test } from 'tap';
import { type Case, expectCases } from './expect.ts';

const MAILS: readonly Case[] = [
  [
    '<jane@example.com>, mailto:jane@example.com',
    'EMAIL_ADDRESS=jane@example.com',
    'EMAIL_ADDRESS=jane@example.com',
  ],
  ['.jane@example.com. jane.@example.com @example.com', 'EMAIL_ADDRESS=jane@example.com'],
  ['jörg@münchen.de', 'EMAIL_ADDRESS=jörg@münchen.de'],
  ['a@xn--d1acufc.xn--p1ai', 'EMAIL_ADDRESS=a@xn--d1acufc.xn--p1ai'],
  ['jane@sub-1.example.co.uk', 'EMAIL_ADDRESS=jane@sub-1.example.co.uk'],
  ['jane@localhost icon@2x.png jane@example. a@b.c a@-x.com a@x-.com a@b.c1 pkg@1.2.3'],
  [`x@${'a'.repeat(300)}.com`],
  ['ana@firma.rs, ion@firma.md', 'EMAIL_ADDRESS=ana@firma.rs', 'EMAIL_ADDRESS=ion@firma.md'],
  ['<"jane doe"@example.com>', 'EMAIL_ADDRESS="jane doe"@example.com'],
  ['"@example.com and ""@example.com and "a\nb"@example.com'],
  ['件名: 名前@example.jp', 'EMAIL_ADDRESS=名前@example.jp'],
  ['git@github.com:org/repo.git'],
];

const HARDWARE: readonly Case[] = [
  [
    '00:11:22:33:44:55, aa-bb-cc-dd-ee-ff, aabb.ccdd.eeff, 0012.3456.789A',
    'MAC_ADDRESS=00:11:22:33:44:55',
    'MAC_ADDRESS=aa-bb-cc-dd-ee-ff',
    'MAC_ADDRESS=aabb.ccdd.eeff',
    'MAC_ADDRESS=0012.3456.789A',
  ],
  ['FF:FF:FF:FF:FF:FF 00:00:00:00:00:00 00:11:22:33:44:5g 00:11:22:33:44:55:66 xaa:bb:cc:dd:ee:ff'],
  ['12-34-56-78-90-12'],
  ['mac 12-34-56-78-90-12', 'MAC_ADDRESS=12-34-56-78-90-12'],
];

const IP6: readonly Case[] = [
  [
    '::1 fe80::1%eth0/64 2001:db8::/32',
    'IP_ADDRESS=::1',
    'IP_ADDRESS=fe80::1%eth0/64',
    'IP_ADDRESS=2001:db8::/32',
  ],
  ['2345:0425:2CA1:0000:0000:0567:5673:23b5', 'IP_ADDRESS=2345:0425:2CA1:0000:0000:0567:5673:23b5'],
  ['1234:5678:9012:3456:7890:1234:5678:9012', 'IP_ADDRESS=1234:5678:9012:3456:7890:1234:5678:9012'],
  [
    '::ffff:192.0.2.1 64:ff9b::198.51.100.1',
    'IP_ADDRESS=::ffff:192.0.2.1',
    'IP_ADDRESS=64:ff9b::198.51.100.1',
  ],
  ['[2001:db8::1]:8080, 2001:db8::2.', 'IP_ADDRESS=2001:db8::1', 'IP_ADDRESS=2001:db8::2'],
  ['std::cout a::b ::: 12:34:56 1:2:3:4 2001::db8::1 1::2:3:4:5:6:7:8:9 fe80::1text 12345:db8::1 cafe::babe'],
  ['::ffff:256.0.0.1x ::ffff:1.2.3x 1:2:3:4:5:6:7:8:9 2001:db8::1:z'],
  ['fe80:12345::1'],
  ['2001:db8::/9999', 'IP_ADDRESS=2001:db8::'],
];

const ACCOUNTS: readonly Case[] = [
  ['GB29NWBK60161331926819', 'IBAN_CODE=GB29NWBK60161331926819'],
  ['gb29 nwbk 6016 1331 9268 19', 'IBAN_CODE=gb29 nwbk 6016 1331 9268 19'],
  ['GB29\nNWBK\n6016\n1331\n9268\n19', 'IBAN_CODE=GB29\nNWBK\n6016\n1331\n9268\n19'],
  ['GB29-NWBK-6016-1331-9268-19', 'IBAN_CODE=GB29-NWBK-6016-1331-9268-19'],
  ['GB29nwbk60161331926819 GB29NWBK601613319268190 GB29NWBK60161331926818 XX29NWBK60161331926819'],
  ['GB29 NWBK-6016 1331 9268 19 GB29/NWBK GB29- GB29NWBK-60161331926819 GB29NW BK60161331926819'],
];

const CURRENCIES: readonly Case[] = [
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'CRYPTO=3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'CRYPTO=bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  [
    'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297',
    'CRYPTO=bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297',
  ],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdz bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdb'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'CRYPTO=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
  ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['wallet 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'CRYPTO=0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg and ltc1zzzzzzzzzzz99'],
  ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'CRYPTO=tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'CRYPTO=ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
  [
    'lta1qw508d6qejxtdg4y5r3zarvary ltcaqw508d6qejxtdg4y5r3zarvary bq1qw508d6qejxtdg4y5r3 bcaqw508d6qejxtdg4y5r3',
  ],
  [`3${'z'.repeat(34)}`],
  [
    '10Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLyzzz 1zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz9z',
  ],
];

const LOCATORS: readonly Case[] = [
  [
    'see https://example.com/a?b=1. Or http://[2001:db8::1]/x',
    'URL=https://example.com/a?b=1',
    'URL=http://[2001:db8::1]/x',
    'IP_ADDRESS=2001:db8::1',
  ],
  ['https://user@example.com/x', 'URL=https://user@example.com/x'],
  ['http://localhost:8080 c://x ://x a1+b-c://ex.am/ple', 'URL=a1+b-c://ex.am/ple'],
  ['mysql://root:pw@db:3306/x', 'CONNECTION_STRING=mysql://root:pw@db:3306/x'],
  [
    'redis://:pw@cache.local, postgres://a:{{pw}}@h.x amqp://a:<pw>@h.x ftp://a:%{pw}@h.x x://a:*@h.x',
    'CONNECTION_STRING=redis://:pw@cache.local',
    'URL=postgres://a:{{pw}}@h.x',
    'URL=ftp://a:%{pw}@h.x',
  ],
  [
    'redis://:authpassword@127.0.0.1:6380/4 redis://:password@localhost/1',
    'URL=redis://:authpassword@127.0.0.1:6380/4',
    'IP_ADDRESS=127.0.0.1',
  ],
  [
    'redis://:hunter2@localhost redis://:password@localhost.example.com',
    'CONNECTION_STRING=redis://:hunter2@localhost',
    'CONNECTION_STRING=redis://:password@localhost.example.com',
  ],
  ['as in `socket://user:pass@/var/run/pgsql`'],
];

test('finds e-mail addresses and leaves packages, files and remotes', async (t) => expectCases(t, MAILS));
test('finds hardware addresses in three forms', async (t) => expectCases(t, HARDWARE));
test('finds IPv6 addresses and no scopes, times or ratios', async (t) => expectCases(t, IP6));
test('finds accounts in one or in equal groups', async (t) => expectCases(t, ACCOUNTS));
test('finds addresses of currencies by their checksums', async (t) => expectCases(t, CURRENCIES));
test('finds URLs when switched on, and passwords in them always', async (t) => {
  expectCases(t, LOCATORS, { enabledTags: ['URL'] });
});
