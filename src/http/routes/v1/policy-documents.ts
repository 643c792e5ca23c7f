import { type TSchema, Type } from '@sinclair/typebox';
import { errorResponses, responseOf } from '../../../schemas/envelopes.ts';
import { PolicyCheck, type PolicyMediaType, SavedPolicy } from '../../../schemas/policies.ts';
import { KeptText, Uuid } from '../../../schemas/values.ts';
import type { Policies, SentDocument } from '../../../services/policies.ts';
import { expectedVersions, IfMatch, withETag } from '../../if-match.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import { readJson, readText } from '../../plugins/json-body.ts';
import { envelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const tags = ['policies'];

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
        if (mediaType === 'application/json') readJson(text);
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
}

/** No body at all is an empty document, and is refused as one. */
const documentOf = (body: unknown): SentDocument =>
  (body as SentDocument | null | undefined) ?? { text: '', mediaType: 'application/yaml' };
