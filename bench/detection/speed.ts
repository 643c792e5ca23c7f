import { createDetector } from '../../src/detectors/index.ts';
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

/** Fastest of several rounds, in milliseconds for one call: what the code costs, not what the machine was busy with. */
function best(rounds: number, calls: number, run: () => void): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    for (let i = 0; i < calls; i++) run();
    fastest = Math.min(fastest, (performance.now() - begun) / calls);
  }
  return fastest;
}

/** Bytes the value has as JSON in UTF-8. */
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Prints the speed on mixed text, on one tool call, and on crafted input with how it grows from 10 to 20 KB. */
export function printSpeed(): void {
  const detector = createDetector();
  for (const [name, value, calls] of [
    ['1 MB mixed', mixed(7, 1_000_000), 4],
    ['100 KB mixed', mixed(8, 100_000), 40],
    ['tool call', TOOL_CALL, 20_000],
  ] as const) {
    const ms = best(30, calls, () => detector.scan(value));
    const speed = (sizeOf(value) / ms / 1000).toFixed(0);
    console.log(`${name.padEnd(14)} ${sizeOf(value)} bytes ${(ms * 1000).toFixed(2)} µs ${speed} MB/s`);
  }
  console.log('\ncrafted input: MB/s, time of 20 KB by time of 10 KB');
  const attacks = Object.entries(ATTACKS).map(([name, make]) => {
    const [half, whole, large] = [make(10_000), make(20_000), make(200_000)];
    best(3, 5, () => detector.scan(half));
    const growth = best(12, 3, () => detector.scan(whole)) / best(12, 3, () => detector.scan(half));
    return { name, growth, speed: sizeOf(large) / best(5, 1, () => detector.scan(large)) / 1000 };
  });
  attacks.sort((x, y) => x.speed - y.speed);
  for (const { name, speed, growth } of attacks)
    console.log(`${name.padEnd(30)} ${speed.toFixed(1).padStart(7)} ${growth.toFixed(2)}`);
}
