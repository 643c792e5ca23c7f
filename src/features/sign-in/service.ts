import { hourMs, minuteMs } from '../../schemas/durations.ts';
import type { Authentication, OperatorCaller } from '../../services/access/authentication.ts';
import { createKey, hashKey, isOperatorKey } from '../../services/access/keys.ts';
import { isoTime } from '../../services/times.ts';
import type { SignInIdentity, Store, StoredSignIn } from '../../store/store.ts';
import type { SignedIn } from './schema.ts';

/** A sign-in ends after this time without use by a person, and after the second one whatever happens. */
const idleMs = 30 * minuteMs;
const longestMs = 12 * hourMs;
/** How long after proving who it is an operator may change keys, operators and integrations. */
const confirmedMs = 5 * minuteMs;
const linkMs = 10 * minuteMs;
/** How often a use is written: each write is one to the disk. */
const useEveryMs = 30_000;
/** Sign-ins of one key, or of one operator without a key, at the same time; the oldest ends when there is another. */
const mostAtOnce = 50;

export interface FoundSignIn {
  caller: OperatorCaller;
  state: SignedIn;
}

/** Tokens and links are secrets: only their hashes are stored. `address` is where the request comes from: a key may be bound to some. */
export interface SignIns {
  /** Null for whatever is not an operator key in force. */
  signIn(key: string, address: string): Promise<OpenedSignIn | null>;
  /** A token that `signInByLink` takes once, within ten minutes. */
  createLink(key: string): Promise<string>;
  /** Null when the link is unknown, used or expired, or its key is no longer in force. */
  signInByLink(link: string, address: string): Promise<OpenedSignIn | null>;
  /**
   * `email` was verified by the identity provider. Null when no operator who may sign in from here has it. `before` is the hash
   * of the token that the browser had: the sign-in of the same operator goes on, confirmed, and that of another ends.
   */
  signInByEmail(
    email: string,
    address: string,
    options: { authenticatedAt: number | null; before: string | null },
  ): Promise<(Omit<OpenedSignIn, 'token'> & { token: string | null }) | null>;
  /** Null when the sign-in ended, or its key or operator is no longer in force. `isUse`: a person did something. */
  identify(token: string, address: string, isUse: boolean): Promise<FoundSignIn | null>;
  /** Null unless the key is the one that signed in. */
  confirm(token: string, key: string, address: string): Promise<SignedIn | null>;
  signOut(token: string): Promise<void>;
}

export interface OpenedSignIn extends FoundSignIn {
  token: string;
}

export function createSignIns(deps: {
  store: Store;
  now: () => number;
  authentication: Authentication;
  onError: (error: unknown) => void;
}): SignIns {
  const { store, now, authentication, onError } = deps;

  async function callerOf(identity: SignInIdentity, address: string): Promise<OperatorCaller | null> {
    const { operatorKeyHash, operatorId } = identity;
    if (operatorKeyHash !== null) return authentication.identifyOperator(operatorKeyHash, address);
    return operatorId === null ? null : authentication.identifyWithoutKey(operatorId, address);
  }

  async function open(
    { operatorKeyHash, operatorId }: SignInIdentity,
    address: string,
    confirmedAt: number,
  ): Promise<OpenedSignIn | null> {
    const caller = await callerOf({ operatorKeyHash, operatorId }, address);
    if (!caller) return null;
    const token = createKey('');
    const at = now();
    const signIn = { operatorKeyHash, operatorId, createdAt: at, confirmedAt };
    await store.signIns.create(
      { ...signIn, tokenHash: hashKey(token) },
      { endedAt: at - longestMs, most: mostAtOnce },
    );
    return { token, caller, state: stateOf({ ...signIn, usedAt: at }, at) };
  }

  const openWithKey = (operatorKeyHash: string, address: string) =>
    open({ operatorKeyHash, operatorId: null }, address, now());

  async function findByHash(tokenHash: string): Promise<StoredSignIn | null> {
    const at = now();
    return store.signIns.find(tokenHash, { createdAt: at - longestMs, usedAt: at - idleMs });
  }
  const find = (token: string) => findByHash(hashKey(token));

  return {
    signIn: async (key, address) => (isOperatorKey(key) ? openWithKey(hashKey(key), address) : null),

    async createLink(key) {
      const link = createKey('');
      const at = now();
      const stored = { linkHash: hashKey(link), operatorKeyHash: hashKey(key), expiresAt: at + linkMs };
      await store.signIns.createLink(stored, at);
      return link;
    },

    async signInByLink(link, address) {
      const operatorKeyHash = await store.signIns.redeemLink(hashKey(link), now());
      return operatorKeyHash === null ? null : openWithKey(operatorKeyHash, address);
    },

    async signInByEmail(email, address, { authenticatedAt, before }) {
      // Other letters become ASCII ones in lower case, such as the Kelvin sign: one address would pass for another.
      const operator = isAscii(email) ? await store.operators.findByEmail(email) : null;
      if (!operator) return null;
      const confirmedAt = Math.min(authenticatedAt ?? 0, now());
      const identity = { operatorKeyHash: null, operatorId: operator.id };
      const current = before === null ? null : await findByHash(before);
      if (before !== null && current?.operatorId === operator.id) {
        const caller = await callerOf(identity, address);
        if (!caller || !(await store.signIns.confirm(before, confirmedAt, now()))) return null;
        return { token: null, caller, state: stateOf({ ...current, usedAt: now(), confirmedAt }, now()) };
      }
      const opened = await open(identity, address, confirmedAt);
      if (opened && before !== null) await store.signIns.end(before);
      return opened;
    },

    async identify(token, address, isUse) {
      const stored = await find(token);
      const caller = stored && (await callerOf(stored, address));
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
      if (!(await callerOf(stored, address))) return null;
      const at = now();
      if (!(await store.signIns.confirm(hashKey(token), at, at))) return null;
      return stateOf({ ...stored, usedAt: at, confirmedAt: at }, at);
    },

    async signOut(token) {
      await store.signIns.end(hashKey(token));
    },
  };
}

const isAscii = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

const stateOf = (
  { operatorKeyHash, createdAt, usedAt, confirmedAt }: StoredSignIn,
  now: number,
): SignedIn => ({
  signedInAt: isoTime(createdAt),
  signedInWith: operatorKeyHash === null ? 'IDENTITY_PROVIDER' : 'KEY',
  expiresAt: isoTime(Math.min(usedAt + idleMs, createdAt + longestMs)),
  isConfirmed: now - confirmedAt < confirmedMs,
  confirmedUntil: isoTime(confirmedAt + confirmedMs),
});
