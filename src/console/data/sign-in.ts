import { signal } from '@preact/signals';
import type { SignedIn } from '../../schemas/sign-ins.ts';
import { ApiError, call, whenSignedOut } from './api.ts';
import { takeFragment } from './route.ts';

export type SignInState =
  | { is: 'unknown' }
  | { is: 'out'; because: 'asked' | 'expired' | 'link' | null }
  | { is: 'offline' }
  | { is: 'in'; until: SignedIn };

export const signInState = signal<SignInState>({ is: 'unknown' });

whenSignedOut(() => {
  if (signInState.value.is === 'in') signInState.value = { is: 'out', because: 'expired' };
});

const enter = (until: SignedIn): void => {
  signInState.value = { is: 'in', until };
};

/** Uses the link that the console was opened with, or the sign-in that the browser has. */
export async function resume(): Promise<void> {
  const link = takeFragment('sign-in');
  try {
    if (link !== null) enter((await post('/console/sign-in', { link })).data);
    else await refreshSignIn();
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 0 || status >= 500) signInState.value = { is: 'offline' };
    else signInState.value = { is: 'out', because: link === null ? null : 'link' };
  }
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
  signInState.value = { is: 'out', because: 'asked' };
}

const post = (path: string, json: object) => call<SignedIn>(path, { method: 'POST', json });
