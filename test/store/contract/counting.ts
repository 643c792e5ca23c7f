import type {
  CounterCell,
  CounterWrite,
  NewEvaluation,
  PlannedCounter,
  Store,
} from '../../../src/store/store.ts';

/** A cell that says so much. */
export const cell = (amount: number): CounterCell => ({
  slices: [1, amount],
  latest: 1,
  overflow: null,
  resets: 0,
});
export const amountOf = (found: CounterCell | null): number | null => found?.slices[1] ?? null;

export const scopes = ['session', 'entity', 'integration'] as const;
export const planned = (...names: string[]): PlannedCounter[] =>
  names.flatMap((name) => scopes.map((over) => ({ identity: `${name} ${over}`, over })));
export const needs = (counters: readonly PlannedCounter[] | null): NewEvaluation['needs'] => ({
  recentActions: false,
  pendingReview: false,
  counters,
  repeats: false,
  sightings: false,
});
export const cAndD = needs(planned('c', 'd'));

export const write = ({
  counter = 'c',
  scope = 'integration',
  ...more
}: Partial<CounterWrite> = {}): CounterWrite => ({
  counter: `${counter} ${scope}`,
  scope,
  name: '',
  becomes: cell(1),
  endsAt: null,
  ...more,
});

/** As the service does: counts nothing of what was recorded before a counter was there. */
export async function record(
  store: Store,
  asked: NewEvaluation,
  decide: Parameters<Store['evaluations']['record']>[1],
): Promise<void> {
  const result = await store.evaluations.record(asked, decide);
  if (result.kind !== 'uncounted') return;
  const upTo = { planned: asked.needs.counters ?? [], delegators: [], revision: asked.revision };
  for (const { place } of result.scopes)
    await store.counters.catchUp(place, upTo, Number.MAX_SAFE_INTEGER, asked.at, () => []);
  await record(store, asked, decide);
}
