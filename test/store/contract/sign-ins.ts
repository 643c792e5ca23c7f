import type { Test } from 'tap';
import type { NewSignIn } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;
const since = { createdAt: start - 1, usedAt: start - 1 };
/** With a key, unless it says otherwise. */
const signIn = (more: Partial<NewSignIn> = {}): NewSignIn => ({
  tokenHash: make.newHash(),
  operatorKeyHash: make.newHash(),
  operatorId: null,
  createdAt: start,
  confirmedAt: start,
  ...more,
});
const limits = { endedAt: start - 100, most: 2 };

export function signIns(t: Test, open: Open): void {
  t.test(
    'sign-ins: one is found by its token until it ends, and only while it is young enough',
    async (t) => {
      const { signIns } = await open(t);
      const [tokenHash, operatorKeyHash] = [make.newHash(), make.newHash()];
      await signIns.create(signIn({ tokenHash, operatorKeyHash }), limits);
      const found = {
        operatorKeyHash,
        operatorId: null,
        createdAt: start,
        usedAt: start,
        confirmedAt: start,
      };
      t.strictSame(await signIns.find(tokenHash, since), found);
      t.equal(await signIns.find(make.newHash(), since), null);
      t.equal(await signIns.find(tokenHash, { ...since, createdAt: start }), null);
      t.equal(await signIns.find(tokenHash, { ...since, usedAt: start }), null);
      t.equal(await signIns.end(tokenHash), true);
      t.equal(await signIns.end(tokenHash), false);
      t.equal(await signIns.find(tokenHash, since), null);
    },
  );

  t.test('sign-ins: a use never moves back, and a confirmation is a use', async (t) => {
    const { signIns } = await open(t);
    const [tokenHash, operatorKeyHash] = [make.newHash(), make.newHash()];
    await signIns.create(signIn({ tokenHash, operatorKeyHash }), limits);
    await signIns.recordUse(tokenHash, start + 10);
    await signIns.recordUse(tokenHash, start + 5);
    t.match(await signIns.find(tokenHash, since), { usedAt: start + 10, confirmedAt: start });
    t.equal(await signIns.confirm(tokenHash, start + 15, start + 20), true);
    t.match(await signIns.find(tokenHash, since), { usedAt: start + 20, confirmedAt: start + 15 });
    t.equal(await signIns.confirm(make.newHash(), start, start), false);
  });

  t.test('sign-ins: the oldest of a key beyond the most ends, and old ones of all keys', async (t) => {
    const { signIns } = await open(t);
    const [operatorKeyHash, other] = [make.newHash(), make.newHash()];
    const tokens = [make.newHash(), make.newHash(), make.newHash()];
    const ofOther = make.newHash();
    await signIns.create(signIn({ tokenHash: ofOther, operatorKeyHash: other }), limits);
    for (const tokenHash of tokens) {
      await signIns.create(signIn({ tokenHash, operatorKeyHash, createdAt: start + 1 }), limits);
    }
    const left = async () => Promise.all([ofOther, ...tokens].map((one) => signIns.find(one, since)));
    t.strictSame(
      (await left()).map((one) => one !== null),
      [true, false, true, true],
    );
    const fresh = signIn({ operatorKeyHash, createdAt: start + 101 });
    await signIns.create(fresh, { endedAt: start, most: 10 });
    t.strictSame(
      (await left()).map((one) => one !== null),
      [false, false, true, true],
    );
  });

  t.test(
    'sign-ins: one without a key is of its operator, and counts with those of this operator',
    async (t) => {
      const { signIns } = await open(t);
      const [operatorId, other] = [make.newId(), make.newId()];
      const without = (operatorId: string) => signIn({ operatorKeyHash: null, operatorId, confirmedAt: 0 });
      const ofOther = without(other);
      await signIns.create(ofOther, limits);
      const all = [1, 2, 3].map(() => without(operatorId));
      for (const one of all) await signIns.create(one, limits);
      const { tokenHash: _, ...stored } = all[2] as NewSignIn;
      t.strictSame(await signIns.find(all[2]?.tokenHash ?? '', since), { ...stored, usedAt: start });
      t.equal(await signIns.find(all[0]?.tokenHash ?? '', since), null, 'the oldest beyond the most');
      t.not(await signIns.find(ofOther.tokenHash, since), null);
      await t.rejects(signIns.create(signIn({ operatorId }), limits), 'both');
      await t.rejects(signIns.create(signIn({ operatorKeyHash: null }), limits), 'neither');
    },
  );

  t.test('sign-in links: one of two racing redemptions gets the key, before it expires', async (t) => {
    const { signIns } = await open(t);
    const [linkHash, operatorKeyHash] = [make.newHash(), make.newHash()];
    await signIns.createLink({ linkHash, operatorKeyHash, expiresAt: start + 10 }, start);
    t.equal(await signIns.redeemLink(linkHash, start + 10), null, 'expired');
    const raced = await Promise.all([1, 2].map(() => signIns.redeemLink(linkHash, start + 9)));
    t.strictSame(
      raced.filter((one) => one !== null),
      [operatorKeyHash],
    );
    t.equal(await signIns.redeemLink(make.newHash(), start), null);
    const old = make.newHash();
    await signIns.createLink({ linkHash: old, operatorKeyHash, expiresAt: start + 10 }, start);
    await signIns.createLink(
      { linkHash: make.newHash(), operatorKeyHash, expiresAt: start + 30 },
      start + 10,
    );
    t.equal(await signIns.redeemLink(old, start), null, 'deleted once expired');
  });
}
