import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { hashAction, inputHash } from '../evaluate/content.ts';
import type { Evaluations } from '../evaluate/evaluate.ts';
import type { DecidingPoliciesSource } from '../evaluate/in-force.ts';
import type { ReviewStatus } from '../features/reviews/schema.ts';
import { stringifyJson } from '../json/stringify.ts';
import { letsThrough } from '../schemas/decisions.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import type { Store, StoredReview } from '../store/store.ts';
import type { IntegrationCaller } from './access/authentication.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

/** The action that an evaluation judged. */
export interface JudgedAction {
  input: object;
  targetKey: string;
}

/** A review as the caller who waits for it sees it. */
export interface AwaitedReview {
  id: string;
  status: ReviewStatus;
  comment: string | null;
  decidedAt: string | null;
  expiresAt: string;
}

/** Why an evaluation has no review that can be asked about. */
export type NoAccessRequest = 'invalid_denial_binding' | 'not_requestable' | 'expired_denial';

/** The reviews of held actions, for programs that know only the evaluation that held the action. */
export interface AccessRequests {
  /** The review that the evaluation waits for, when `action` is what it judged. */
  submit(
    integrationId: string,
    evaluationId: string,
    action: JudgedAction,
  ): Promise<AwaitedReview | NoAccessRequest>;
  /** Null when the integration has no such review. */
  find(integrationId: string, reviewId: string): Promise<AwaitedReview | null>;
}

export function createAccessRequests({ store, now }: { store: Store; now: () => number }): AccessRequests {
  const read = (integrationId: string, id: string) => store.reviews.find(integrationId, id, now());
  return {
    async find(integrationId, reviewId) {
      const review = await read(integrationId, reviewId);
      return review && awaited(review);
    },

    async submit(integrationId, evaluationId, { input, targetKey }) {
      const evaluation = await store.evaluations.find(integrationId, evaluationId);
      if (!evaluation) return 'invalid_denial_binding';
      const { enforcementAction, reviewRequestId } = evaluation;
      if (enforcementAction !== 'APPROVAL_REQUIRED' || reviewRequestId === null) return 'not_requestable';
      const review = await read(integrationId, reviewRequestId);
      const contentHash = hashAction(input, targetKey, null, 'ACTION');
      if (review?.inputHash !== inputHash(store.salt, contentHash, null)) return 'invalid_denial_binding';
      const isOver = review.status === 'EXPIRED' || review.status === 'CANCELLED';
      return isOver ? 'expired_denial' : awaited(review);
    },
  };
}

const awaited = ({ id, status, comment, decidedAt, expiresAt }: StoredReview): AwaitedReview => ({
  id,
  status,
  comment,
  decidedAt: isoTimeOrNull(decidedAt),
  expiresAt: isoTime(expiresAt),
});

/** A search of subjects or resources: every candidate of the type is decided as an evaluation of it would be. */
interface Search {
  of: 'subjects' | 'resources';
  type: string;
  requestFor(id: string): EvaluateRequest;
  page: { token?: string | undefined; limit?: number | undefined };
  identityToken: string | null;
}

export interface AccessSearch {
  /** The ids that are permitted, in order; `next` is null at the end. Nothing is recorded. Throws when no policy knows candidates. */
  find(caller: IntegrationCaller, search: Search): Promise<{ ids: string[]; next: string | null }>;
}

/** Candidates that one request decides: it must not keep others waiting. The rest is on the next page. */
const mostDecided = 500;
const mostFound = 100;

/**
 * Candidates are the entries of the shared list `subjects_TYPE` or `resources_TYPE`, when a policy in force for the integration reads
 * it: a list that decides nothing for the caller must not be read through a search.
 */
export function createAccessSearch({
  evaluations,
  deciding,
}: {
  evaluations: Evaluations;
  deciding: Pick<DecidingPoliciesSource, 'of'>;
}): AccessSearch {
  async function candidates(integrationId: string, of: Search['of'], type: string) {
    const { policies, revision, delegators } = await deciding.of(integrationId);
    const prefix = `${of}_`;
    const name = prefix + type.replace(/[^A-Za-z0-9]/g, '_');
    const lists = policies.flatMap((policy) => Object.entries(policy.lists));
    if (!lists.some(([read]) => read.startsWith(prefix)))
      throw new AppError(
        'not_found',
        `${of} cannot be searched: no policy of this integration reads a list that names them, such as lists.${name}`,
        { path: `/${of.slice(0, -1)}/type` },
      );
    return { entries: lists.find(([read]) => read === name)?.[1] ?? [], revisions: [revision, delegators] };
  }

  async function isPermitted(caller: IntegrationCaller, request: EvaluateRequest, token: string | null) {
    try {
      const { data } = await evaluations.evaluate(caller, request, {
        transport: 'REST',
        redact: false,
        idempotencyKey: null,
        text: stringifyJson(request),
        identityToken: token,
        previews: 'target',
      });
      return letsThrough(data.enforcementAction);
    } catch (error) {
      // Such as a session that is over, or that belongs to somebody else: an evaluation of the candidate would be refused.
      if (error instanceof AppError && error.code === 'conflict') return false;
      throw error;
    }
  }

  return {
    async find(caller, { of, type, requestFor, page, identityToken }) {
      const { entries, revisions } = await candidates(caller.integration.id, of, type);
      // The same for every candidate: what else was asked for, and of which revisions the entries are.
      const asked = hash('sha256', stringifyJson([of, type, requestFor(''), revisions]), 'base64url');
      const begin = page.token ? readToken(page.token, asked) : 0;
      const most = Math.min(page.limit ?? mostFound, mostFound);
      const ids: string[] = [];
      let end = begin;
      for (const id of entries.slice(begin, begin + mostDecided)) {
        if (ids.length === most) break;
        end += 1;
        if (await isPermitted(caller, requestFor(id), identityToken)) ids.push(id);
      }
      return { ids, next: end < entries.length ? tokenOf(end, asked) : null };
    },
  };
}

/** Names a place and no candidate: the caller may not learn the ids that it is not permitted. */
const tokenOf = (place: number, asked: string): string =>
  Buffer.from(JSON.stringify([place, asked])).toString('base64url');

/** The place of the entry that the page begins with. */
function readToken(token: string, asked: string): number {
  try {
    const [place, of]: unknown[] = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Number.isSafeInteger(place) && (place as number) >= 0 && of === asked) return place as number;
  } catch {
    // Refused below.
  }
  throw new AppError(
    'invalid',
    'must be the next_token of a response to this same search; begin anew when a policy or a list has changed since',
    { path: '/page/token' },
  );
}
