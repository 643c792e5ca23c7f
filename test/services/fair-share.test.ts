import t from 'tap';
import { FairShare } from '../../src/services/fair-share.ts';

/** Takes one by one until refused; returns how many it got. */
function fill(share: FairShare, key: string, capacity: number): number {
  let count = 0;
  while (share.take(key, 1, capacity)) count++;
  return count;
}

t.test('keys that take all they can get leave as much to the next one', async (t) => {
  const share = new FairShare();
  t.equal(fill(share, 'a', 512), 256, 'half of it alone');
  t.equal(fill(share, 'b', 512), 128, 'half of what is left to the one that comes later');
  t.equal(fill(share, 'a', 512), 0);
  t.equal(share.take('bystander', 1, 512), true);
  for (let count = 0; count < 300; count++) {
    const key = count % 2 === 0 ? 'a' : 'b';
    if (share.usedBy(key) > 0) share.release(key, 1);
    share.take(count % 3 === 0 ? 'a' : 'b', 1, 512);
  }
  t.ok(share.usedBy('a') <= 256 && share.usedBy('b') <= 256);
});

t.test('takes nothing when there is no room for all of an amount', async (t) => {
  const share = new FairShare();
  t.equal(share.take('a', 101, 100), false);
  t.equal(share.used, 0);
  t.equal(share.take('a', 50, 100), true);
  t.equal(share.take('a', 1, 100), false);
  t.equal(share.take('a', 0, 100), true, 'nothing always has room');
  share.release('a', 50);
  t.equal(share.used, 0);
  t.equal(share.usedBy('a'), 0);
  t.equal(share.take('a', 50, 100), true, 'what was released can be taken again');
});

t.test('a capacity of infinity refuses nothing', async (t) => {
  const share = new FairShare();
  t.equal(share.take('a', 1e12, Number.POSITIVE_INFINITY), true);
  t.equal(share.take('a', 1e12, Number.POSITIVE_INFINITY), true);
});

t.test('names the keys that have no room', async (t) => {
  const share = new FairShare();
  t.strictSame(share.full(1, 8), []);
  fill(share, 'a', 8);
  t.strictSame(share.full(1, 8), ['a']);
  share.take('b', 1, 8);
  t.strictSame(share.full(1, 8), ['a']);
  share.release('a', 3);
  t.strictSame(share.full(1, 8), []);
});
