import { AppError } from '../../errors.ts';
import type { PolicyIssue } from '../../policy/document/policy-issue.ts';
import type { PolicyChecker } from './checker.ts';
import type { AcceptVersion, VersionInUse } from './store-rows.ts';

/** Makes changes that need the current version of a policy to decide for everybody whom it is bound to. */
export interface VersionCheck {
  /**
   * Calls `change`, again when it asked for a check of what it found. Such a check takes too long for a step of the store: each
   * binding may have other params. `caller` takes turns with others.
   */
  version<T>(caller: string, change: (accepts: AcceptVersion) => Promise<T>): Promise<T>;
  /** The same for the terms of a binding, which a version must be able to decide by. */
  terms<T>(caller: string, change: (accepts: AcceptVersion) => Promise<T>): Promise<T>;
}

type IssuesBy = (params: string) => readonly PolicyIssue[];

/** Thrown out of a change that needs a check first. */
class Unchecked extends Error {
  readonly document: string;
  readonly params: readonly string[];
  constructor(document: string, params: readonly string[]) {
    super('checked by nobody yet');
    this.document = document;
    this.params = params;
  }
}

/** How often a change is tried because its policy or bindings changed meanwhile. */
const mostAttempts = 5;

export function createVersionCheck(checker: Pick<PolicyChecker, 'check'>): VersionCheck {
  const checking =
    (accept: (version: VersionInUse, issuesBy: IssuesBy) => void): VersionCheck['version'] =>
    async (operator, change) => {
      /** By document: a binding is judged by the current version and by the scheduled one. */
      const known = new Map<string, Map<string, readonly PolicyIssue[]>>();
      const accepts: AcceptVersion = (version) => {
        refuseMissing(version.version, version.missingLists);
        const issues = known.get(version.document);
        const unknown = new Set(
          version.bindings.map(({ params }) => params).filter((one) => !issues?.has(one)),
        );
        if (unknown.size > 0) throw new Unchecked(version.document, [...unknown]);
        accept(version, (params) => issues?.get(params) ?? []);
      };
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        try {
          return await change(accepts);
        } catch (error) {
          if (!(error instanceof Unchecked)) throw error;
          const { document, params } = error;
          const issues = known.get(document) ?? new Map<string, readonly PolicyIssue[]>();
          known.set(document, issues);
          const { ofParams } = await checker.check(document, { operator, runTests: false, params });
          params.forEach((one, place) => void issues.set(one, ofParams[place] ?? []));
        }
      }
      throw new AppError('unavailable', 'the policy keeps changing', { retryAfterSeconds: 1 });
    };
  return { version: checking(acceptVersion), terms: checking(acceptTerms) };
}

/** Refuses a version that cannot decide for everybody whom its policy is bound to. */
function acceptVersion({ version, bindings }: VersionInUse, issuesBy: IssuesBy): void {
  for (const [params, integrationId] of new Map(bindings.map((one) => [one.params, one.integrationId]))) {
    const [issue] = issuesBy(params);
    if (!issue) continue;
    const whose = integrationId === null ? 'as a house policy' : `to the integration ${integrationId}`;
    throw new AppError(
      'conflict',
      `version ${version} cannot decide with the params it is bound with ${whose}: ${issue.message}; change them first`,
    );
  }
}

/** Refuses the terms of a binding that a version cannot decide by. */
function acceptTerms({ version, bindings }: VersionInUse, issuesBy: IssuesBy): void {
  const issues = bindings.flatMap(({ params }) => issuesBy(params));
  if (issues.length === 0) return;
  throw new AppError('invalid', `version ${version} of the policy cannot decide with these params`, {
    details: issues.map(({ path, message, hint }) => ({
      message: `${message} (version ${version})`,
      path: path.startsWith('/params/') ? path : '/params',
      ...(hint !== undefined && { hint }),
    })),
  });
}

function refuseMissing(version: number, names: readonly string[]): void {
  if (names.length === 0) return;
  const lists = names.map((name) => `lists.${name}`).join(', ');
  throw new AppError(
    'conflict',
    `version ${version} reads ${lists}, which does not exist: create the list first`,
  );
}
