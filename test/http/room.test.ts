import t from 'tap';
import { Room, type Spent } from '../../src/http/room.ts';

/** A room whose event loop is told what it spent. */
function roomOf(most: number) {
  const spent: Spent = { activeMs: 100, utilization: 1 };
  const room = new Room(most, () => spent);
  return {
    room,
    spent,
    /** 100 ms in which so many were finished and at most so many were under way at once. */
    pass({ finished, peak, refused = false }: { finished: number; peak: number; refused?: boolean }) {
      room.accepted(peak);
      for (let count = 0; count < finished; count++) room.finished();
      if (refused) room.refused();
      room.look();
      return room.size;
    },
  };
}
const times = <T>(count: number, one: () => T) => Array.from({ length: count }, one);

t.test('under lasting overload there is room for 12 ms of work', async (t) => {
  const { pass } = roomOf(256);
  const overloaded = () => pass({ finished: 800, peak: 256 });
  t.strictSame(times(4, overloaded), [256, 256, 256, 256], 'a burst has all the room');
  t.equal(overloaded(), 96, '12 ms at 8 requests a millisecond');
  t.equal(pass({ finished: 700, peak: 96, refused: true }), 84, 'while any is refused it is one still');
  t.equal(pass({ finished: 700, peak: 84 }), 256, 'and is over when none is');
});

t.test('it lasts only when every look sees it', async (t) => {
  const { pass } = roomOf(256);
  const sizes = times(4, () => [
    ...times(4, () => pass({ finished: 800, peak: 256 })),
    pass({ finished: 800, peak: 96 }),
  ]);
  t.ok(sizes.flat().every((size) => size === 256));
});

t.test('64 have room however long each takes, and never more than the most', async (t) => {
  const slow = roomOf(256);
  t.equal(times(5, () => slow.pass({ finished: 10, peak: 256 })).at(-1), 64);
  t.equal(times(5, () => slow.pass({ finished: 10, peak: 64 })).at(-1), 256, '64 at once are no overload');
  const fast = roomOf(256);
  t.equal(times(9, () => fast.pass({ finished: 9_000, peak: 256, refused: true })).at(-1), 256);
  const few = roomOf(2);
  t.equal(times(9, () => few.pass({ finished: 10, peak: 2, refused: true })).at(-1), 2);
});

t.test('an event loop that waits, for the disk, is not overloaded', async (t) => {
  const { spent, pass } = roomOf(256);
  Object.assign(spent, { activeMs: 60, utilization: 0.6 });
  t.equal(times(9, () => pass({ finished: 300, peak: 256, refused: true })).at(-1), 256);
  Object.assign(spent, { activeMs: 0, utilization: 0 });
  t.equal(pass({ finished: 0, peak: 0 }), 256);
});
