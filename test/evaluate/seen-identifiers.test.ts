import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { addsNoOwn } from '../../src/evaluate/sightings.ts';
import { SeenIdentifiers } from '../../src/evaluate/sqlite/seen-identifiers.ts';
import type { Sighting } from '../../src/schemas/session-context.ts';
import { createRandom } from '../durability/random.ts';

/** One that is the first of its identifier, as nearly all are; one that has a long, empty or broken name of its field; or several. */
function listOf(step: number): Sighting[] {
  const phase = step % 5 === 0 ? 'RESULT' : 'ACTION';
  const labels = step % 3 === 0 ? ['L ä'] : [];
  const of = { seq: step, tool: `tool ä ${step % 7}`, phase, labels } as const;
  const origin = step % 4 === 0 ? `0123456789ab/${step % 6}` : '';
  const part = { ...of, whole: false, field: '', origin };
  if (step % 2 === 0) return [part];
  const whole = { ...of, whole: true, field: fields[step % fields.length] as string, origin };
  return step % 11 === 0 ? [part, whole] : [whole];
}
const fields = [
  'to',
  '',
  ' ',
  'fäld 😀',
  'f'.repeat(64),
  '\u20ac'.repeat(64),
  'f'.repeat(84),
  'f'.repeat(85),
  '\ud800',
];
const writesOf = (digests: Iterable<string>, step: number) => {
  const sightings = listOf(step);
  return [...digests].map((digest) => ({ digest, sightings }));
};

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
    // The identifiers of one content, some of them parts of longer texts; each list is its own object, or shared.
    const [first, ...more] = new Set(digests);
    const writes = [...writesOf([first as string], step), ...writesOf(more, step + (step % 4))];
    const before = model.size;
    for (const { digest, sightings } of writes) model.set(digest, [...sightings]);
    t.equal(seen.add(writes), model.size - before);
    if (random.below(40) === 0) seen = readAgain();
    const one = `digest-${random.below(2_500)}`;
    const known = model.get(one);
    t.strictSame(seen.find(one), known ?? null);
    t.equal(seen.ownAdds(one), known ? (addsNoOwn(known) ? 'nothing' : null) : 'the first');
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
      seen.add(writesOf([`digest-${step}`], step));
      most = Math.max(most, seen.open?.length ?? 0);
    }
    t.ok(most < 1_024);
  },
);

t.test(
  'a content of thousands of identifiers in a few fields, and long names of tools, are read again',
  async (t) => {
    const sightingOf = (tool: string, field: string): Sighting[] => [
      { seq: 1, tool, phase: 'ACTION', labels: [], whole: true, field, origin: '' },
    ];
    const [to, cc, bcc] = ['to', 'cc', 'bcc'].map((field) => sightingOf('mail', field));
    const writes = Array.from({ length: 5_000 }, (_, n) => ({
      digest: `digest-of-22-characters-${n}`,
      sightings: (n < 3_000 ? to : n < 4_900 ? cc : bcc) as Sighting[],
    }));
    const long = [9_999, 10_000, 70_000].map((length) => ({
      digest: `${length}`,
      sightings: sightingOf('\u0001'.repeat(length), 'to'),
    }));
    const all = [...writes, ...long];
    const seen = new SeenIdentifiers([], null);
    t.equal(seen.add(all), all.length);
    const again = new SeenIdentifiers(
      seen.takeFull().map(({ bytes }) => Buffer.from(bytes)),
      seen.open,
    );
    t.ok(all.every(({ digest, sightings }) => isDeepStrictEqual(again.find(digest), sightings)));
  },
);

t.test('bytes that were cut are an error: what was forgotten must not look new', async (t) => {
  for (const step of [1, 2, 11]) {
    const seen = new SeenIdentifiers([], null);
    seen.add(writesOf(['one', 'two'], step));
    const open = seen.open as Buffer;
    for (let length = 1; length < open.length; length++)
      t.throws(() => new SeenIdentifiers([], open.subarray(0, length)).find('two'), `${length} bytes`);
  }
});

t.test('the records of one result share its origin, and each digest keeps its record', async (t) => {
  const labels = ['L'];
  const at = (record: number, field: string | null, result = '0123456789ab'): Sighting[] => [
    {
      seq: 1,
      tool: 'mail.list',
      phase: 'RESULT',
      labels,
      whole: field !== null,
      field: field ?? '',
      origin: `${result}/${record}`,
    },
  ];
  const model = new Map<string, Sighting[]>();
  for (let record = 1; record < 40; record++)
    for (const field of ['id', 'to', null]) model.set(`${field}-${record}`, at(record, field));
  model.set('far', at(65_535, 'id')).set('farther', at(65_536, 'id'));
  model.set('other-1', at(1, 'id', 'ba9876543210')).set('other-2', at(2, 'id', 'ba9876543210'));
  model.set('long-1', at(1, 'id', '0123456789abc')).set('long-2', at(2, 'id', '0123456789abd'));
  const seen = new SeenIdentifiers([], null);
  seen.add([...model].map(([digest, sightings]) => ({ digest, sightings })));
  const [full] = seen.takeFull();
  const again = new SeenIdentifiers(
    full ? [Buffer.from(full.bytes)] : [],
    seen.open && Buffer.from(seen.open),
  );
  for (const [digest, sightings] of model) {
    t.strictSame(seen.find(digest), sightings, digest);
    t.strictSame(again.find(digest), sightings, digest);
  }
  t.strictSame(new Map([...again.all()].map(({ digest, sightings }) => [digest, sightings])), model);
});
