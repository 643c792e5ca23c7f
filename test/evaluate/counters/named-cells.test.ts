import t from 'tap';
import { CellReader, CellWriter } from '../../../src/evaluate/counters/encoding.ts';
import {
  type KeptCell,
  keyBytes,
  NamedCells,
  readKept,
  writeKept,
} from '../../../src/evaluate/counters/named-cells.ts';
import { Random } from '../../cel/fuzz/random.ts';

const slot = 600_000;
const keyOf = (place: number): string =>
  // Many keys begin alike: the first bytes alone must not decide.
  `${String.fromCharCode(place % 3, 255, 0, 128)}${String(place).padStart(keyBytes - 4, '\xff')}`;

t.test('cells are what a map of them would be, in the bytes that are stored', async (t) => {
  const random = new Random(11);
  const writer = new CellWriter();
  const bytesOf = (model: Map<string, KeptCell>): Buffer => {
    writer.begin();
    for (const [key, kept] of model) {
      writer.latin1(key);
      writeKept(writer, kept);
    }
    return Buffer.from(writer.view());
  };
  const cellOf = (): KeptCell => {
    const slices: number[] = [];
    for (let left = random.below(4); left > 0; left--)
      slices.push(slices.length + random.below(2), random.pick([1, 127, 0.5, 2 ** 40]));
    return {
      cell: { slices, latest: random.below(1_000), overflow: null, resets: random.below(300) },
      endsAt: random.pick([null, slot * random.below(200), slot * 1e6]),
    };
  };
  for (let round = 0; round < 30; round++) {
    const model = new Map<string, KeptCell>();
    let cells = new NamedCells();
    for (let step = 0; step < 400; step++) {
      const key = keyOf(random.below(60));
      const found = cells.find(key);
      const expected = model.get(key) ?? null;
      if (JSON.stringify(found) !== JSON.stringify(expected)) t.strictSame(found, expected);
      if (cells.has(key) !== model.has(key)) t.fail('a cell is there that is not, or is not');
      const kept = cellOf();
      cells.set(key, kept);
      model.set(key, kept);
      if (random.below(20) === 0) {
        const at = slot * random.below(200);
        cells.removeEnded(at);
        for (const [name, { endsAt }] of model) if (endsAt !== null && endsAt <= at) model.delete(name);
      }
      const ends = [...model.values()].map(({ endsAt }) => endsAt);
      const last = ends.includes(null) ? null : Math.max(0, ...(ends as number[]));
      if (cells.lastEnd !== last) t.equal(cells.lastEnd, last);
      if (!cells.bytes.equals(bytesOf(model))) t.fail('the bytes differ from those of the map');
      if (random.below(30) > 0) continue;
      const stored = Buffer.concat([Buffer.from('head'), cells.bytes]);
      cells = new NamedCells();
      cells.load(stored, 4, model.size);
    }
    t.equal(cells.size, model.size);
  }
});

t.test('bytes that were cut are an error', async (t) => {
  const cells = new NamedCells();
  cells.set(keyOf(1), { cell: { slices: [1, 2], latest: 1, overflow: null, resets: 0 }, endsAt: null });
  const stored = Buffer.from(cells.bytes);
  t.strictSame(readKept(new CellReader(stored, keyBytes)).cell.slices, [1, 2]);
  for (let length = 0; length < stored.length; length++)
    t.throws(() => new NamedCells().load(stored.subarray(0, length), 0, 1), RangeError);
});
