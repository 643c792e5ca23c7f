import { test } from 'tap';
import { Random } from '../../bench/detection/random.ts';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const r = new Random(11);
const binary = (size: number): Buffer => Buffer.from(Uint8Array.from({ length: size }, () => r.int(0, 255)));
const tagsOf = (input: unknown): readonly string[] => detector.scan(input).tags;
const base64 = (size: number): string => binary(size).toString('base64');

test('encoded content that holds no text is reported and masked', async (t) => {
  const image = `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ${'AAAA'.repeat(20)}`;
  t.same(detector.scan({ image }).redacted(), { image: 'data:image/png;base64,[UNSCANNED]' });
  for (const content of [
    base64(300),
    `see ${base64(70)} there`,
    binary(300).toString('base64url'),
    base64(600).replace(/.{76}/g, '$&\n'),
    base64(600).replace(/.{64}/g, '$&\r\n  '),
    binary(90).toString('hex'),
    binary(90).toString('hex').toUpperCase(),
    `of ${binary(70).toString('hex')} there`,
    r.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 120),
    r.text('abcdefghijklmnopqrstuvwxyz0123456789', 90),
    Buffer.concat([Buffer.from('%PDF-1.7 a document'), binary(200)]).toString('base64'),
    Buffer.concat([Buffer.from('a document of words'), binary(200)]).toString('hex'),
    `-----BEGIN CERTIFICATE-----\n${base64(400).replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----`,
    binary(200).toString('latin1'),
    binary(200).toString('utf8'),
  ]) {
    t.same(tagsOf({ content }), ['UNSCANNED'], content.slice(0, 90));
    t.same(tagsOf(detector.scan({ content }).redacted()), [], 'nothing of it is left');
  }
  t.same(tagsOf({ content: binary(100).toJSON() }), ['UNSCANNED']);
  t.same(tagsOf({ content: Buffer.concat([Buffer.from('a document of words'), binary(100)]).toJSON() }), [
    'UNSCANNED',
  ]);
});

test('digests, identifiers, paths and code are no content', async (t) => {
  const uuid = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
  for (const input of [
    { sha512: binary(64).toString('hex') },
    { anything: binary(64).toString('base64') },
    { text: `integrity sha512-${base64(64)} sha1-${base64(20)}` },
    { text: `"integrity": "sha512-${base64(64)}",\n"integrity": "sha512-${base64(64)}"` },
    { text: `sha512: ${binary(64).toString('hex')} and md5 ${binary(16).toString('hex')}` },
    { text: `${binary(64).toString('hex')}  release.tar.gz\n${binary(64).toString('hex')}  notes.txt` },
    { text: `checksum=${binary(48).toString('hex')};` },
    { commit: binary(20).toString('hex') },
    { text: `${uuid},${uuid} ${uuid}-${uuid}_${uuid}` },
    {
      path: '/usr/local/lib/node_modules/SomePackage2/dist/Something3/another/long/path/with/Many7/segments/index',
    },
    { text: 'GATTACA'.repeat(30) },
    {
      Try_npm_i_save_dev_types_Slash_1_if_it_exists_or_add_a_new_declaration_d_ts_file_containing_declare__7035:
        'Module_0_does_not_refer_to_a_type_but_is_used_as_a_type_here_Did_you_mean_typeof_import_0_1340',
    },
    { text: 'getUserAccountInformationFromTheDatabaseAndUpdateItIfNecessaryVersion2WithRetries' },
    { text: 'this-is-a-long-slug-of-an-article-about-2026-and-what-will-happen-in-2027-for-all' },
    { text: '12345678901234567890'.repeat(10) },
    {
      text: '!function(e,t){var n=t(1),r=e[0x1f];return"use strict",n.map(function(e){return e*2})}'.repeat(
        9,
      ),
    },
    { values: Array.from({ length: 200 }, (_, i) => i % 256) },
    { data: Array.from({ length: 200 }, (_, i) => i % 90) },
    { text: '[31mred[0m '.repeat(40) },
    { image: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' },
    { text: base64(45) },
  ]) {
    t.same(tagsOf(input), [], JSON.stringify(input).slice(0, 90));
  }
});

test('content that decodes to text is scanned, not reported', async (t) => {
  const text = 'the words of a longer document, with nothing in it that anybody would look for';
  const wide = Buffer.from(text, 'utf16le');
  for (const content of [
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('hex'),
    Buffer.from(`${text} — «été» 漢字 😀 ${text}`).toString('base64'),
    Buffer.from(`${text} été à la`, 'latin1').toString('base64'),
    wide.toString('base64'),
    Buffer.concat([Buffer.from([0xff, 0xfe]), wide]).toString('base64'),
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()]).toString('base64'),
    Buffer.from(text).toString('base64').replace(/.{60}/g, '$&\n'),
    [...Buffer.from(text)].join(', '),
    Buffer.from(text).toJSON(),
  ]) {
    t.same(tagsOf({ content }), [], JSON.stringify(content));
  }
});

