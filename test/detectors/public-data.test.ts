import { generateKeyPairSync, sign } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const tagsOf = (input: unknown): readonly string[] => detector.scan(input).tags;
const bytes = (size: number, seed = 1): Buffer =>
  Buffer.from(
    Uint8Array.from({ length: size }, (_, i) => (Math.imul(i + 7 * seed, 2_654_435_761) >>> 13) & 255),
  );

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const spki = rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const jwk = rsa.publicKey.export({ format: 'jwk' });

function field(data: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  return Buffer.concat([size, data]);
}

const modulus = Buffer.concat([Buffer.alloc(1), Buffer.from(jwk.n as string, 'base64url')]);
const ssh = Buffer.concat([
  field(Buffer.from('ssh-rsa')),
  field(Buffer.from([1, 0, 1])),
  field(modulus),
]).toString('base64');
const descriptor = Buffer.concat([
  Buffer.from([0x0a, 25]),
  Buffer.from('google/type/interval.proto'.slice(0, 25).replace(/.{6}$/, '.proto')),
  bytes(200),
]).toString('base64');

test('keys and certificates that are public, descriptors and links of services are not reported as unread', async (t) => {
  const certificates = rootCertificates.slice(0, 20);
  for (const input of [
    ...certificates.map((pem) => ({ pem })),
    ...certificates.map((pem) => ({ text: JSON.stringify({ cert: pem, other: 1 }) })),
    ...certificates.map((pem) => ({ x5c: [pem.replace(/-----.*?-----|\n/g, '')] })),
    { pem: rsa.publicKey.export({ type: 'spki', format: 'pem' }) },
    {
      kubeconfig: `certificate-authority-data: ${Buffer.from(certificates[0] as string).toString('base64')}`,
    },
    { key: spki },
    { jwks: { keys: [{ ...jwk, kid: 'a1', use: 'sig' }] } },
    { text: JSON.stringify({ keys: [jwk] }) },
    { text: JSON.stringify({ keys: [jwk] }, null, 2) },
    { authorized_keys: `ssh-rsa ${ssh} deploy\n` },
    { text: `fileDesc("${descriptor}")` },
    { image: `https://lh3.googleusercontent.com/${bytes(150).toString('base64url')}=w240-h480-rw` },
    { link: `https://www.typescriptlang.org/play?#code/${bytes(150, 3).toString('base64url')}` },
  ])
    t.same(tagsOf(input), [], JSON.stringify(input).slice(0, 120));
});

test('a modulus is public whatever its letters', async (t) => {
  // One begins with a hyphen, in another the last letters are no random word, the first letters of the third decode to a text.
  for (const n of [
    `-6L_tyiDbYjk9p_Sjupk1abE-gpDAAMh7C8LvxtXDTnhvcv8V1orgD50It0y759NqeUG1LIx92I1pYm3A55YRpqIprq1bj86zSI0Y_mZhnSBE19kJaJwKocrm3zVNRvSCi5VgeB6RDVb75IbVE5ObinD2mxxBGJGHyRvZ0gTPoFw90iDIoYzx90P7r7s4bpC0389xs6Z-nCPy7PbbJBPHgkaJfncb9Ar_0tQvsXyOSuYTksdzjz3mlT_Z0cG1IpgBU_W-Vo_aXMom6l7ULTo1_f_AMuzyVGmezxB5i3_oSvUJ-PwrBOqg4H49AY3WlwHB3ed5oDvwQypRlne0KcXjQ`,
    `3nnXKTxSOdHUbrhx3w1pdnz4SMdVmYpPEgGwfaLHvdPaw6Qvfq-tS_sbZPsUHA4jIS2t9TqUWPc3wtFIVV-ilyZ6xEUYafBrgH6Ur6U5Htk2oHOOqOeHz49XyLk9qQIdQYPxKhfQtZAUw_zmvQB62yjuC_XvX9xlL3ZMVeCGZvHJzJBSbUz2IsaQJSxTyHMH0QBdkky6RilttbR63hIkb55oTF3E_absocrYqZ-n3td8TCHN3gd5Clz6D2f1RZK5SF5t_MN60XjcZP0P1rV4oXWZ60e6FGK1-9C9yUo-NOnk3W6y8-SFKmvzjKyjl1czngZn-g7iL66nqDhDyl1vzQ`,
    `wpIJRcRuZvxzqzzJw30za9Zt1Igfaj4lCRtJq-qu5NXMr9Neseji12Uk-m2QvHfw9Q-rarbBqcbiUfMTmb6N_5wC-P8ifrDUO45s4ik4p8n3IpHqrvZdF6z9nmgXSC0IoPmpn7pQFbmEsBp7TpHel58GdVi3KFwEK4ySlrtvgP0MpXEI3iwQ-GcCEIq8Hg7WvGYOTk0sI59V1fM2765rq1facyX88FzFfpCvhu-BMUSGLkkCl3yu9_BUF_PZLfjnUoL8xO8Ay8kGKmTHXVK3tWUnjslXXpW9bilrgnVcFMhJwrf-c_5d9fKWWqeqT7uDFEnAICWcgTbTcyRi_Vl7sw`,
  ])
    for (const input of [{ keys: [{ ...jwk, n }] }, { text: JSON.stringify({ keys: [{ ...jwk, n }] }) }])
      t.same(tagsOf(input), [], n.slice(0, 12));
});

