import { signal } from '@preact/signals';
import type {
  IdentityProviderFailureReason,
  SignedIn,
  SignInMethods,
} from '../../../features/sign-in/schema.ts';
import { words } from '../../strings/index.ts';
import { ApiError, call, whenSignedOut } from '../api.ts';
import { announce } from '../change.ts';
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
export async function refreshSignIn(): Promise<void> {
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
