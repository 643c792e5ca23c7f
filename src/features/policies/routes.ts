import { type TSchema, Type } from '@sinclair/typebox';
import { AppError } from '../../errors.ts';
import { expectedVersions, IfMatch, withETag } from '../../http/headers.ts';
import { operatorOf, operatorsWith } from '../../http/plugins/authenticate.ts';
import { readJson, readText } from '../../http/plugins/json-body.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { policySchema } from '../../schemas/policy-documents.ts';
import { ExactName, KeptText, OptionalBody, pageQuery, Uuid } from '../../schemas/values.ts';
import type { PolicyActivation } from './activation.ts';
import {
  ActivatedPolicy,
  ActivatePolicy,
  ListedPolicy,
  Policy,
  PolicyCheck,
  PolicyDiff,
  type PolicyMediaType,
  PolicyProof,
  PolicyStatus,
  PolicySummary,
  PolicyVersion,
  SavedPolicy,
  SchedulePolicy,
  TriedPolicy,
  TryPolicy,
} from './schema.ts';
import type { Policies, SentDocument } from './service.ts';

const params = Type.Object({ id: Uuid });
const version = Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'version number' });
const tags = ['policies'];

export function policyRoutes(app: Scope, { policies }: { policies: Policies }): void {
  app.get(
    '/policies',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'listPolicies',
        summary: 'List policies, newest first',
        tags,
        querystring: pageQuery({ status: Type.Optional(PolicyStatus), name: Type.Optional(ExactName) }),
        response: { 200: listOf(ListedPolicy), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...filter } = withPage(request.query);
      return pageEnvelope(await policies.list({ page, size }, filter));
    },
  );

  app.get(
    '/policies/:id',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'readPolicy',
        summary: 'Read a policy and its current document',
        tags,
        params,
        response: { 200: responseOf(Policy), ...errorResponses },
      },
    },
    async (request, reply) => {
      const policy = await policies.read(request.params.id);
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.get(
    '/policies/:id/versions',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'listPolicyVersions',
        summary: 'List the versions of a policy, newest first',
        tags,
        params,
        querystring: pageQuery({}),
        response: { 200: listOf(PolicyVersion), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size } = withPage(request.query);
      return pageEnvelope(await policies.listVersions(request.params.id, { page, size }));
    },
  );

  app.get(
    '/policies/:id/versions/:version',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'readPolicyVersion',
        summary: 'Read one version of a policy',
        tags,
        params: Type.Object({ id: Uuid, version }),
        response: { 200: responseOf(PolicyVersion), ...errorResponses },
      },
    },
    async ({ params }) => envelope(200, await policies.readVersion(params.id, Number(params.version))),
  );

  app.get(
    '/policies/:id/versions/:from/diff/:to',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'comparePolicyVersions',
        summary: 'Compare two versions of a policy',
        description:
          'Lists the settings, params, variables, counters, detectors, tools, rules, labels and tests in which version `to` differs from version `from`, and returns a unified diff.',
        tags,
        params: Type.Object({ id: Uuid, from: version, to: version }),
        response: { 200: responseOf(PolicyDiff), ...errorResponses },
      },
    },
    async (request) => {
      const { id, from, to } = request.params;
      return envelope(200, await policies.diff(operatorOf(request), id, Number(from), Number(to)));
    },
  );

  app.post(
    '/policies/try',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'tryPolicy',
        summary: 'Decide one action by a document, without storing anything',
        description:
          'Decides as if the policy were enforced alone, with the entries that shared lists have now unless `given.lists` says others, and says what each rule saw.',
        tags,
        body: TryPolicy,
        response: { 200: responseOf(TriedPolicy), ...errorResponses },
      },
    },
    async (request) => envelope(200, await policies.tryAction(operatorOf(request), request.body)),
  );

  app.delete(
    '/policies/:id',
    {
      config: operatorsWith('policies:write'),
      schema: {
        operationId: 'deletePolicy',
        summary: 'Delete a policy that took part in no decision',
        description:
          'A policy that took part in a decision is kept for the record: the response is 409. Deprecate it instead.',
        tags,
        params,
        headers: IfMatch,
        response: { 200: responseOf(PolicySummary), ...errorResponses },
      },
    },
    async (request) => envelope(200, await policies.delete(request.params.id, expectedVersions(request))),
  );
}

