import type { Test } from 'tap';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;

export function operatorKeys(t: Test, open: Open): void {
  t.test('operator keys: of two racing first keys one is kept', async (t) => {
    const { operatorKeys } = await open(t);
    t.equal(await operatorKeys.exist(), false);
    const keys = [make.newHash(), make.newHash()].map((keyHash) => ({
      id: make.newId(),
      keyHash,
      createdAt: start,
    }));
    const made = await Promise.all(keys.map((key) => operatorKeys.createFirst(key)));
    t.strictSame([...made].sort(), [false, true]);
    t.equal(await operatorKeys.exist(), true);
    const found = await Promise.all(keys.map(({ keyHash }) => operatorKeys.find(keyHash)));
    t.strictSame(
      found,
      keys.map(({ id }, place) => (made[place] ? id : null)),
    );
  });
}
