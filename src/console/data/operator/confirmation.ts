import { signal } from '@preact/signals';
import { ApiError } from '../api.ts';
import { now } from '../clock.ts';
import { refreshSignIn, signInState } from './sign-in.ts';

/** Set while the operator is asked for its key again; called with whether it gave it. */
export const asked = signal<((confirmed: boolean) => void) | null>(null);

/** The service refuses a change of keys and integrations without a recent proof: asked for before it, not after. */
const marginMs = 10_000;

export function isConfirmed(): boolean {
  const state = signInState.value;
  return (
    state.is === 'in' &&
    state.until.isConfirmed &&
    Date.parse(state.until.confirmedUntil) - marginMs > now.value
  );
}

/** Runs a change that needs a recent proof of who the operator is; null when the operator does not give it. */
export async function confirmed<T>(run: () => Promise<T>): Promise<T | null> {
  if (!isConfirmed() && !(await ask())) return null;
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    // This machine's clock may differ from the service's, which decides.
    await refreshSignIn();
    if (isConfirmed()) throw error;
    return (await ask()) ? run() : null;
  }
}

function ask(): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = (given) => {
      asked.value = null;
      resolve(given);
    };
  });
}

const channelName = 'assize-confirmed';

/** Tells the other tabs of this browser that the sign-in was confirmed in this one. */
export function tellConfirmed(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(null);
  channel.close();
}

/** Calls once another tab confirmed the sign-in; the function that is returned stops that. */
export function whenConfirmedElsewhere(call: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = () => {
    refreshSignIn().then(
      () => isConfirmed() && call(),
      () => undefined,
    );
  };
  return () => channel.close();
}
