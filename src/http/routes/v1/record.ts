import { Type } from '@sinclair/typebox';
import { errorResponses, responseOf } from '../../../schemas/envelopes.ts';
import { RecordExportPage, RecordKey, RecordRoot, RootProof } from '../../../schemas/record.ts';
import { Timestamp, Uuid } from '../../../schemas/values.ts';
import type { RecordOfDecisions } from '../../../services/record/record.ts';
import { operatorsWith } from '../../plugins/authenticate.ts';
import { envelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const config = operatorsWith('audit:read');
const tags = ['record'];
/** Two thousand years of roots, one a minute. */
const mostRoots = 1_000_000_000;
const RootSeq = Type.Integer({ minimum: 1, maximum: mostRoots, description: '`seq` of a root' });
const closed = { additionalProperties: false };

export function recordRoutes(app: Scope, { record }: { record: RecordOfDecisions }): void {
  app.get(
    '/record/export',
    {
      config,
      schema: {
        operationId: 'exportRecord',
        summary: 'Export the record, page by page',
        description:
          'Returns the entries of the record and the signed roots that cover them, as lines that `assize audit verify` checks. The first page signs a root over everything recorded so far.',
        tags,
        querystring: Type.Object(
          {
            sessionId: Type.Optional(Uuid),
            from: Type.Optional(
              Type.String({
                ...Timestamp,
                description: 'starts at the last root signed at or before this time',
              }),
            ),
            to: Type.Optional(
              Type.String({
                ...Timestamp,
                description: 'ends at the first root signed at or after this time',
              }),
            ),
            cursor: Type.Optional(
              Type.String({
                maxLength: 2_000,
                description: '`next` of the previous page; cannot be combined with other parameters',
              }),
            ),
          },
          closed,
        ),
        response: { 200: responseOf(RecordExportPage), ...errorResponses },
      },
    },
    async (request) => envelope(200, await record.export(request.query)),
  );

  app.get(
    '/record/key',
    {
      config,
      schema: {
        operationId: 'readRecordKey',
        summary: 'Read the public key that signs the record',
        description: 'Give this key to whoever verifies exports, over another channel than the exports.',
        tags,
        response: { 200: responseOf(RecordKey), ...errorResponses },
      },
    },
    async () => envelope(200, record.key()),
  );

  app.get(
    '/record/roots',
    {
      config,
      schema: {
        operationId: 'listRecordRoots',
        summary: 'List signed roots, oldest first',
        tags,
        querystring: Type.Object(
          {
            after: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: mostRoots,
                description: 'only roots after the one with this `seq`',
              }),
            ),
            size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
          },
          closed,
        ),
        response: { 200: responseOf(Type.Array(RecordRoot)), ...errorResponses },
      },
    },
    async ({ query: { after = 0, size = 50 } }) => envelope(200, await record.listRoots(after, size)),
  );

  app.get(
    '/record/consistency',
    {
      config,
      schema: {
        operationId: 'proveRecordConsistency',
        summary: 'Prove that a root continues an earlier one',
        description: 'By default, proves that the last root continues the first one.',
        tags,
        querystring: Type.Object({ first: Type.Optional(RootSeq), second: Type.Optional(RootSeq) }, closed),
        response: { 200: responseOf(RootProof), ...errorResponses },
      },
    },
    async ({ query }) => envelope(200, await record.proveConsistency(query.first ?? 1, query.second ?? null)),
  );
}