test('a tag that says more takes the place of unscanned content', async (t) => {
  t.same(
    tagsOf({ text: `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${binary(256).toString('base64url')}` }),
    ['CREDENTIALS', 'JWT'],
  );
  t.same(tagsOf({ password: base64(66) }), ['CREDENTIALS', 'PASSWORD']);
});

test('what is encoded more often than it is decoded is reported', async (t) => {
  let text = 'mail jane.doe@example.com';
  const tags: (readonly string[])[] = [];
  for (let times = 1; times <= 4; times++) {
    text = Buffer.from(text).toString('base64');
    tags.push(tagsOf({ text }));
  }
  const mail = ['PII', 'EMAIL_ADDRESS'];
  t.same(tags, [mail, mail, mail, ['UNSCANNED']]);
});

test('escapes are undone five times, and what is escaped more often is reported', async (t) => {
  let text = 'jane.doe@example.com';
  const tags: (readonly string[])[] = [];
  text = text.replaceAll('@', '%40');
  for (let times = 1; times <= 7; times++) {
    tags.push(tagsOf({ text }));
    text = text.replaceAll('%', '%25');
  }
  const mail = ['PII', 'EMAIL_ADDRESS'];
  t.same(tags, [mail, mail, mail, mail, mail, mail, ['UNSCANNED']]);
});

test('encoded content is read to its limit, and the rest reported', async (t) => {
  const beyond = Buffer.from(`${'word '.repeat(700_000)} jane.doe@example.com`).toString('base64');
  t.same(tagsOf({ beyond }), ['UNSCANNED']);
});

test('what only looks like a digest is read', async (t) => {
  const text = Buffer.from('write to jane.doe@example.com about it, or to bob'.padEnd(64, '.')).toString(
    'base64',
  );
  t.same(tagsOf(`sha512-${text}`), ['PII', 'EMAIL_ADDRESS']);
  const key = 'AKIAQ3EGRXVNLZ7T2MPD';
  const rest = base64(64)
    .replace(/[+/]/g, 'x')
    .slice(2 + key.length + 1);
  const redacted = (value: string): unknown => detector.scan(value).redacted();
  t.match(redacted(`sha512-${key}/xx${rest}`), /^sha512-\[AWS_ACCESS_KEY\]\/xx/, 'a key where it begins');
  t.match(redacted(`sha512-q/${key}/${rest}x`), /sha512-q\/\[AWS_ACCESS_KEY\]/, 'a key within it');
  const [before, after] = [base64(64).slice(0, 40), base64(64).slice(0, 20)];
  t.match(
    redacted(`sha512-${before} jane@example.com ${after.padEnd(86 - 40 - 18, 'x')}==`),
    /\[EMAIL_ADDRESS\]/,
  );
});
