import type { CounterCells, CounterWrite } from '../store/store.ts';

/** An action by what makes it the same one: see `hashAction`. */
interface ExactAction {
  tool: string;
  inputHash: string;
}

/** Not the identity of any counter of a policy: those are digests. */
export const repeatsCounter = 'repeats';
/** Repetitions are counted since ever, so there is one slice. */
const slice = 0;
const nameOf = ({ tool, inputHash }: ExactAction): string => JSON.stringify([tool, inputHash]);

/** How often this exact action was attempted before in its session; 0 without a session. */
export const repeatsOf = (cells: CounterCells, action: ExactAction): number =>
  cells.find(repeatsCounter, 'session', nameOf(action))?.slices[1] ?? 0;

export const repeatWrite = (action: ExactAction, repeats: number): CounterWrite => ({
  counter: repeatsCounter,
  scope: 'session',
  name: nameOf(action),
  becomes: { slices: [slice, repeats + 1], latest: slice, overflow: null, resets: 0 },
  endsAt: null,
});
