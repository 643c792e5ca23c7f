import { createHash, hash } from 'node:crypto';
import { canonicalJson } from '../json/stringify.ts';

// The entries of the record, and the chains they form. Everything here is a function of its arguments.

/** The last entry of a chain, or where it begins: `seq` 0 and the digest of its origin. */
export interface ChainHead {
  seq: number;
  /** SHA-256 in lower-case hexadecimal. */
  hash: string;
}

/** The members that every entry has besides its own. */
export interface EntryLink {
  chain: string;
  /** From 1, without gaps. */
  seq: number;
  /** The hash of the entry before it; of the first one, the digest of the chain's origin. */
  previous: string;
}

/** Strings and numbers; for a member that was named as JSON, its canonical JSON text. Null leaves the member out. */
export type EntryMembers = Readonly<Record<string, string | number | null>>;

const linkNames = ['chain', 'previous', 'seq'] as const;

/**
 * A writer of the canonical JSON text (RFC 8785) of entries that have these members besides their link. The names are sorted once.
 */
export function createEntryWriter(
  names: readonly string[],
  json: readonly string[] = [],
): (link: EntryLink, members: EntryMembers) => string {
  const isJson = new Set(json);
  const order = [...names, ...json, ...linkNames].sort();
  const parts = order.map((name) => ({
    name,
    key: `${JSON.stringify(name)}:`,
    isJson: isJson.has(name),
    ofLink: linkNames.find((one) => one === name) ?? null,
  }));
  return (link, members) => {
    let text = '{';
    for (const { name, key, isJson, ofLink } of parts) {
      const value = ofLink === null ? members[name] : link[ofLink];
      if (value === null || value === undefined) continue;
      if (text.length > 1) text += ',';
      text += key;
      text += typeof value === 'number' || isJson ? value : quoted(value);
    }
    return `${text}}`;
  };
}

/** As a database in UTF-8 gives it back: it cannot hold half of a surrogate pair. */
export const quoted = (value: string): string =>
  JSON.stringify(value.isWellFormed() ? value : value.toWellFormed());

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

export const entryHash = (canonicalText: string): string => sha256(canonicalText);

/**
 * The digest that an entry keeps of a text that may be deleted later. The salt is deleted with the text: without it, a short text
 * could be found by trying.
 */
export const contentDigest = (salt: string, name: string, text: string): string => {
  const before = `${salt}:${name}:`;
  if (text.length <= longText) return sha256(before + text);
  return createHash('sha256').update(before).update(text).digest('hex');
};

/** Characters above which a text is not copied to be hashed behind another one: for a short one, that is faster. */
const longText = 16_384;

// Chains by name, and what their first entry follows.

export const managementChain = 'management';
export const sessionChain = (sessionId: string): string => `session:${sessionId}`;
/** The chain of evaluations without a session. */
export const integrationChain = (integrationId: string): string => `integration:${integrationId}`;

/** The unchanging facts of a session, committed to by the first entry of its chain. */
export interface SessionOrigin {
  chain: string;
  integrationId: string;
  entityId: string | null;
  externalSessionId: string;
  startedAt: string;
  /** JSON text, as it was given. */
  metadata: string;
}

export interface PlainOrigin {
  chain: string;
}

export type ChainOrigin = SessionOrigin | PlainOrigin;

export const sessionOrigin = (session: {
  id: string;
  integrationId: string;
  entityId: string | null;
  externalSessionId: string;
  startedAt: number;
  metadata: string;
}): SessionOrigin => ({
  chain: sessionChain(session.id),
  integrationId: session.integrationId,
  entityId: session.entityId,
  externalSessionId: session.externalSessionId,
  startedAt: new Date(session.startedAt).toISOString(),
  metadata: session.metadata,
});

/** Where a chain begins: its first entry follows this, so that a chain cannot be passed off as another one's. */
export const hashOfOrigin = (origin: ChainOrigin): string => sha256(canonicalJson(origin));
