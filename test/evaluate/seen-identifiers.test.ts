import t from 'tap';
import { sightingsText } from '../../src/evaluate/sightings.ts';
import { SeenIdentifiers } from '../../src/evaluate/sqlite/seen-identifiers.ts';
import type { Sighting } from '../../src/schemas/sightings.ts';
import { createRandom } from '../durability/random.ts';

const listOf = (seq: number): Sighting[] => [
  {
    seq,
    tool: `tool ä ${seq}`,
    phase: 'ACTION',
    labels: seq % 3 === 0 ? ['L'] : [],
    whole: seq % 2 === 0,
    field: seq % 2 === 0 ? `field ${seq % 5}` : '',
  },
];

t.test('every digest has what was said of it last, also after its bytes were read again', async (t) => {
  const random = createRandom(7);
  const model = new Map<string, Sighting[]>();
  const rows: Buffer[] = [];
  let seen = new SeenIdentifiers([], null);
  const readAgain = (): SeenIdentifiers => {
    for (const { block, bytes } of seen.takeFull()) {
      t.equal(block, rows.length);
      rows.push(Buffer.from(bytes));
    }
    const open = seen.open;
    return new SeenIdentifiers(rows, open && Buffer.from(open));
  };
  for (let step = 0; step < 1_500; step++) {
    const digests = Array.from({ length: 1 + random.below(4) }, () => `digest-${random.below(2_500)}`);
    seen.add([...new Set(digests)], sightingsText(listOf(step)));
    for (const digest of digests) model.set(digest, listOf(step));
    if (random.below(40) === 0) seen = readAgain();
    const one = `digest-${random.below(2_500)}`;
    t.strictSame(seen.find(one), model.get(one) ?? null);
    if (seen.has(one) !== model.has(one)) t.fail(`${one} was seen, or was not`);
  }
  seen = readAgain();
  t.equal(seen.blockCount, rows.length);
  t.ok(rows.length > 50, 'many blocks became full');
  const all = [...seen.all()];
  t.equal(all.length, model.size, 'each digest is listed once');
  for (const { digest, sightings } of all) t.strictSame(sightings, model.get(digest));
});

t.test(
  'what is written of a block that is not full stays small, however much a session has seen',
  async (t) => {
    const seen = new SeenIdentifiers([], null);
    let most = 0;
    for (let step = 0; step < 5_000; step++) {
      seen.add([`digest-${step}`], sightingsText(listOf(step)));
      most = Math.max(most, seen.open?.length ?? 0);
    }
    t.ok(most < 1_024);
  },
);

t.test('bytes that were cut are an error: what was forgotten must not look new', async (t) => {
  const seen = new SeenIdentifiers([], null);
  seen.add(['one', 'two'], sightingsText(listOf(1)));
  const open = seen.open as Buffer;
  for (let length = 1; length < open.length; length++)
    t.throws(() => new SeenIdentifiers([], open.subarray(0, length)).find('two'), `${length} bytes`);
});
