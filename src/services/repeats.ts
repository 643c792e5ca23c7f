import type { CounterRows, CounterWrite } from '../store/store.ts';

/** An action by what makes it the same one: see `hashAction`. */
interface ExactAction {
  tool: string;
  inputHash: string;
}

/** Not the identity of any counter of a policy: those are digests. */
const counter = 'repeats';
const nameOf = ({ tool, inputHash }: ExactAction): string => JSON.stringify([tool, inputHash]);

/** How often this exact action was attempted before in its session; 0 without a session. */
export const repeatsOf = (rows: CounterRows, action: ExactAction): number =>
  Number(rows.find(counter, 'session', nameOf(action)) ?? 0);

export const repeatWrite = (action: ExactAction, repeats: number): CounterWrite => ({
  counter,
  scope: 'session',
  name: nameOf(action),
  data: String(repeats + 1),
  endsAt: null,
});
