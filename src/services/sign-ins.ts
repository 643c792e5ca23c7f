import { hourMs, minuteMs } from '../schemas/durations.ts';
import type { SignedIn } from '../schemas/sign-ins.ts';
import type { Store, StoredSignIn } from '../store/store.ts';
import type { Authentication, OperatorCaller } from './authentication.ts';
import { createKey, hashKey, isOperatorKey } from './keys.ts';
import { isoTime } from './times.ts';

/** A sign-in ends after this time without use by a person, and after the second one whatever happens. */
const idleMs = 30 * minuteMs;
const longestMs = 12 * hourMs;
/** How long after proving who it is an operator may change keys, operators and integrations. */
const confirmedMs = 5 * minuteMs;
const linkMs = 10 * minuteMs;
/** How often a use is written: each write is one to the disk. */
const useEveryMs = 30_000;
/** Sign-ins of one key at the same time; the oldest ends when there is another. */
const mostPerKey = 50;

export interface FoundSignIn {
  caller: OperatorCaller;
  state: SignedIn;
}

/** Tokens and links are secrets: only their hashes are stored. `address` is where the request comes from: a key may be bound to some. */
export interface SignIns {
  /** Null for whatever is not an operator key in force. */
  signIn(key: string, address: string): Promise<{ token: string; state: SignedIn } | null>;
  /** A token that `signInByLink` takes once, within ten minutes. */
  createLink(key: string): Promise<string>;
  /** Null when the link is unknown, used or expired, or its key is no longer in force. */
  signInByLink(link: string, address: string): Promise<{ token: string; state: SignedIn } | null>;
  /** Null when the sign-in ended, or its key is no longer in force. `isUse`: a person did something. */
  identify(token: string, address: string, isUse: boolean): Promise<FoundSignIn | null>;
  /** Null unless the key is the one that signed in. */
  confirm(token: string, key: string, address: string): Promise<SignedIn | null>;
  signOut(token: string): Promise<void>;
}

export function createSignIns(deps: {
  store: Store;
  now: () => number;
  authentication: Authentication;
  onError: (error: unknown) => void;
}): SignIns {
  const { store, now, authentication, onError } = deps;

  async function open(
    operatorKeyHash: string,
    address: string,
  ): Promise<{ token: string; state: SignedIn } | null> {
    if (!(await authentication.identifyOperator(operatorKeyHash, address))) return null;
    const token = createKey('');
    const at = now();
    const signIn = { tokenHash: hashKey(token), operatorKeyHash, createdAt: at };
    await store.signIns.create(signIn, { endedAt: at - longestMs, most: mostPerKey });
    return { token, state: stateOf({ operatorKeyHash, createdAt: at, usedAt: at, confirmedAt: at }, at) };
  }

  async function find(token: string): Promise<StoredSignIn | null> {
    const at = now();
    return store.signIns.find(hashKey(token), { createdAt: at - longestMs, usedAt: at - idleMs });
  }

  return {
    signIn: async (key, address) => (isOperatorKey(key) ? open(hashKey(key), address) : null),

    async createLink(key) {
      const link = createKey('');
      const at = now();
      const stored = { linkHash: hashKey(link), operatorKeyHash: hashKey(key), expiresAt: at + linkMs };
      await store.signIns.createLink(stored, at);
      return link;
    },

    async signInByLink(link, address) {
      const operatorKeyHash = await store.signIns.redeemLink(hashKey(link), now());
      return operatorKeyHash === null ? null : open(operatorKeyHash, address);
    },

    async identify(token, address, isUse) {
      const stored = await find(token);
      const caller = stored && (await authentication.identifyOperator(stored.operatorKeyHash, address));
      if (!stored || !caller) return null;
      const at = now();
      if (isUse && at - stored.usedAt >= useEveryMs) {
        // An operator can still read when nothing can be written.
        await store.signIns.recordUse(hashKey(token), at).catch(onError);
      }
      return {
        caller,
        state: stateOf(isUse ? { ...stored, usedAt: at } : stored, at),
      };
    },

    async confirm(token, key, address) {
      const stored = await find(token);
      if (!stored || stored.operatorKeyHash !== hashKey(key)) return null;
      if (!(await authentication.identifyOperator(stored.operatorKeyHash, address))) return null;
      const at = now();
      if (!(await store.signIns.confirm(hashKey(token), at))) return null;
      return stateOf({ ...stored, usedAt: at, confirmedAt: at }, at);
    },

    async signOut(token) {
      await store.signIns.end(hashKey(token));
    },
  };
}

const stateOf = ({ createdAt, usedAt, confirmedAt }: StoredSignIn, now: number): SignedIn => ({
  signedInAt: isoTime(createdAt),
  expiresAt: isoTime(Math.min(usedAt + idleMs, createdAt + longestMs)),
  isConfirmed: now - confirmedAt < confirmedMs,
  confirmedUntil: isoTime(confirmedAt + confirmedMs),
});
