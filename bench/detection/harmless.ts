import { Random } from './random.ts';

/** Words for prose: none of them is a name. */
const WORDS =
  'the service of a request and answer to in is that for it as was with on be by this from at which or an were are not have has will can after before while during report summary queue worker table index column value result release cache layer memory process thread signal event stream batch update change review merge branch deploy region cluster node storage network latency budget quarter target metric chart panel filter search page button window color light system design pattern library module package import export function return class method object array string number boolean'.split(
    ' ',
  );
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALNUM = `${UPPER}abcdefghijklmnopqrstuvwxyz0123456789`;
const BASE64 = `${ALNUM}+/`;

type Make = (r: Random) => unknown;

export const uuid = (r: Random): string =>
  `${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-${r.pick(['8', '9', 'a', 'b'])}${r.hex(3)}-${r.hex(12)}`;
const two = (r: Random, from: number, to: number): string => String(r.int(from, to)).padStart(2, '0');
const date = (r: Random): string => `20${two(r, 10, 26)}-${two(r, 1, 12)}-${two(r, 1, 28)}`;
const time = (r: Random): string => `${two(r, 0, 23)}:${two(r, 0, 59)}:${two(r, 0, 59)}`;
const iso = (r: Random): string =>
  `${date(r)}T${time(r)}${r.pick(['Z', '.123Z', '+02:00', `.${r.digits(6)}Z`])}`;
const version = (r: Random): string => `${r.int(0, 20)}.${r.int(0, 40)}.${r.int(0, 400)}`;
export const prose = (r: Random, words: number): string => {
  let out = '';
  for (let i = 0; i < words; i++) out += `${i === 0 ? '' : ' '}${r.pick(WORDS)}`;
  return `${out}.`;
};

function isbn(r: Random): string {
  const body = `978${r.digits(9)}`;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += Number(body[i]) * (i % 2 === 0 ? 1 : 3);
  const all = body + String((10 - (sum % 10)) % 10);
  return r.pick([all, `${all.slice(0, 3)}-${all[3]}-${all.slice(4, 8)}-${all.slice(8, 12)}-${all[12]}`]);
}

function code(r: Random): string {
  const [a, b, c] = [r.pick(WORDS), r.pick(WORDS), r.pick(WORDS)];
  return r.pick([
    `export function ${a}_${b}(${c}: string): number {\n  const ${b} = ${c}.length * ${r.int(1, 4096)};\n  return ${b} >> 0x${r.hex(4)};\n}\n`,
    `if (${a}.token !== '${b}') { throw new Error("${prose(r, 5)}"); } // see #${r.int(1, 9000)}\n`,
    `SELECT ${a}, ${b} FROM ${c} WHERE id = ${r.int(1, 1e6)} AND created_at > '${date(r)}';`,
    `import { ${a} } from '@scope/${b}@${version(r)}';\nconst password = getSecret('${c}');\nconst apiKey = process.env.API_KEY;\n`,
    `def ${a}(self, ${b}=None):\n    return {"${c}": ${r.int(0, 99)}, "size": [${r.int(0, 999)}, ${r.int(0, 999)}]}\n`,
    `#include <${a}.h>\nstd::vector<int> ${b} = {${Array.from({ length: 12 }, () => r.int(0, 99999)).join(', ')}};\n`,
    `.${a} { margin: ${r.int(0, 40)}px ${r.int(0, 40)}px; color: #${r.hex(6)}; }\n`,
  ]);
}

function log(r: Random): string {
  const level = r.pick(['INFO', 'WARN', 'DEBUG', 'ERROR']);
  return r.pick([
    `${iso(r)} ${level} [${r.pick(WORDS)}-${r.int(1, 64)}] request ${uuid(r)} took ${r.int(1, 9000)}ms status=${r.pick([200, 404, 500])} bytes=${r.int(100, 9e6)}`,
    `${iso(r)} ${level} commit ${r.hex(40)} pushed to ${r.pick(WORDS)}/${r.pick(WORDS)} in ${r.int(1, 900)} ms`,
    `[${date(r)} ${time(r)}] ${level} pid=${r.int(1000, 65000)} tid=0x${r.hex(12)} seq=${r.digits(10)} ${prose(r, 8)}`,
    `at Object.${r.pick(WORDS)} (/srv/app/node_modules/${r.pick(WORDS)}/dist/index.js:${r.int(1, 900)}:${r.int(1, 90)})`,
  ]);
}

/** What the records of a kind do hold: places are no harm there, and no mistake to find. */
export const HELD: Readonly<Record<string, string>> = { images: 'UNSCANNED', coordinates: 'COORDINATES' };

