import { canonicalJson } from '../json/stringify.ts';
import { sha256 } from './entries.ts';

// The resources that decide besides the evaluations themselves, as management entries name them after each change (`after`), and as an export
// has it: versions, which never change once they are written, and the state of each resource as it is now.

export type VersionedResource = 'policies' | 'lists';
export type DecidingResource = VersionedResource | 'integrations' | 'house-policies';
export const versionedResources: readonly VersionedResource[] = ['policies', 'lists'];
export const decidingResources: readonly DecidingResource[] = [
  'policies',
  'lists',
  'integrations',
  'house-policies',
];

/** The members of `after` that decide. Others may change without an entry on the resource, or decide nothing. */
const members: Readonly<Record<DecidingResource, readonly string[]>> = {
  policies: ['status', 'version', 'latestVersion', 'scheduledVersion', 'scheduledAt', 'documentSha256'],
  lists: ['name', 'kind', 'description', 'version', 'entriesSha256'],
  integrations: ['name', 'kind', 'description', 'settings', 'policies', 'toolsSha256', 'deletedAt'],
  'house-policies': ['params', 'mode'],
};

/** The deciding part of a resource as a management entry shows it. */
export const decidingState = (resource: DecidingResource, shown: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => members[resource].includes(name)));

/** A version of a policy is its document, a version of a list the entries that it added and removed (JSON texts). */
export const listChangeText = ({ added, removed }: { added: string; removed: string }): string =>
  `{"added":${added},"removed":${removed}}`;

/** The names in `after` of the SHA-256 of the text of the version that a change made. */
export const versionDigestNames: Readonly<Record<VersionedResource, string>> = {
  policies: 'documentSha256',
  lists: 'changeSha256',
};
/** And the number of that version. */
export const versionNames: Readonly<Record<VersionedResource, string>> = {
  policies: 'latestVersion',
  lists: 'version',
};
/** The names in a state of the SHA-256 of the text that comes with it. */
export const textDigestNames: Readonly<Partial<Record<DecidingResource, string>>> = {
  lists: 'entriesSha256',
  integrations: 'toolsSha256',
};

export const digestOrNull = (text: string | null): string | null => (text === null ? null : sha256(text));

export const isSameValue = (one: unknown, other: unknown): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null);
