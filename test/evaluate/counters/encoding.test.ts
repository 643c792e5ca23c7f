import t from 'tap';
import { CellReader, CellWriter } from '../../../src/evaluate/counters/encoding.ts';
import type { CounterCell } from '../../../src/schemas/counter-cells.ts';
import { Random } from '../../cel/fuzz/random.ts';

t.test('what is written is read again, whatever the numbers', async (t) => {
  const random = new Random(5);
  const writer = new CellWriter();
  const numbers = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 51, 2 ** 52];
  const amounts = [...numbers, 0.1, -0.5, -1, 1e15, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 51 - 1];
  for (let round = 0; round < 2_000; round += 1) {
    const cells: CounterCell[] = Array.from({ length: random.below(80) }, () => {
      const latest = random.pick(numbers);
      const slices: number[] = [];
      let slice = 0;
      for (let left = random.below(62); left > 0; left -= 1) {
        slice += random.pick([0, 1, 5, 300, 1_000_000]);
        slices.push(slice, random.pick(amounts));
      }
      return { slices, latest, overflow: random.pick([null, latest, 0]), resets: random.pick(numbers) };
    });
    writer.begin();
    for (const number of numbers) writer.number(number);
    for (const number of [null, ...numbers]) writer.nullable(number);
    writer.latin1('\0\x7f\x80\xff');
    for (const cell of cells) writer.cell(cell);
    const reader = new CellReader(Buffer.from(writer.view()));
    const read = numbers.map(() => reader.number());
    const nullables = [null, ...numbers].map(() => reader.nullable());
    reader.skip(4);
    const skipping = new CellReader(Buffer.from(writer.view()), reader.place);
    const found = cells.map(() => reader.cell());
    for (const _ of cells) skipping.skipCell();
    if (skipping.place !== reader.place) t.equal(skipping.place, reader.place);
    if (round === 0) t.strictSame([read, nullables], [numbers, [null, ...numbers]]);
    if (JSON.stringify(found) !== JSON.stringify(cells)) t.strictSame(found, cells);
  }
  t.throws(() => new CellReader(Buffer.from([1, 2])).skip(3), RangeError);
  t.throws(() => new CellReader(Buffer.from([255])).number(), RangeError);
  writer.begin();
  writer.cell({ slices: [1, 0.1], latest: 1, overflow: null, resets: 0 });
  const cutOff = Buffer.from(writer.view().subarray(0, -1));
  t.throws(() => new CellReader(cutOff).cell(), RangeError);
  t.throws(() => new CellReader(cutOff).skipCell(), RangeError);
});
