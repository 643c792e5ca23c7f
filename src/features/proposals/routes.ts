import { Type } from '@sinclair/typebox';
import { operatorOf, operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { pageQuery, Uuid } from '../../schemas/values.ts';
import { Proposal, ProposalStatus, ProposalSummary, ProposeChange } from './schema.ts';
import type { Proposals } from './service.ts';

const tags = ['policies'];
const params = Type.Object({ id: Uuid });

export function proposalRoutes(app: Scope, { proposals }: { proposals: Proposals }): void {
  app.post(
    '/proposals',
    {
      config: operatorsWith('proposals:write'),
      schema: {
        operationId: 'proposeChange',
        summary: 'Propose a change that another operator activates',
        description:
          'For changes of what decides that are no version of a policy: bindings with their params and mode, house policies, the end of a policy, lists, tool catalogues, names and settings of integrations. With `ASSIZE_FOUR_EYES=policies` they are made in this way only. The body has the operation, its target, and what the operation takes. The caller needs the permission of the operation, too.',
        tags,
        body: ProposeChange,
        response: { 201: responseOf(Proposal, 201), ...errorResponses },
      },
    },
    async (request, reply) =>
      reply.code(201).send(envelope(201, await proposals.propose(operatorOf(request), request.body))),
  );

  app.get(
    '/proposals',
    {
      config: operatorsWith('proposals:read'),
      schema: {
        operationId: 'listProposals',
        summary: 'List proposed changes without their details, newest first',
        tags,
        querystring: pageQuery({ status: Type.Optional(ProposalStatus) }),
        response: { 200: listOf(ProposalSummary), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
      return pageEnvelope(await proposals.list({ page, size }, filter));
    },
  );

  app.get(
    '/proposals/:id',
    {
      config: operatorsWith('proposals:read'),
      schema: {
        operationId: 'readProposal',
        summary: 'Read a proposed change, and what it would change',
        tags,
        params,
        response: { 200: responseOf(Proposal), ...errorResponses },
      },
    },
    async (request) => envelope(200, await proposals.read(request.params.id)),
  );

  app.post(
    '/proposals/:id/activate',
    {
      config: operatorsWith('proposals:write'),
      schema: {
        operationId: 'activateProposal',
        summary: 'Make a proposed change',
        description:
          'Under four-eyes control, its author cannot, nor another operator with the `entityId` of its author. Responds with 409 when what it would change was changed since it was proposed, or its author may not do it any more.',
        tags,
        params,
        response: { 200: responseOf(Proposal), ...errorResponses },
      },
    },
    async (request) => envelope(200, await proposals.activate(operatorOf(request), request.params.id)),
  );

  app.post(
    '/proposals/:id/reject',
    {
      config: operatorsWith('proposals:write'),
      schema: {
        operationId: 'rejectProposal',
        summary: 'Reject a proposed change, or withdraw an own one',
        tags,
        params,
        response: { 200: responseOf(Proposal), ...errorResponses },
      },
    },
    async (request) => envelope(200, await proposals.reject(operatorOf(request), request.params.id)),
  );
}
