import { signal } from '@preact/signals';
import type { CurrentOperator } from '../../../features/operators/schema.ts';
import type {
  IdentityProviderFailureReason,
  SignedIn,
  SignInMethods,
} from '../../../features/sign-in/schema.ts';
import { words } from '../../strings/index.ts';
import { ApiError, call, whenSignedOut } from '../api.ts';
import { announce } from '../change.ts';
import { now } from '../clock.ts';
import { takeFragment } from '../route.ts';
import { deleteDrafts } from './drafts.ts';

/** Why nobody is signed in; null when nobody was. */
export type SignedOutBecause = 'asked' | 'expired' | 'link' | IdentityProviderFailureReason | null;

type SignInState =
  | { is: 'unknown' }
  | { is: 'out'; because: SignedOutBecause }
  | { is: 'offline' }
  | { is: 'in'; until: SignedIn };

export const signInState = signal<SignInState>({ is: 'unknown' });

/** Set by the one-time link of a first start, until somebody made use of it. */
export const signedInByLink = signal(false);

whenSignedOut(() => {
  if (signInState.value.is === 'in') signInState.value = { is: 'out', because: 'expired' };
});

const enter = (until: SignedIn): void => {
  signInState.value = { is: 'in', until };
};

/** Uses the link that the console was opened with, or the sign-in that the browser has. */
export async function resume(): Promise<void> {
  const link = takeFragment('sign-in');
  const failure = failureIn(takeFragment('sign-in-failed'));
  try {
    if (link === null) await refreshSignIn();
    else {
      const { data } = await post('/console/sign-in', { link });
      signedInByLink.value = true;
      enter(data);
    }
    if (failure) announce(words.value.signIn.failures[failure]);
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 0 || status >= 500) signInState.value = { is: 'offline' };
    else signInState.value = { is: 'out', because: link === null ? failure : 'link' };
  }
}

/** Anybody can write the address: only what the console has words for is taken from it. */
function failureIn(given: string | null): IdentityProviderFailureReason | null {
  const known = Object.keys(words.value.signIn.failures) as IdentityProviderFailureReason[];
  return known.find((reason) => reason === given) ?? null;
}

/** How somebody can sign in besides with a key. */
export const readMethods = async (): Promise<SignInMethods> =>
  (await call<SignInMethods>('/console/sign-in', { background: true })).data;

/** Where a link leads that signs in at the identity provider and then opens `page`. `again`: although the provider knows who it is. */
export function identityProviderHref(page: string, { again = false } = {}): string {
  const query = new URLSearchParams({ page, ...(again && { again: '1' }) });
  return `/console/oidc/start?${query}`;
}

/** Reads what the service says about the sign-in. */
async function refreshSignIn(): Promise<void> {
  enter((await call<SignedIn>('/console/signed-in', { background: true })).data);
}

export async function signIn(key: string): Promise<void> {
  enter((await post('/console/sign-in', { key })).data);
}

export async function confirmSignIn(key: string): Promise<void> {
  enter((await post('/console/confirm', { key })).data);
}

export async function signOut(): Promise<void> {
  await call('/console/sign-out', { method: 'POST' });
  deleteDrafts();
  signInState.value = { is: 'out', because: 'asked' };
}

const post = (path: string, json: object) => call<SignedIn>(path, { method: 'POST', json });

/** Who is signed in, and what its roles permit; null until it was read. */
export const operator = signal<CurrentOperator | null>(null);

/** Reads it. Nothing is permitted before. */
export async function readOperator(): Promise<void> {
  const before = operator.value;
  operator.value = null;
  const { data } = await call<CurrentOperator>('/v1/operators/me', { background: true });
  if (before && before.id !== data.id) deleteDrafts();
  operator.value = data;
}

/** Whether to offer what needs the permission. */
export const may = (permission: string): boolean => operator.value?.permissions.includes(permission) ?? false;

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

/**
 * Calls once another tab confirmed the sign-in; the function that is returned stops that. A tab that was closed at once may not
 * have sent its message, so the sign-in is also read again when this window gets the focus.
 */
export function whenConfirmedElsewhere(call: () => void): () => void {
  const look = (): void =>
    void refreshSignIn().then(
      () => isConfirmed() && call(),
      () => undefined,
    );
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = look;
  window.addEventListener('focus', look);
  return () => {
    channel.close();
    window.removeEventListener('focus', look);
  };
}