/** Kinds of harmless data, each with keys as services use them. */
export const MAKERS: Readonly<Record<string, Make>> = {
  uuids: (r) => ({ id: uuid(r), parent_id: uuid(r), trace_id: r.hex(32), span_id: r.hex(16) }),
  hashes: (r) => ({
    sha256: r.hex(64),
    md5: r.hex(32),
    commit: r.hex(40),
    etag: `"${r.hex(32)}"`,
    short: r.hex(7),
  }),
  timestamps: (r) => ({
    created_at: iso(r),
    ts: 1.6e12 + r.int(0, 2e11),
    epoch: 1.6e9 + r.int(0, 2e8),
    micros: `${1.6e9 + r.int(0, 2e8)}${r.digits(6)}`,
    day: date(r),
  }),
  coordinates: (r) => ({
    lat: (r.next() * 180 - 90).toFixed(6),
    lng: r.next() * 360 - 180,
    bbox: [r.next(), r.next(), r.next(), r.next()],
    at: `${(r.next() * 90).toFixed(4)}, ${(r.next() * 180).toFixed(4)}`,
  }),
  prices: (r) => ({
    price: r.int(1, 99999) / 100,
    total: `$${r.int(1, 999)},${r.digits(3)}.${r.digits(2)}`,
    currency: 'EUR',
    cents: r.int(100, 9999999),
    label: `${r.int(1, 99)}.${r.digits(3)}.${r.digits(3)},00`,
  }),
  versions: (r) => ({
    version: version(r),
    range: `>=${version(r)} <${version(r)}`,
    build: `${version(r)}.${r.int(1, 250)}`,
    tag: `v${version(r)}-rc.${r.int(1, 9)}`,
    agent: `Mozilla/5.0 (X11; Linux x86_64) Chrome/${r.int(90, 130)}.0.${r.int(4000, 6800)}.${r.int(1, 250)} Safari/537.36`,
  }),
  isbns: (r) => ({ isbn: isbn(r), title: prose(r, 4), pages: r.int(50, 900), ean: `40${r.digits(11)}` }),
  orders: (r) => ({
    order_id: r.pick([
      `ORD-${r.digits(8)}`,
      r.digits(10),
      r.digits(16),
      `${r.digits(3)}-${r.digits(7)}-${r.digits(7)}`,
    ]),
    tracking_number: `1Z${r.text(`${UPPER}0123456789`, 16)}`,
    invoice: `INV-20${two(r, 10, 26)}-${r.digits(6)}`,
    sku: `${r.text(UPPER, 3)}-${r.digits(5)}-${r.text(UPPER, 2)}`,
    quantity: r.int(1, 50),
  }),
  images: (r) => ({
    name: `${r.pick(WORDS)}.png`,
    width: r.int(1, 4096),
    data: `data:image/png;base64,iVBORw0KGgo${r.text(BASE64, 600)}==`,
    thumb: `/9j/4AAQSkZJRg${r.text(BASE64, 200)}=`,
  }),
  code: (r) => ({
    path: `src/${r.pick(WORDS)}/${r.pick(WORDS)}.ts`,
    line: r.int(1, 4000),
    content: code(r) + code(r),
  }),
  logs: (r) => ({ lines: [log(r), log(r), log(r)] }),
  text: (r) => ({ title: prose(r, 5), body: prose(r, 60), count: r.int(1, 9e6) }),
  counters: (r) => ({
    id: r.int(1, 9e8),
    user_id: r.int(1, 9e6),
    size_bytes: r.int(1, 2e9),
    duration_ms: r.int(1, 9e5),
    offset: r.digits(12),
    snowflake: `1${r.digits(18)}`,
    values: Array.from({ length: 20 }, () => r.int(0, 999)),
  }),
  urls: (r) => ({
    url: `https://www.example.org/${r.pick(WORDS)}/${r.digits(8)}?page=${r.int(1, 90)}&session=${r.hex(24)}#${r.pick(WORDS)}`,
    ref: `/api/v${r.int(1, 3)}/items/${r.digits(9)}`,
  }),
};

/** Harmless JSON documents until they have `bytes` characters together. */
export function* harmless(
  seed: number,
  bytes: number,
): Generator<{ kind: string; json: string; value: unknown }> {
  const r = new Random(seed);
  const kinds = Object.keys(MAKERS);
  for (let size = 0; size < bytes; ) {
    const kind = r.pick(kinds);
    const value = Array.from({ length: r.int(1, 5) }, () => MAKERS[kind]?.(r));
    const json = JSON.stringify(value);
    size += json.length;
    yield { kind, json, value: JSON.parse(json) };
  }
}
