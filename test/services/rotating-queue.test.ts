import t from 'tap';
import { RotatingQueue } from '../../src/services/rotating-queue.ts';

/** What is taken until nothing is left. */
function drain(queue: RotatingQueue<string>): string[] {
  const taken: string[] = [];
  for (let entry = queue.take(); entry !== undefined; entry = queue.take()) taken.push(entry);
  return taken;
}

t.test('keys take turns, each in the order of its entries', async (t) => {
  const queue = new RotatingQueue<string>();
  t.equal(queue.isEmpty, true);
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(entry[0] ?? '', entry);
  queue.add('a', 'a0', true);
  queue.add('a', 'a0 again', true);
  queue.add('d', 'd0', true);
  t.equal(queue.isEmpty, false);
  t.strictSame(drain(queue), ['a0', 'b1', 'c1', 'd0', 'a0 again', 'c2', 'a1', 'a2', 'a3']);
  t.equal(queue.isEmpty, true);
});

t.test('a removed entry is not taken, and removing another changes nothing', async (t) => {
  const queue = new RotatingQueue<string>();
  for (const entry of ['a1', 'a2', 'b1']) queue.add(entry[0] ?? '', entry);
  queue.remove('a', 'a1');
  queue.remove('b', 'b1');
  queue.remove('b', 'b1');
  queue.remove('a', 'b1');
  t.strictSame(drain(queue), ['a2']);
});
