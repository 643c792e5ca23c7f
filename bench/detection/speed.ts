import { createDetector, type Detector } from '../../src/detectors/index.ts';
import { ATTACKS } from './adversarial.ts';
import { FLOORS, stringsOf } from './floors.ts';
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

/** Times each row is come back to: others keep the machine busy for seconds, and what is measured anew later is spared. */
const PASSES = 4;

interface Row {
  name: string;
  value: unknown;
  /** Calls of one round. */
  calls: number;
  rounds: number;
  run(): void;
}

/** Prints the speed on mixed text and on one tool call, and on crafted input how it grows from 10 to 20 KB. */
export function printSpeed(): void {
  const detector = createDetector();
  const large = mixed(7, 1_000_000);
  const strings = stringsOf(large);
  const scans = (
    [
      ['1 MB mixed', large, 1],
      ['100 KB mixed', mixed(8, 100_000), 5],
      ['tool call', TOOL_CALL, 1000],
    ] as const
  ).map(([name, value, calls]) => ({ name, value, calls, rounds: 100, run: () => detector.scan(value) }));
  const floors = Object.entries(FLOORS).map(([name, run]) => {
    return { name, value: large, calls: 1, rounds: 10, run: () => run(strings) };
  });
  const times = fastest([...scans, ...floors]);
  for (const row of scans) print(row, times);
  console.log('\nfor comparison, on the 1 MB');
  for (const row of floors) print(row, times);
  printCrafted(detector);
}

/** Milliseconds of one call of each row. */
function fastest(rows: readonly Row[]): ReadonlyMap<Row, number> {
  const times = new Map<Row, number>();
  for (let pass = 0; pass < PASSES; pass++) {
    for (const row of rows) {
      const ms = best(row.rounds, row.calls, row.run);
      times.set(row, Math.min(times.get(row) ?? ms, ms));
    }
  }
  return times;
}

function print(row: Row, times: ReadonlyMap<Row, number>): void {
  const { name, value } = row;
  const ms = times.get(row) ?? Number.NaN;
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
    const never = Number.POSITIVE_INFINITY;
    return { name, half, whole, large, short: never, long: never, ms: never };
  });
  for (let pass = 0; pass < PASSES; pass++) {
    for (const row of rows) {
      warm(40, () => detector.scan(row.whole));
      const calls = Math.ceil(0.5 / best(3, 1, () => detector.scan(row.half)));
      for (let round = 0; round < 40; round++) {
        row.short = Math.min(
          row.short,
          once(calls, () => detector.scan(row.half)),
        );
        row.long = Math.min(
          row.long,
          once(calls, () => detector.scan(row.whole)),
        );
      }
      row.ms = Math.min(
        row.ms,
        best(12, 1, () => detector.scan(row.large)),
      );
    }
  }
  const speeds = rows.map(({ name, large, short, long, ms }) => {
    return { name, growth: long / short, speed: sizeOf(large) / ms / 1000 };
  });
  speeds.sort((x, y) => x.speed - y.speed);
  for (const { name, speed, growth } of speeds)
    console.log(`${name.padEnd(30)} ${speed.toFixed(1).padStart(7)} ${growth.toFixed(2)}`);
}
