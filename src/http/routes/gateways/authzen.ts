import { type Static, Type } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { rejectedReason } from '../../../evaluate/approval.ts';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import { stopOfEveryCall } from '../../../features/tools/allowed.ts';
import type { ToolCatalogues } from '../../../features/tools/service.ts';
import {
  AccessEvaluation,
  AccessEvaluationItem,
  AccessEvaluations,
  ActionSearch,
  ResourceSearch,
  SubjectSearch,
} from '../../../schemas/authzen.ts';
import type { EvaluateResult } from '../../../schemas/evaluations.ts';
import type { AccessRequests, AccessSearch } from '../../../services/access-requests.ts';
import { identityTokenOf } from '../../headers.ts';
import { integrationCallerOf, integrationOf } from '../../plugins/authenticate.ts';
import { explainMistakes } from '../../plugins/schema-compilers.ts';
import type { Scope } from '../../scope.ts';
import { accessRequestPath, actionOf, addressOf } from './access-requests.ts';
import { decide, sessionNamed } from './decide.ts';

const decision = Type.Object({
  decision: Type.Boolean(),
  context: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const foundEntities = Type.Object({
  results: Type.Array(Type.Object({ type: Type.String(), id: Type.String() })),
  page: Type.Object({ next_token: Type.String(), count: Type.Integer() }),
});
const foundActions = Type.Object({ results: Type.Array(Type.Object({ name: Type.String() })) });
const config = { callers: 'integration', scope: 'evaluate' } as const;

/**
 * The access evaluation API of AuthZEN 1.0. `action.name` is the tool, `resource` its target, and the session is that of the
 * subject unless the context names one. A held action is denied; its context says which review it waits for.
 */
export function authzenRoutes(
  app: Scope,
  {
    evaluations,
    accessRequests,
    accessSearch,
    toolCatalogues,
  }: {
    evaluations: Evaluations;
    accessRequests: AccessRequests;
    accessSearch: AccessSearch;
    toolCatalogues: Pick<ToolCatalogues, 'read'>;
  },
): void {
  /** The answer to a held action beside its denial (`accessRequestRoutes`). */
  const requestable = async (
    request: FastifyRequest,
    { evaluationRunId, reviewRequestId }: EvaluateResult,
  ) => {
    const review = await accessRequests.find(integrationOf(request).id, `${reviewRequestId}`);
    if (review?.status !== 'PENDING') return {};
    return {
      evaluation_id: evaluationRunId,
      reason: 'approval_required',
      access_request: {
        endpoint: `${addressOf(request)}${accessRequestPath}`,
        expires_at: review.expiresAt,
      },
    };
  };

  const evaluate = async (
    request: FastifyRequest,
    asked: AccessEvaluation,
  ): Promise<Static<typeof decision>> => {
    const { allowed, reason, response } = await decide(evaluations, request, requestOf(asked));
    const { evaluationRunId, reviewRequestId, pollUrl } = response;
    return {
      decision: allowed,
      context: {
        id: evaluationRunId,
        ...(reason !== '' && { reason_user: { en: reason } }),
        ...(reviewRequestId !== null && { reviewRequestId }),
        ...(pollUrl !== null && { pollUrl, ...(await requestable(request, response)) }),
        ...(response.approval?.reason === 'rejected' && { reason: rejectedReason }),
      },
    };
  };

  /** An item that cannot be evaluated is denied, and says why; the other items are decided. */
  const evaluateItem = async (
    request: FastifyRequest,
    { shared, one, at }: { shared: Item; one: unknown; at: number },
  ): Promise<Static<typeof decision>> => {
    try {
      const path = `/evaluations/${at}`;
      checkItem(request, one, path);
      return await evaluate(request, complete(merged(shared, one), path));
    } catch (error) {
      if (!(error instanceof AppError) || !(error.code in ofItem)) throw error;
      const message = error.details
        .map((detail) => `${detail.path ?? ''} ${detail.message}`.trim())
        .join('; ');
      const status = ofItem[error.code as keyof typeof ofItem];
      return { decision: false, context: { error: { status, message } } };
    }
  };

  app.post(
    '/evaluation',
    { config, schema: { hide: true, body: AccessEvaluation, response: { 200: decision } } },
    async (request) => {
      return evaluate(request, request.body);
    },
  );

  app.post(
    '/search/action',
    { config, schema: { hide: true, body: ActionSearch, response: { 200: foundActions } } },
    async (request) => {
      const { tools } = await toolCatalogues.read(integrationOf(request).id);
      const results: Static<typeof foundActions>['results'] = [];
      // One after another: a search must not keep the evaluations of others waiting.
      for (const { name } of tools) {
        const reason = await stopOfEveryCall(
          evaluations,
          integrationCallerOf(request),
          requestOf({ ...request.body, action: { name } }),
          { known: 'target', identityToken: identityTokenOf(request) },
        );
        if (reason === null) results.push({ name });
      }
      return { results };
    },
  );

  /** The entities of a type with which the evaluation is permitted. */
  const findEntities = async (
    request: FastifyRequest,
    of: 'subjects' | 'resources',
    type: string,
    asked: (id: string) => AccessEvaluation,
  ): Promise<Static<typeof foundEntities>> => {
    const { page = {} } = request.body as Static<typeof SubjectSearch>;
    const { ids, next } = await accessSearch.find(integrationCallerOf(request), {
      of,
      type,
      requestFor: (id) => requestOf(asked(id)),
      page,
      identityToken: identityTokenOf(request),
    });
    return {
      results: ids.map((id) => ({ type, id })),
      page: { next_token: next ?? '', count: ids.length },
    };
  };

  app.post(
    '/search/subject',
    { config, schema: { hide: true, body: SubjectSearch, response: { 200: foundEntities } } },
    async (request) => {
      const { page: _, subject, ...asked } = request.body;
      const { type } = subject;
      return findEntities(request, 'subjects', type, (id) => ({ ...asked, subject: { ...subject, id } }));
    },
  );

  app.post(
    '/search/resource',
    { config, schema: { hide: true, body: ResourceSearch, response: { 200: foundEntities } } },
    async (request) => {
      const { page: _, resource, ...asked } = request.body;
      const { type } = resource;
      return findEntities(request, 'resources', type, (id) => ({ ...asked, resource: { ...resource, id } }));
    },
  );

  app.post(
    '/evaluations',
    {
      config,
      schema: {
        hide: true,
        body: AccessEvaluations,
        response: { 200: Type.Union([decision, Type.Object({ evaluations: Type.Array(decision) })]) },
      },
    },
    async (request) => {
      const { evaluations: list = [], options, ...shared } = request.body;
      if (list.length === 0) return evaluate(request, complete(shared, ''));
      const stopAt = { execute_all: null, deny_on_first_deny: false, permit_on_first_permit: true };
      const last = stopAt[options?.evaluations_semantic ?? 'execute_all'];
      const decided: Static<typeof decision>[] = [];
      // In order: rules see what came before.
      for (const [at, one] of list.entries()) {
        const each = await evaluateItem(request, { shared, one, at });
        decided.push(each);
        if (each.decision === last) break;
      }
      return { evaluations: decided };
    },
  );
}

/** Public: programs discover the endpoints before they have a key. */
export function authzenConfigurationRoutes(app: Scope): void {
  app.get('/.well-known/authzen-configuration', { schema: { hide: true } }, async (request) => {
    const base = addressOf(request);
    return {
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
      access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      search_subject_endpoint: `${base}/access/v1/search/subject`,
      search_resource_endpoint: `${base}/access/v1/search/resource`,
      search_action_endpoint: `${base}/access/v1/search/action`,
      access_request_endpoint: `${base}${accessRequestPath}`,
      capabilities: ['urn:openid:authzen:capability:access-request'],
    };
  });
}

/** Errors that are about one evaluation of several. Every other one is about the request. */
const ofItem = { invalid: 400, not_found: 404, conflict: 409 } as const;

type Item = Static<typeof AccessEvaluationItem>;

/** Throws AppError for what is no part of an evaluation, with its places. */
function checkItem(request: FastifyRequest, one: unknown, path: string): asserts one is Item {
  const validate = request.compileValidationSchema(AccessEvaluationItem);
  if (validate(one)) return;
  const mistakes = explainMistakes((validate.errors ?? []) as unknown as ErrorObject[]);
  const details = mistakes.map((mistake) => ({ ...mistake, path: path + (mistake.path ?? '') }));
  throw new AppError('invalid', 'the evaluation is malformed', { details });
}

function requestOf(asked: AccessEvaluation) {
  const { subject, context: { externalSessionId, reviewRequestId, approval } = {} } = asked;
  const review = reviewRequestId ?? approval?.id;
  return {
    ...actionOf(asked),
    ...(externalSessionId === undefined ? sessionNamed('subject', nameOf(subject)) : { externalSessionId }),
    ...(review !== undefined && { reviewRequestId: review }),
  };
}

/** A name that two subjects never share: a type holds no space. */
const nameOf = ({ type, id }: AccessEvaluation['subject']): string =>
  `${type.replace(/[% ]/g, encodeURIComponent)} ${id}`;

const required = { subject: ['type', 'id'], action: ['name'], resource: ['type', 'id'] } as const;
const members = Object.entries(required) as [keyof typeof required, readonly string[]][];

/** Members replace those in common as a whole, except that each takes the type, id or name that it leaves out from them. */
function merged(shared: Item, one: Item): Item {
  const whole: Item = { ...shared, ...one };
  for (const [member, names] of members) {
    const common = Object.entries(shared[member] ?? {}).filter(([name]) => names.includes(name));
    if (one[member]) whole[member] = { ...Object.fromEntries(common), ...one[member] };
  }
  return whole;
}

function complete(asked: Item, at: string): AccessEvaluation {
  for (const [member, names] of members) {
    const given: object | undefined = asked[member];
    const missing = given === undefined ? '' : names.find((name) => !Object.hasOwn(given, name));
    if (missing !== undefined)
      throw new AppError('invalid', 'is required, here or for all evaluations', {
        path: `${at}/${member}${missing && `/${missing}`}`,
      });
  }
  return asked as AccessEvaluation;
}

/** The specification's own request id, beside ours, on refusals as well. */
export async function echoId(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const id = request.headers['x-request-id'];
  if (typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id)) reply.header('x-request-id', id);
}
