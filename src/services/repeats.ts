import type { CounterCells, CounterWrite } from '../store/store.ts';

/** An action by what makes it the same one: see `hashAction`. */
interface ExactAction {
  tool: string;
  contentHash: string;
}

/** Not the identity of any counter of a policy: those are digests. */
const repeatsCounter = 'repeats';
/** Repetitions are counted since ever, so there is one slice. */
const slice = 0;

/** What an exact action is counted by. */
export const exactName = ({ tool, contentHash }: ExactAction): string => JSON.stringify([tool, contentHash]);

/** How often the exact action of this name was attempted before in its session; 0 without a session. */
export const repeatsOf = (cells: CounterCells, name: string): number =>
  cells.find(repeatsCounter, 'session', name)?.slices[1] ?? 0;

export const repeatWrite = (name: string, repeats: number): CounterWrite => ({
  counter: repeatsCounter,
  scope: 'session',
  name,
  becomes: { slices: [slice, repeats + 1], latest: slice, overflow: null, resets: 0 },
  endsAt: null,
});
