import { createDetector } from '../../src/detectors/index.ts';
import { harmless, prose } from './harmless.ts';
import { Random } from './random.ts';

/** Mixed text as tools return it: prose, records and some values to find. */
export function mixed(seed: number, bytes: number): unknown {
  const r = new Random(seed);
  const parts: unknown[] = [];
  let size = 0;
  for (const { value, json } of harmless(seed, bytes)) {
    parts.push(value);
    size += json.length;
    if (size > bytes * 0.6) break;
  }
  while (size < bytes) {
    const note = `${prose(r, 30)} ${r.pick(['Write to', 'Ask'])} user${r.int(1, 99)}@example.com or call +1 415 555 0${r.digits(3)}. ${prose(r, 30)}`;
    parts.push({ note, card: '4111 1111 1111 1111' });
    size += note.length + 40;
  }
  return parts;
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

export function printSpeed(): void {
  const detector = createDetector();
  const size = (value: unknown): number => JSON.stringify(value).length;
  for (const [name, value, calls] of [
    ['1 MB mixed', mixed(7, 1_000_000), 4],
    ['100 KB mixed', mixed(8, 100_000), 40],
    ['tool call', TOOL_CALL, 20_000],
  ] as const) {
    const ms = best(30, calls, () => detector.scan(value));
    console.log(
      `${name.padEnd(14)} ${size(value)} bytes ${(ms * 1000).toFixed(2)} µs ${(size(value) / ms / 1000).toFixed(0)} MB/s`,
    );
  }
}
