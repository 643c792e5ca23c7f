import { Random } from './random.ts';

const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const SERVICES =
  'adafruit airtable algolia asana beamer codecov coinbase confluent datadog dropbox etsy fastly finnhub freshbooks heroku intercom kraken lob mailgun mattermost netlify okta plaid rapidapi sendbird sentry snyk sumologic travisci trello twitch zendesk'.split(
    ' ',
  );
const NAMES = [
  'api_key',
  'token',
  'secret',
  'access_token',
  'api_token',
  'client_secret',
  'secret_key',
  'auth_token',
];
const VALUES: readonly ((r: Random) => string)[] = [
  (r) => r.hex(32),
  (r) => r.hex(64),
  (r) => r.text(ALNUM, 32),
  (r) => r.text(ALNUM, 16),
  (r) => r.text(LOWER, 20),
  (r) => r.text(UPPER, 26),
  (r) => `${r.text(ALNUM, 43)}=`,
  (r) => `${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-8${r.hex(3)}-${r.hex(12)}`,
];
const FORMS: readonly ((key: string, value: string) => string)[] = [
  (k, v) => `${k} = "${v}"`,
  (k, v) => `${k}: ${v}`,
  (k, v) => `export ${k.toUpperCase()}=${v}`,
  (k, v) => JSON.stringify({ [k]: v }),
  (k, v) => `${k} => '${v}'`,
  (k, v) => `<${k}>${v}</${k}>`,
  (k, v) => `tool --${k.replaceAll('_', '-')} ${v}`,
];
const PREFIXED: readonly ((r: Random) => string)[] = [
  (r) => `AKIA${r.text(UPPER, 16)}`,
  (r) => `ghp_${r.text(ALNUM, 36)}`,
  (r) => `glpat-${r.text(ALNUM, 20)}`,
  (r) => `xoxb-${r.digits(12)}-${r.digits(12)}-${r.text(ALNUM, 24)}`,
  (r) => `sk_live_${r.text(ALNUM, 24)}`,
  (r) => `sk-${r.text(ALNUM, 20)}T3BlbkFJ${r.text(ALNUM, 20)}`,
  (r) => `sk-ant-api03-${r.text(ALNUM, 93)}AA`,
  (r) => `AIza${r.text(ALNUM, 35)}`,
  (r) => `npm_${r.text(ALNUM, 36)}`,
  (r) => `hf_${r.text(ALNUM, 34)}`,
  (r) => `SG.${r.text(ALNUM, 22)}.${r.text(ALNUM, 43)}`,
  (r) => `SK${r.hex(32)}`,
  (r) => `shpat_${r.hex(32)}`,
  (r) => `dop_v1_${r.hex(64)}`,
  (r) => `hvs.${r.text(ALNUM, 95)}`,
  (r) => `postgres://app:${r.text(ALNUM, 12)}@db.internal:5432/main`,
  (r) => `-----BEGIN RSA PRIVATE KEY-----\n${r.text(ALNUM, 64)}\n-----END RSA PRIVATE KEY-----`,
];
const NEAR: readonly ((r: Random) => string)[] = [
  (r) => `AKIA${r.text(UPPER, 12)}`,
  (r) => `ghp_${r.text(ALNUM, 30)}`,
  () => `ghp_${'x'.repeat(36)}`,
  () => 'api_key = "your_api_key_here"',
  () => 'secret = os.environ["SECRET"]',
  () => 'const apiKey = getApiKey(config)',
  () => '"password": "********"',
  (r) => `public_key: ${r.hex(32)}`,
  (r) => `commit ${r.hex(40)}`,
  (r) => `next_page_token=${r.text(ALNUM, 24)}`,
  (r) => `"max_tokens": ${r.int(100, 9000)}`,
  () => 'token: string; secret?: Buffer',
  (r) => `integrity sha512-${r.text(ALNUM, 86)}==`,
  (r) => `<primary_key>${r.hex(24)}</primary_key>`,
  (r) => `-----BEGIN PUBLIC KEY-----\n${r.text(ALNUM, 64)}\n-----END PUBLIC KEY-----`,
];

/** Made-up credentials in the ways they are written, and texts that only resemble them. */
export function secretSamples(seed: number, each: number): { kind: string; text: string; secret: boolean }[] {
  const r = new Random(seed);
  const samples: { kind: string; text: string; secret: boolean }[] = [];
  for (let i = 0; i < each; i++) {
    for (const service of SERVICES) {
      const text = r.pick(FORMS)(`${service}_${r.pick(NAMES)}`, r.pick(VALUES)(r));
      samples.push({ kind: 'by label', text, secret: true });
    }
    for (const make of PREFIXED)
      samples.push({ kind: 'by prefix', text: `use ${make(r)} now`, secret: true });
    for (const make of NEAR) samples.push({ kind: 'near miss', text: make(r), secret: false });
  }
  return samples;
}