test('data that only begins like something public is reported', async (t) => {
  const data = bytes(300, 5).toString('base64');
  for (const input of [
    { text: `-----BEGIN CERTIFICATE-----\n${data.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----` },
    { authorized_keys: `ssh-rsa AAAAB3NzaC1yc2E${data} deploy` },
    { key: `MIIBIjANBgkq${data}` },
    { n: bytes(256, 9).toString('base64url') },
    { image: `https://evil.example/lh3.googleusercontent.com/${bytes(150).toString('base64url')}` },
    { image: `https://notgoogleusercontent.com/${bytes(150).toString('base64url')}` },
  ])
    t.same(tagsOf(input), ['UNSCANNED'], JSON.stringify(input).slice(0, 120));
});

test('the user of a URL is no address of mail, and a token there is a credential', async (t) => {
  const token = 'q7zk2mwx9rtlp4vb8ncyq7zk2mwx9rtlp4vb8ncyq7zk2mwx9rta';
  t.same(tagsOf({ url: 'https://acme@dev.azure.com/acme/shop/_git/shop' }), []);
  t.same(tagsOf({ cmd: 'git clone https://jdoe@git.acme.io/shop.git' }), []);
  t.same(tagsOf({ cmd: `git clone https://${token}@dev.azure.com/acme/_git/shop` }), [
    'CREDENTIALS',
    'API_KEY',
  ]);
  t.same(tagsOf({ text: 'mailto:jdoe@acme.io' }), ['PII', 'EMAIL_ADDRESS']);
});

const SIGNATURE = `-----BEGIN PGP SIGNATURE-----

iD8DBQFG03voRhp6o4m9dFsRApSZAKCCAN3IkJlVRg6NvAiMHlvvIuMGPQCeMR0f
t0sGBPCBAmGvSSrIC4Gk9Cc=
=kzUj
-----END PGP SIGNATURE-----`;

test('a signature of OpenPGP is public, and what only begins like one is not', async (t) => {
  t.same(detector.scan({ text: SIGNATURE }).tags, []);
  const longer = SIGNATURE.replace('t0sGBPC', `${'t0sGBPCBAmGvSSrIC4Gk9C'.repeat(4)}t0sGBPC`);
  t.same(detector.scan({ text: longer }).tags, ['UNSCANNED']);
});

test('text in base64 is read where a part of a file begins in the middle of it', async (t) => {
  const whole = Buffer.from(`the card 4111 1111 1111 1111 is mine, ${'and so on '.repeat(12)}`).toString(
    'base64',
  );
  for (const cut of [0, 1, 2, 3])
    t.same(
      detector.scan({ text: whole.slice(cut) }).counts,
      [{ type: 'CREDIT_CARD', count: 1 }],
      String(cut),
    );
});

test('base64 in a URL is read without its escapes, whole', async (t) => {
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M52~>?.6 5"/>'.repeat(9)}</svg>`,
  );
  const escaped = svg.toString('base64').replaceAll('+', '%2B').replaceAll('/', '%2F');
  t.ok(escaped.includes('%2'));
  t.same(
    detector.scan({ text: `https://img.shields.io/badge?logo=data:image/svg;base64,${escaped}` }).tags,
    [],
  );
  t.same(detector.scan({ text: `see ${escaped}` }).tags, []);
  // bytes that decode to no text are still reported, however many signs are escapes
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, k) => (k * k * 31 + k * 7 + 129) & 255));
  const unread = bytes.toString('base64').replaceAll('+', '%2B').replaceAll('/', '%2F');
  t.same(detector.scan({ text: `see ${unread}%2B` }).tags, ['UNSCANNED']);
});

