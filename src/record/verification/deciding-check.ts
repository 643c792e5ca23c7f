import {
  type DecidingResource,
  decidingResources,
  isSameValue,
  textDigestNames,
  type VersionedResource,
  versionDigestNames,
  versionedResources,
  versionNames,
} from '../deciding-state.ts';
import { sha256 } from '../entries.ts';
import type { EntryLine, HeaderLine, StateLine, TermsLine, VersionLine } from '../export-lines.ts';
import type { Report } from './problems.ts';

type Members = Record<string, unknown>;

export interface DecidingCheck {
  header(line: HeaderLine): void;
  terms(line: TermsLine): void;
  /** Takes an entry that has its hash. */
  entry(line: EntryLine, number: number): void;
  state(line: StateLine, number: number): void;
  version(line: VersionLine, number: number): void;
  end(): { versions: number; unnamedVersions: number };
}

/** Compares what decides, as the export has it, with what the entries of management say that it became. */
export function createDecidingCheck(report: Report): DecidingCheck {
  /** The members in the last entry on a resource, by resource and id; null once it was deleted. */
  const last = new Map<string, Members | null>();
  const digests = new Map<string, unknown>();
  const changedSince = new Set<string>();
  const shown = new Set<string>();
  const seenTerms = new Set<string>();
  let header: HeaderLine | null = null;
  let hasStates = false;
  let versions = 0;
  let unnamedVersions = 0;

  const key = (...parts: readonly (string | number)[]): string => parts.join(' ');
  const isWholeRecord = (): boolean => header?.chain === null && header.frontier.length === 0;
  const isDeleted = (policyId: unknown): boolean => last.get(key('policies', String(policyId))) === null;

  function noteVersion(resource: string, id: string, after: Members): void {
    if (!versionedResources.some((one) => one === resource)) return;
    const of = resource as VersionedResource;
    const at = key(of, id, Number(after[versionNames[of]]));
    const digest = after[versionDigestNames[of]];
    // The first entry that names it is the one of its making: later ones name the latest version, too.
    if (!digests.get(at)) digests.set(at, digest ?? null);
  }

  /** The states that an entry allows, with the changes that time or the deletion of a policy has made since. */
  function expectedOf(resource: DecidingResource, after: Members): readonly Members[] {
    if (resource === 'integrations') {
      const bound = Array.isArray(after.policies) ? after.policies : [];
      return [{ ...after, policies: bound.filter(({ id }) => !isDeleted(id)) }];
    }
    const { scheduledAt, scheduledVersion } = after;
    const isDue = typeof scheduledAt === 'string' && scheduledAt <= (header?.madeAt ?? '');
    if (resource !== 'policies' || !isDue) return [after];
    const activated = {
      status: 'ACTIVE',
      version: scheduledVersion,
      scheduledVersion: null,
      scheduledAt: null,
    };
    return [after, { ...after, ...activated }];
  }

  function checkState(line: StateLine, state: Members, number: number): void {
    const { resource, resourceId, text } = line;
    const at = { line: number, id: resourceId };
    const digestName = textDigestNames[resource];
    if (digestName && state[digestName] !== (text === null ? null : sha256(text)))
      report({
        code: 'changed',
        ...at,
        message: `the text of ${resource}/${resourceId} is not the one of its state`,
      });
    const after = last.get(key(resource, resourceId));
    if (!after) {
      if (isWholeRecord())
        report({
          code: 'uncovered',
          ...at,
          message: `no entry says that ${resource}/${resourceId} is there`,
        });
      return;
    }
    const expected = expectedOf(resource, after);
    const other = Object.keys(state).find(
      (name) => name in after && !expected.some((one) => isSameValue(one[name], state[name])),
    );
    if (other !== undefined) {
      const message = `${other} of ${resource}/${resourceId} is not what its last entry says`;
      report({ code: 'changed', ...at, message });
    }
  }

  /** Whatever has an entry and was not deleted must be there. */
  function reportMissing(): void {
    if (!hasStates) return;
    for (const [at, after] of last) {
      const [resource = '', id = ''] = at.split(' ');
      if (after === null || shown.has(at) || (resource === 'house-policies' && isDeleted(id))) continue;
      report({ code: 'missing', id, message: `${resource}/${id} is missing` });
    }
    for (const [at, digest] of digests) {
      const [resource = '', id = '', version] = at.split(' ');
      if (digest === null || shown.has(at) || (resource === 'policies' && isDeleted(id))) continue;
      if (changedSince.has(key(resource, id))) continue;
      report({ code: 'missing', id, message: `version ${version} of ${resource}/${id} is missing` });
    }
  }

  return {
    header(line) {
      header = line;
    },

    terms({ terms }) {
      seenTerms.add(sha256(terms));
    },

    entry({ entry }, number) {
      const { terms, chain, seq, kind, resource, resourceId, before, after } = entry;
      if (typeof terms === 'string' && !seenTerms.has(terms)) {
        const place = { chain: String(chain), seq: Number(seq), id: String(entry.id) };
        report({
          code: 'changed',
          line: number,
          ...place,
          message: 'the terms that decided are not those that were recorded',
        });
      }
      if (kind !== 'management' || !decidingResources.some((one) => one === resource)) return;
      const id = String(resourceId);
      if (typeof after !== 'string') {
        if (typeof before === 'string') last.set(key(String(resource), id), null);
        return;
      }
      const members = JSON.parse(after) as Members;
      last.set(key(String(resource), id), members);
      noteVersion(String(resource), id, members);
    },

    state(line, number) {
      const { resource, resourceId, state } = line;
      hasStates = true;
      shown.add(key(resource, resourceId));
      if (state === null) changedSince.add(key(resource, resourceId));
      else checkState(line, state, number);
    },

    version({ resource, resourceId, version, text }, number) {
      versions++;
      const at = key(resource, resourceId, version);
      shown.add(at);
      const digest = digests.get(at);
      const name = `version ${version} of ${resource}/${resourceId}`;
      if (typeof digest === 'string') {
        if (digest !== sha256(text))
          report({
            code: 'changed',
            line: number,
            id: resourceId,
            message: `${name} is not the one that was recorded`,
          });
        return;
      }
      unnamedVersions++;
      const isThere = shown.has(key(resource, resourceId)) && !changedSince.has(key(resource, resourceId));
      if (digest === undefined && isThere && isWholeRecord())
        report({
          code: 'uncovered',
          line: number,
          id: resourceId,
          message: `no entry says who made ${name}`,
        });
    },

    end() {
      reportMissing();
      return { versions, unnamedVersions };
    },
  };
}
