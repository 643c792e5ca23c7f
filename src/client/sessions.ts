/// <reference lib="esnext.disposable" preserve="true" />
import type {
  CreatedEvaluationSession,
  CreateEvaluationSession,
  EndEvaluationSession,
  EndedEvaluationSession,
  EndStatus,
  EvaluationSession,
  ListedEvaluationSession,
  SessionStatus,
} from '../features/sessions/schema.ts';
import type { EvaluateRequest, EvaluateResult, ListedEvaluation } from '../schemas/evaluations.ts';
import { AssizeError } from './error.ts';
import { type Http, path } from './http.ts';
import type { CallOptions, OnceOptions } from './options.ts';
import { type Page, type PageRequest, pageOf } from './response.ts';

export interface SessionFilter extends PageRequest {
  status?: SessionStatus;
  entityId?: string;
  externalSessionId?: string;
  /** Only the sessions that were opened below this one. */
  parentSessionId?: string;
}

/** A session to evaluate in. `await using` ends it as COMPLETED at the end of the block. */
export interface Session extends CreatedEvaluationSession, AsyncDisposable {
  evaluate(request: Omit<EvaluateRequest, 'sessionId'>, options?: EvaluateOptions): Promise<EvaluateResult>;
  /** Default: COMPLETED. Rejects with `conflict` when the session is no longer ACTIVE. */
  end(status?: EndStatus, options?: OnceOptions): Promise<EndedEvaluationSession>;
}

export interface EvaluateOptions extends OnceOptions {
  /** Adds `redactedInput` to the response: the input with detected values masked. */
  redact?: boolean;
}

export interface Sessions {
  /** Creates a session, and returns it with methods. */
  start(request?: CreateEvaluationSession, options?: OnceOptions): Promise<Session>;
  create(request?: CreateEvaluationSession, options?: OnceOptions): Promise<CreatedEvaluationSession>;
  end(id: string, request?: EndEvaluationSession, options?: OnceOptions): Promise<EndedEvaluationSession>;
  get(id: string, options?: CallOptions): Promise<EvaluationSession>;
  /** Newest first. */
  list(filter?: SessionFilter, options?: CallOptions): Promise<Page<ListedEvaluationSession>>;
  /** Takes a label from a session. Needs an operator's key, as `removeGrant` does. */
  removeLabel(id: string, label: string, options?: CallOptions): Promise<EvaluationSession>;
  /** Takes a grant of an approval back: what it would have let through is held again. */
  removeGrant(id: string, grantId: string, options?: CallOptions): Promise<EvaluationSession>;
  /** The evaluations of a session, newest first. */
  evaluations(id: string, page?: PageRequest, options?: CallOptions): Promise<Page<ListedEvaluation>>;
}

export type Evaluate = (request: EvaluateRequest, options?: EvaluateOptions) => Promise<EvaluateResult>;

export function createSessions(http: Http, evaluate: Evaluate): Sessions {
  const sessions: Sessions = {
    async start(request, options) {
      const created = await sessions.create(request, options);
      let ended = false;
      const end: Session['end'] = async (status, options) => {
        const response = await sessions.end(created.id, { ...(status && { status }) }, options);
        ended = true;
        return response;
      };
      return {
        ...created,
        evaluate: (request, options) => evaluate({ ...request, sessionId: created.id }, options),
        end,
        [Symbol.asyncDispose]: async () => {
          if (!ended) await end().catch(unlessOver);
        },
      };
    },

    async create(request = {}, options) {
      const call = { method: 'POST', path: '/v1/evaluation-sessions', json: request, once: true } as const;
      return (await http.send<CreatedEvaluationSession>(call, options)).data;
    },

    async end(id, request = {}, options) {
      const at = path`/v1/evaluation-sessions/${id}/end`;
      const call = { method: 'POST', path: at, json: request, once: true } as const;
      return (await http.send<EndedEvaluationSession>(call, options)).data;
    },

    async get(id, options) {
      const call = { method: 'GET', path: path`/v1/evaluation-sessions/${id}` } as const;
      return (await http.send<EvaluationSession>(call, options)).data;
    },

    async list(filter = {}, options) {
      const call = { method: 'GET', path: '/v1/evaluation-sessions', query: { ...filter } } as const;
      return pageOf(await http.send<ListedEvaluationSession[]>(call, options));
    },

    async removeLabel(id, label, options) {
      const at = path`/v1/evaluation-sessions/${id}/remove-label`;
      return (await http.send<EvaluationSession>({ method: 'POST', path: at, json: { label } }, options))
        .data;
    },

    async removeGrant(id, grantId, options) {
      const at = path`/v1/evaluation-sessions/${id}/remove-grant`;
      return (await http.send<EvaluationSession>({ method: 'POST', path: at, json: { grantId } }, options))
        .data;
    },

    async evaluations(id, page = {}, options) {
      const at = path`/v1/evaluation-sessions/${id}/evaluations`;
      return pageOf(
        await http.send<ListedEvaluation[]>({ method: 'GET', path: at, query: { ...page } }, options),
      );
    },
  };
  return sessions;
}

/** Ignores the error of a session that has expired or was ended elsewhere. */
function unlessOver(error: unknown): void {
  if (!(error instanceof AssizeError && error.code === 'conflict')) throw error;
}