const note = Type.Optional(KeptText(500, { description: 'why this version was written' }));

/** Largest document, in bytes. */
const bodyLimit = 262_144;

/** The body of these routes is a policy document, kept as it is sent; its form is checked by the policy engine. */
const body = {
  content: Object.fromEntries(
    ['application/yaml', 'application/json'].map((type) => [
      type,
      {
        schema: Type.Unsafe<SentDocument>({ description: 'a policy document: docs/policies.md' }) as TSchema,
      },
    ]),
  ),
};

export function policyDocumentRoutes(app: Scope, { policies }: { policies: Policies }): void {
  app.removeAllContentTypeParsers();
  const parse = (mediaType: PolicyMediaType, types: string[]) =>
    app.addContentTypeParser(
      types,
      { parseAs: 'buffer', bodyLimit },
      async (_request: unknown, raw: Buffer) => {
        const text = readText(raw);
        if (mediaType === 'application/json') readJsonDocument(text);
        return { text, mediaType } satisfies SentDocument;
      },
    );
  // RFC 9512 registers application/yaml; the others are its older spellings.
  parse('application/yaml', ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml']);
  parse('application/json', ['application/json']);

  app.post(
    '/policies',
    {
      config: operatorsWith('policies:write'),
      schema: {
        operationId: 'createPolicy',
        summary: 'Create a policy from a document',
        tags,
        querystring: Type.Object(
          {
            activate: Type.Optional(
              Type.Boolean({ default: false, description: 'activates the policy at once' }),
            ),
            note,
          },
          { additionalProperties: false },
        ),
        body,
        response: { 201: responseOf(SavedPolicy, 201), ...errorResponses },
      },
    },
    async (request, reply) => {
      const status = request.query.activate ? 'ACTIVE' : 'DRAFT';
      const policy = await policies.create(
        operatorOf(request),
        documentOf(request.body),
        status,
        request.query.note,
      );
      return withETag(reply, policy.revision).code(201).send(envelope(201, policy));
    },
  );

  app.put(
    '/policies/:id',
    {
      config: operatorsWith('policies:write'),
      schema: {
        operationId: 'updatePolicy',
        summary: 'Add the next version of a policy',
        description:
          'The new version becomes current at once: an ACTIVE policy uses it from the next request on. With `ASSIZE_FOUR_EYES=policies`, an ACTIVE policy keeps using its current version until another operator activates the new one.',
        tags,
        params: Type.Object({ id: Uuid }),
        querystring: Type.Object({ note }, { additionalProperties: false }),
        headers: IfMatch,
        body,
        response: { 200: responseOf(SavedPolicy), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { note = null } = request.query;
      const options = { note, expected: expectedVersions(request) };
      const policy = await policies.update(
        operatorOf(request),
        request.params.id,
        documentOf(request.body),
        options,
      );
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.post(
    '/policies/check',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'checkPolicy',
        summary: 'Check a document and run its tests, without storing it',
        tags,
        body,
        response: { 200: responseOf(PolicyCheck), ...errorResponses },
      },
    },
    async (request) => envelope(200, await policies.check(operatorOf(request), documentOf(request.body))),
  );

  app.post(
    '/policies/prove',
    {
      config: operatorsWith('policies:read'),
      schema: {
        operationId: 'provePolicy',
        summary: 'Prove what a document does with every action and session, without storing it',
        description:
          'Says which rules add nothing, whether the properties of the document hold, and whether it is stricter or laxer than before (docs/proofs.md). Every counterexample was decided by the engine. The search is bounded: `UNKNOWN` is an answer.',
        tags,
        querystring: Type.Object(
          {
            policyId: Type.Optional(
              Type.String({ ...Uuid, description: 'the policy whose current version it is compared with' }),
            ),
            integrationId: Type.Optional(
              Type.String({
                ...Uuid,
                description:
                  'proves it in the company of the policies in force for this integration, in the place of `policyId`',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        body,
        response: { 200: responseOf(PolicyProof), ...errorResponses },
      },
    },
    async (request) => {
      const { policyId = null, integrationId = null } = request.query;
      const scope = { policyId, integrationId };
      return envelope(200, await policies.prove(operatorOf(request), documentOf(request.body), scope));
    },
  );
}

/** No body at all is an empty document, and is refused as one. */
const documentOf = (body: unknown): SentDocument =>
  (body as SentDocument | null | undefined) ?? { text: '', mediaType: 'application/yaml' };

const changing = {
  tags: ['policies'],
  params: Type.Object({ id: Uuid }),
  headers: IfMatch,
  response: { 200: responseOf(PolicySummary), ...errorResponses },
};

export function policyActivationRoutes(app: Scope, { activation }: { activation: PolicyActivation }): void {
  app.post(
    '/policies/:id/activate',
    {
      config: operatorsWith('policies:write'),
      schema: {
        ...changing,
        response: { 200: responseOf(ActivatedPolicy), ...errorResponses },
        operationId: 'activatePolicy',
        summary: 'Activate a policy',
        description:
          '`version` makes an earlier or later version the current one; without it, the current version stays. A scheduled activation is cancelled.',
        body: OptionalBody(ActivatePolicy),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const version = request.body?.version ?? null;
      const policy = await activation.activate(operatorOf(request), id, version, expectedVersions(request));
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.post(
    '/policies/:id/rollback',
    {
      config: operatorsWith('policies:write'),
      schema: {
        ...changing,
        operationId: 'rollBackPolicy',
        summary: 'Roll an ACTIVE policy back to an earlier version',
        description: 'Rolls back to `version`; without it, to the previously current version.',
        body: OptionalBody(ActivatePolicy),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const version = request.body?.version ?? null;
      const policy = await activation.rollBack(operatorOf(request), id, version, expectedVersions(request));
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.post(
    '/policies/:id/schedule',
    {
      config: operatorsWith('policies:write'),
      schema: {
        ...changing,
        operationId: 'schedulePolicy',
        summary: 'Schedule the activation of a policy version',
        description:
          'Schedules the latest version, unless `version` names another one, and replaces an earlier schedule. It is checked now: under four-eyes control, the author of the version cannot schedule it.',
        body: SchedulePolicy,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const policy = await activation.schedule(
        operatorOf(request),
        id,
        request.body,
        expectedVersions(request),
      );
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.delete(
    '/policies/:id/schedule',
    {
      config: operatorsWith('policies:write'),
      schema: { ...changing, operationId: 'unschedulePolicy', summary: 'Cancel the scheduled activation' },
    },
    async (request, reply) => {
      const policy = await activation.unschedule(request.params.id, expectedVersions(request));
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );

  app.post(
    '/policies/:id/deprecate',
    {
      config: operatorsWith('policies:write'),
      schema: {
        ...changing,
        operationId: 'deprecatePolicy',
        summary: 'Deprecate a policy: it no longer runs',
      },
    },
    async (request, reply) => {
      const policy = await activation.deprecate(request.params.id, expectedVersions(request));
      return withETag(reply, policy.revision).send(envelope(200, policy));
    },
  );
}

const schemaText = JSON.stringify(policySchema);

/** Public, like the description of the API: editors load it without a key. */
export function policySchemaRoutes(app: Scope): void {
  app.get('/policy.schema.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/schema+json').send(schemaText),
  );
}

/** curl says that its body is JSON, or a form, unless it is told otherwise. */
function readJsonDocument(text: string): void {
  try {
    readJson(text);
  } catch (error) {
    const isYaml = error instanceof AppError && /^\s*(?:#|---|[A-Za-z]\w*:(?:\s|$))/.test(text);
    if (!isYaml) throw error;
    const hint = 'it looks like YAML: send Content-Type: application/yaml';
    throw new AppError('invalid', `${error.message}; ${hint}`, {
      cause: error,
      details: error.details.map((detail) => ({ ...detail, message: `${detail.message}; ${hint}` })),
    });
  }
}
