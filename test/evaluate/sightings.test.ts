import t from 'tap';
import {
  gatheredSightings,
  parseSightings,
  sightingsText,
  withSighting,
} from '../../src/evaluate/sightings.ts';
import type { Sighting } from '../../src/schemas/session-context.ts';

const one = (more: Partial<Sighting> = {}): Sighting => ({
  seq: 1,
  tool: 'x',
  phase: 'RESULT',
  labels: [],
  whole: false,
  field: '',
  origin: '',
  ...more,
});

t.test('only what adds something is kept, oldest first', async (t) => {
  const first = withSighting([], one({ seq: 3 })) as Sighting[];
  t.equal(withSighting(first, one({ seq: 9 })), null, 'it differs only in its time');
  for (const other of [
    { tool: 'y' },
    { phase: 'PROMPT' },
    { labels: ['A'] },
    { whole: true },
    { field: 'to' },
  ] as const)
    t.strictSame(withSighting(first, one(other)), [one({ seq: 3 }), one(other)]);
  const labelled = [one({ labels: ['A', 'B'] })];
  t.equal(withSighting(labelled, one({ labels: ['B', 'A'] })), null);
  t.equal(withSighting(labelled, one({ labels: ['B', 'C'] }))?.length, 2);
});

t.test('of five, what the agent said gives way to what it was told, and to nothing else', async (t) => {
  const told = (tool: string) => one({ tool });
  const said = (tool: string) => one({ tool, phase: 'ACTION' });
  const five = [told('a'), said('b'), told('c'), said('d'), told('e')];
  t.equal(withSighting(five, said('f')), null);
  t.strictSame(withSighting(five, told('f')), [told('a'), said('b'), told('c'), told('e'), told('f')]);
  t.equal(withSighting(['a', 'b', 'c', 'd', 'e'].map(told), told('f')), null);
});

t.test('of what the agent said itself, the first time is kept', async (t) => {
  const said = (tool: string) => one({ tool, phase: 'ACTION' });
  t.strictSame(withSighting([one()], said('a')), [one(), said('a')]);
  t.equal(withSighting([said('a')], said('b')), null);
});

t.test('is kept as text', async (t) => {
  const all = [
    one({ labels: ['A'], whole: true }),
    one({ phase: 'PROMPT', tool: '' }),
    one({ whole: true, field: 'to' }),
    one({ origin: '0123456789ab/2' }),
  ];
  t.strictSame(parseSightings(sightingsText(all)), all);
});

t.test('what a child saw is added to what its parent saw', async (t) => {
  const [a, b] = [one({ tool: 'a' }), one({ tool: 'b' })];
  t.strictSame(gatheredSightings([], [a]), [a]);
  t.strictSame(gatheredSightings([a], [a, b]), [a, b]);
  t.equal(gatheredSightings([a, b], [b]), null);
});
