import { createDetector, type Detector } from '../../src/detectors/index.ts';
import { ATTACKS } from './adversarial.ts';
import { harmless, prose } from './harmless.ts';
import { Random } from './random.ts';

/**
 * Mixed text as agents pass it on, by size: six tenths prose (mails, pages, notes) with something to find in every
 * tenth paragraph, the rest records, code, logs and encoded files of every kind of the harmless generator.
 */
export function mixed(seed: number, bytes: number): unknown {
  const r = new Random(seed);
  const parts: unknown[] = [];
  let size = 0;
  for (const { value, json } of harmless(seed, bytes)) {
    parts.push(value);
    size += json.length;
    if (size > bytes * 0.4) break;
  }
  for (let n = 0; size < bytes; n++) {
    const found = `Write to user${r.int(1, 99)}@example.com, call +1 415 555 0${r.digits(3)} or use 4111 1111 1111 1111.`;
    const text = `${prose(r, 60)} ${n % 10 === 0 ? found : ''} ${prose(r, 60)}`;
    parts.push({ subject: prose(r, 5), text });
    size += text.length + 60;
  }
  return JSON.parse(JSON.stringify(parts));
}

export const TOOL_CALL = {
  tool: 'crm.update_contact',
  arguments: {
    contact_id: 'c_8f14e45f',
    fields: { company: 'Example Works', city: 'Springfield', plan: 'team', seats: 25 },
    note: 'Asked to move the renewal to next quarter; send the new offer to jane@example.com and confirm the price.',
    dry_run: false,
  },
  meta: { agent: 'sales-assistant', step: 4, at: '2026-11-20T10:15:00Z' },
};

/** Milliseconds of one call, of the fastest of several rounds: what the code costs, not what the machine was busy with. */
function best(rounds: number, calls: number, run: () => void): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) fastest = Math.min(fastest, once(calls, run));
  return fastest;
}

function once(calls: number, run: () => void): number {
  const begun = performance.now();
  for (let i = 0; i < calls; i++) run();
  return (performance.now() - begun) / calls;
}

/** Runs until the compiler has seen enough of it. */
function warm(ms: number, run: () => void): void {
  for (const until = performance.now() + ms; performance.now() < until; ) run();
}

/** Bytes the value has as JSON in UTF-8. */
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** What the least anyone can do costs: a look at each character, and six patterns whose matches nobody checks. */
const SIX = [
  /[a-z0-9]@[a-z0-9-]+\.[a-z]/,
  /\d{3}-\d{2}-\d{4}/,
  /\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}/,
  /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/,
  /AKIA[0-9A-Z]{16}/,
  /[A-Z]{2}\d{2}[A-Z0-9]{11}/,
];

const FLOORS: Readonly<Record<string, (strings: readonly string[]) => number>> = {
  'charCodeAt only': (strings) => {
    let all = 0;
    for (const text of strings) for (let i = 0; i < text.length; i++) all |= text.charCodeAt(i);
    return all;
  },
  'six patterns, unchecked': (strings) => {
    let count = 0;
    for (const pattern of six) for (const text of strings) for (const _ of text.matchAll(pattern)) count++;
    return count;
  },
  'the six as one': (strings) => {
    let count = 0;
    for (const text of strings) for (const _ of text.matchAll(sixAsOne)) count++;
    return count;
  },
};
const six = SIX.map(({ source }) => new RegExp(source, 'g'));
const sixAsOne = new RegExp(SIX.map(({ source }) => source).join('|'), 'g');

/** Prints the speed on mixed text and on one tool call, and on crafted input how it grows from 10 to 20 KB. */
export function printSpeed(): void {
  const detector = createDetector();
  for (const [name, value, calls] of [
    ['1 MB mixed', mixed(7, 1_000_000), 1],
    ['100 KB mixed', mixed(8, 100_000), 5],
    ['tool call', TOOL_CALL, 1000],
  ] as const) {
    print(
      name,
      value,
      best(400, calls, () => detector.scan(value)),
    );
  }
  console.log('\nfor comparison, on the 1 MB');
  const value = mixed(7, 1_000_000);
  const strings = stringsOf(value);
  for (const [name, run] of Object.entries(FLOORS))
    print(
      name,
      value,
      best(40, 1, () => run(strings)),
    );
  printCrafted(detector);
}

function print(name: string, value: unknown, ms: number): void {
  const size = sizeOf(value);
  console.log(
    `${name.padEnd(24)} ${size} bytes ${(ms * 1000).toFixed(2)} µs ${(size / ms / 1000).toFixed(0)} MB/s`,
  );
}

/** The slowest first. The two sizes take turns, so that what disturbs one disturbs the other. */
function printCrafted(detector: Detector): void {
  console.log('\ncrafted input: MB/s, time of 20 KB by time of 10 KB');
  const rows = Object.entries(ATTACKS).map(([name, make]) => {
    const [half, whole, large] = [make(10_000), make(20_000), make(200_000)];
    warm(150, () => detector.scan(whole));
    const calls = Math.ceil(0.5 / best(3, 1, () => detector.scan(half)));
    let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 80; round++) {
      short = Math.min(
        short,
        once(calls, () => detector.scan(half)),
      );
      long = Math.min(
        long,
        once(calls, () => detector.scan(whole)),
      );
    }
    const ms = best(50, 1, () => detector.scan(large));
    return { name, growth: long / short, speed: sizeOf(large) / ms / 1000 };
  });
  rows.sort((x, y) => x.speed - y.speed);
  for (const { name, speed, growth } of rows)
    console.log(`${name.padEnd(30)} ${speed.toFixed(1).padStart(7)} ${growth.toFixed(2)}`);
}
