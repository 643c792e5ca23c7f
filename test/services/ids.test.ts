import t from 'tap';
import { validate, version } from 'uuid';
import { newId } from '../../src/services/ids.ts';

t.test('ids are UUIDs of version 7, in the order of their time, and never the same', async (t) => {
  const ids = Array.from({ length: 5_000 }, newId);
  t.ok(ids.every((id) => validate(id) && version(id) === 7));
  t.equal(new Set(ids).size, ids.length);
  const times = ids.map((id) => id.slice(0, 13));
  t.strictSame(times, [...times].sort());
});