test('text in another encoding is no binary data, and a long name in code is no encoded data', async (t) => {
  const korean = new TextDecoder().decode(Uint8Array.from({ length: 400 }, (_, k) => 0xb0 + (k % 25)));
  t.same(detector.scan({ text: `Python ${korean}` }).tags, []);
  t.same(detector.scan({ text: `PK\u0003\u0004${'\ufffd\u0001\u0002k'.repeat(40)}` }).tags, ['UNSCANNED']);
  const name =
    'Parameter_0_of_public_static_method_from_exported_class_has_or_is_using_name_1_from_external_module';
  t.same(detector.scan({ text: name }).tags, []);
});

test('the name of a member in code is no person', async (t) => {
  for (const value of ['SerialNumber', 'RoleName', 'AccessKeyId'])
    t.same(detector.scan({ text: `{ "memberName": "${value}" }` }).tags, [], value);
  t.same(detector.scan({ memberName: 'Jane Doe', dob: '' }).tags, ['PII', 'PERSON']);
});

test('a place in a list and an id are no unread content, up to 512 characters right behind their name', async (t) => {
  const cursor = bytes(190, 9).toString('base64');
  for (const input of [
    { scroll_id: cursor },
    { nextPageToken: cursor.replaceAll('+', '-').replaceAll('/', '_') },
    { hits: [{ cursor }] },
    { text: `"next_cursor": "${cursor}"` },
    { text: JSON.stringify({ text: JSON.stringify({ _scroll_id: cursor }) }) },
    { text: `GET /v1/files?pageToken=${cursor.replaceAll('+', '%2B')}&pageSize=5` },
    { text: `go on where the cursor is ${cursor}` },
    { text: `aws logs get-log-events --starting-token ${cursor}` },
    { text: `continuation token: ${cursor}` },
    { text: `page token "${cursor}"` },
    { cursor: `v2:${cursor}` },
    { attachmentId: cursor },
    { upload_id: cursor },
    { owner: { ID: bytes(60, 3).toString('hex') } },
    { text: `{"archiveId": "${cursor}"}` },
    { text: `curl 'https://example.com/parts?upload_id=${cursor}'` },
    { cursor: bytes(60, 3).toString('hex') },
    { text: `next_cursor=${bytes(60, 3).toString('hex')}` },
  ])
    t.same(tagsOf(input), [], JSON.stringify(input).slice(0, 90));
  for (const input of [
    { cursor: bytes(600, 9).toString('base64') },
    { cursors: cursor },
    { sessionId: cursor },
    { paid: cursor },
    { text: `the id ${cursor} of it` },
    { text: `uploadId${cursor}` },
    { text: `the cursor is at ${cursor}` },
    { text: `cursor: 7, data: ${cursor}` },
    { cursor: 'a', data: cursor },
  ])
    t.same(tagsOf(input), ['UNSCANNED'], JSON.stringify(input).slice(0, 90));
  const mail = Buffer.from(`write to jane.doe@example.com about ${'it '.repeat(9)}`).toString('base64');
  t.same(tagsOf({ cursor: mail }), ['PII', 'EMAIL_ADDRESS'], 'a cursor that is text is read');
  t.same(tagsOf({ text: `session token: ${cursor}` }), ['CREDENTIALS', 'API_KEY']);
});

test('signatures and the keys that verify them are public', async (t) => {
  for (const namedCurve of ['P-256', 'P-384', 'P-521']) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve });
    const signature = sign('sha256', Buffer.from('a text'), privateKey).toString('base64');
    t.same(tagsOf({ bundle: { signedTimestamp: signature } }), [], namedCurve);
    t.same(tagsOf({ text: `verified by ${signature} of today` }), [], namedCurve);
  }
  const [key, proof] = [bytes(65, 4).toString('base64url'), bytes(64, 5).toString('base64')];
  t.same(tagsOf({ text: `{"publicKey":"${key}","rest":1}` }), []);
  t.same(tagsOf({ text: `subscription p256dh=${key} of a browser` }), []);
  t.same(tagsOf({ text: `untrusted comment: signature ${proof} of a file` }), []);
  t.same(tagsOf({ text: `what is sent with it: ${proof} of a file` }), ['UNSCANNED']);
  const other = Buffer.concat([Buffer.from([0x30, 98, 2, 20]), bytes(96, 6)]).toString('base64');
  t.same(tagsOf({ text: `what is sent with it: ${other} of a file` }), ['UNSCANNED'], 'no two numbers');
});
