import t from 'tap';
import { digestsWith, identifierDigest, mentionedIn } from '../../src/evaluate/content.ts';
import { type Mentions, mentionsIn } from '../../src/policy/mentions.ts';
import { heapUsed } from '../helpers/garbage.ts';

t.test('gives one digest however an identifier is written, and none for what is none', async (t) => {
  const { nameOf: find } = digestsWith('salt');
  const digest = identifierDigest('salt', 'ann@example.com');
  t.match(digest, /^[\w-]{22}$/);
  for (const written of ['ann@example.com', 'Ann@Example.com', '<ann@example.com>', 'ann@example.com'])
    t.equal(find(written), digest, written);
  for (const nothing of ['', '-', 'x', 'x'.repeat(600)]) t.equal(find(nothing), null);
  t.equal(find('-'), null, 'asked again');
});

t.test('stays true however many others were looked up in between, and with another salt', async (t) => {
  const { nameOf: find } = digestsWith('salt');
  const first = find('id-1');
  for (let index = 0; index < 30_000; index++) find(`other-${index}`);
  t.equal(find('id-1'), first);
  t.equal(find('other-29999'), identifierDigest('salt', 'other-29999'));
  t.equal(digestsWith('more salt').nameOf('id-1'), identifierDigest('more salt', 'id-1'));
  t.equal(digestsWith('salt').nameOf('id-1'), first);
});

t.test('does not keep the text that an identifier was part of', async (t) => {
  const { nameOf: find } = digestsWith('salt');
  const before = heapUsed();
  for (let index = 0; index < 200; index++) {
    const text = JSON.parse(`"${'x'.repeat(500_000)} identifier-${index}-of-many"`) as string;
    // What is asked for once is not kept.
    for (const _ of ['once', 'again']) find(text.slice(500_001));
  }
  t.ok(heapUsed() - before < 20e6);
});

t.test('finds in a text what it found before, and what it finds without remembering', async (t) => {
  const salt = 'salt';
  const content = ['crm.lookup', 'a@b.example and 12 345', '2026-01-01', 'order "Green Park": id=7, v1.2'];
  const digests = (names: Mentions): unknown =>
    [...(names ?? [])].map(([name, whole]) => [identifierDigest(salt, name), whole]);
  for (const phase of ['ACTION', 'PROMPT', 'RESULT'] as const) {
    const expected = digests(mentionsIn(content, phase));
    for (const asked of ['once', 'again'])
      t.strictSame([...(mentionedIn(content, { phase, salt }) ?? [])], expected, `${phase}, asked ${asked}`);
  }
});

t.test('texts and keys that differ in a few characters do not get the digests of each other', async (t) => {
  const salt = 'salt';
  const ids = ['1001', '1002', '2001', '2002'];
  for (const asked of [1, 2, 3])
    for (const id of [...ids, ...ids.toReversed()]) {
      const text = `a text about order ${id} that is the same before and after it, but for the number`;
      const content = {
        text,
        [`key_${id}_of_many_with_the_same_end`]: 1,
        other: id,
        ['k'.repeat(600) + id]: 1,
      };
      const names = [...(mentionsIn(content, 'ACTION')?.keys() ?? [])];
      t.equal(names.length, 3);
      const digests = names.map((name) => identifierDigest(salt, name));
      const found = [...(mentionedIn([content], { phase: 'ACTION', salt })?.keys() ?? [])];
      t.strictSame(found, digests, `${id}, round ${asked}`);
    }
});
