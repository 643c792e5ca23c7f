import { type Static, Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { never } from '../../../errors.ts';
import { type AccessEvaluation, AccessRequest } from '../../../schemas/authzen.ts';
import { Uuid } from '../../../schemas/values.ts';
import type { AccessRequests, AwaitedReview, NoAccessRequest } from '../../../services/access-requests.ts';
import { integrationOf } from '../../plugins/authenticate.ts';
import type { Scope } from '../../scope.ts';

/** The action that policies see: `tool`, `arguments`, and the other members as they were sent, but not the options of deciding it. */
export function actionOf({ subject, action, resource, context = {} }: AccessEvaluation) {
  const { externalSessionId: _session, reviewRequestId: _review, approval: _approval, ...more } = context;
  return {
    input: { tool: action.name, arguments: action.properties ?? {}, subject, resource, context: more },
    targetKey: `${resource.type}/${resource.id}`.slice(0, 1_000),
  };
}

const Text = Type.String();
const Task = Type.Object({
  task: Type.Object({
    id: Text,
    status: Text,
    status_endpoint: Text,
    expires_at: Type.Optional(Text),
    display: Type.Optional(Type.Object({ description: Text })),
  }),
  result: Type.Optional(
    Type.Object({
      mode: Text,
      approval: Type.Object({ id: Text, approved_at: Text, approved_until: Text }),
    }),
  ),
});

/** Under which an access request is submitted, below the address of the service. */
export const accessRequestPath = '/access/v1/requests';

/**
 * The Access Request and Approval Profile of AuthZEN (draft 1), with the review of a held action as its task. The review is there
 * since the action was held: a submission finds it, however often it is sent.
 */
export function accessRequestRoutes(
  app: Scope,
  { accessRequests }: { accessRequests: AccessRequests },
): void {
  app.post(
    '/requests',
    {
      config: { callers: 'integration', scope: 'evaluate' },
      schema: { hide: true, body: AccessRequest, response: { 202: Task } },
    },
    async (request, reply) => {
      const { denial, ...asked } = request.body;
      const { id } = integrationOf(request);
      const found = await accessRequests.submit(id, denial.evaluation_id.toLowerCase(), actionOf(asked));
      if (typeof found === 'string') return problem(reply, found);
      const body = taskOf(request, found);
      return reply.code(202).header('location', body.task.status_endpoint).send(body);
    },
  );

  app.get(
    '/requests/:id',
    {
      config: { callers: 'integration', scope: 'read' },
      schema: { hide: true, params: Type.Object({ id: Uuid }), response: { 200: Task } },
    },
    async (request, reply) => {
      const review = await accessRequests.find(integrationOf(request).id, request.params.id.toLowerCase());
      return review ? taskOf(request, review) : problem(reply, 'unknown_task');
    },
  );
}

export const addressOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

function taskOf(request: FastifyRequest, review: AwaitedReview): Static<typeof Task> {
  const { id, status, comment, decidedAt, expiresAt } = review;
  const isApproved = (status === 'APPROVED' || status === 'CONSUMED') && decidedAt !== null;
  return {
    task: {
      id,
      status: statusOf(status),
      status_endpoint: `${addressOf(request)}${accessRequestPath}/${id}`,
      ...(status === 'PENDING' && { expires_at: expiresAt }),
      ...(comment !== null && { display: { description: comment } }),
    },
    ...(isApproved && {
      result: {
        mode: 'reevaluate',
        approval: { id, approved_at: decidedAt, approved_until: expiresAt },
      },
    }),
  };
}

function statusOf(status: AwaitedReview['status']): string {
  switch (status) {
    case 'PENDING':
      return 'pending';
    // A task stays approved; whether its approval is used up, the evaluation says.
    case 'APPROVED':
    case 'CONSUMED':
      return 'approved';
    case 'REJECTED':
      return 'denied';
    case 'EXPIRED':
      return 'expired';
    case 'CANCELLED':
      return 'cancelled';
    default:
      return never(status);
  }
}

const problems = {
  invalid_denial_binding: [
    400,
    'no held evaluation of this integration has this evaluation_id, subject, resource, action and context',
  ],
  not_requestable: [400, 'the evaluation does not wait for an approval'],
  expired_denial: [410, 'the review has expired, or ended with its session: evaluate the action again'],
  unknown_task: [404, 'there is no task with this id'],
} as const satisfies Record<NoAccessRequest | 'unknown_task', readonly [number, string]>;

/** In the form that the profile wants (RFC 9457). */
function problem(reply: FastifyReply, kind: keyof typeof problems): FastifyReply {
  const [status, title] = problems[kind];
  const type = `urn:openid:authzen:access-request:error:${kind}`;
  return reply.code(status).type('application/problem+json').send({ type, title, status });
}
