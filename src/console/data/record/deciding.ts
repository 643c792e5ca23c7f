import { canonicalJson } from '../../../json/stringify.ts';
import { type Line, type Report, sha256 } from './hashes.ts';

type Members = Record<string, unknown>;

/** The digest of the text that comes with a state, of that of a version, and which version that is. */
const digests: Readonly<Record<string, { text?: string; version?: string; ofVersion?: string }>> = {
  policies: { version: 'latestVersion', ofVersion: 'documentSha256' },
  lists: { version: 'version', ofVersion: 'changeSha256', text: 'entriesSha256' },
  integrations: { text: 'toolsSha256' },
  'house-policies': {},
};

export interface DecidingCheck {
  header(line: Line): void;
  terms(line: Line): Promise<void>;
  entry(line: Line, number: number): void;
  state(line: Line, number: number): Promise<void>;
  version(line: Line, number: number): Promise<void>;
  end(): void;
}

/** Whether what decides is what the entries of management say of it. */
export function checkDeciding(report: Report): DecidingCheck {
  /** By resource and id, as its last entry has it; null for what was deleted. */
  const named = new Map<string, Members | null>();
  const made = new Map<string, string | null>();
  const terms = new Set<string>();
  const seen = new Set<string>();
  const open = new Set<string>();
  let madeAt = '';
  let isAll = false;
  const wrong = (about: string, line: number | null): void => report('decides', about, line);
  const isGone = (policy: unknown): boolean => named.get(`policies/${policy}`) === null;

  /** A schedule comes, and bindings go with their policy, without an entry of their own. */
  function formsOf(resource: unknown, after: Members): Members[] {
    const { policies, scheduledAt, scheduledVersion: version } = after;
    if (resource === 'integrations' && Array.isArray(policies))
      return [{ ...after, policies: policies.filter(({ id }) => !isGone(id)) }];
    if (resource !== 'policies' || typeof scheduledAt !== 'string' || scheduledAt > madeAt) return [after];
    return [after, { ...after, status: 'ACTIVE', version, scheduledVersion: null, scheduledAt: null }];
  }

  return {
    header(line) {
      madeAt = String(line.madeAt);
      isAll = line.chain === null && Array.isArray(line.frontier) && line.frontier.length === 0;
    },

    async terms(line) {
      terms.add(await sha256(String(line.terms)));
    },

    entry({ entry }, number) {
      const { kind, resource, resourceId, before, after, ...of } = entry as Members;
      if (typeof of.terms === 'string' && !terms.has(of.terms)) wrong(`${of.chain} ${of.seq}`, number);
      const known = kind === 'management' ? digests[String(resource)] : undefined;
      if (!known) return;
      const name = `${resource}/${resourceId}`;
      if (typeof after !== 'string') {
        if (typeof before === 'string') named.set(name, null);
        return;
      }
      const members = JSON.parse(after) as Members;
      named.set(name, members);
      if (!known.version || !known.ofVersion) return;
      const version = `${name} ${members[known.version]}`;
      const digest = members[known.ofVersion];
      if (!made.get(version)) made.set(version, typeof digest === 'string' ? digest : null);
    },

    async state({ resource, resourceId, state, text }, number) {
      const name = `${resource}/${resourceId}`;
      seen.add(name);
      if (state === null) {
        open.add(name);
        return;
      }
      const now = state as Members;
      const digest = digests[String(resource)]?.text;
      const ofText = typeof text === 'string' ? await sha256(text) : null;
      const after = named.get(name);
      if (digest && now[digest] !== ofText) wrong(name, number);
      else if (!after) {
        if (isAll) wrong(name, number);
      } else {
        const forms = formsOf(resource, after);
        const isSaid = (member: string): boolean =>
          !(member in after) ||
          forms.some((one) => canonicalJson(one[member]) === canonicalJson(now[member]));
        if (!Object.keys(now).every(isSaid)) wrong(name, number);
      }
    },

    async version({ resource, resourceId, version, text }, number) {
      const name = `${resource}/${resourceId}`;
      const about = `${name} ${version}`;
      seen.add(about);
      const digest = made.get(about);
      if (digest) {
        if (digest !== (await sha256(String(text)))) wrong(about, number);
      } else if (digest === undefined && isAll && seen.has(name) && !open.has(name)) wrong(about, number);
    },

    end() {
      if (seen.size === 0) return;
      for (const [name, after] of named) {
        const [resource, id] = name.split('/');
        if (after && !seen.has(name) && !(resource === 'house-policies' && isGone(id))) wrong(name, null);
      }
      for (const [about, digest] of made) {
        const [name = ''] = about.split(' ');
        const [resource, id] = name.split('/');
        const isFree = open.has(name) || (resource === 'policies' && isGone(id));
        if (digest && !seen.has(about) && !isFree) wrong(about, null);
      }
    },
  };
}
