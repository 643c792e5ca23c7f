import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope, pageEnvelope, withPage } from '../../http/responses.ts';

import type { Scope } from '../../http/scope.ts';
import { errorResponses, listOf, responseOf } from '../../schemas/envelopes.ts';
import { KeptText, pageQuery, Timestamp, Uuid, UuidOrLocal } from '../../schemas/values.ts';
import { AuditEntry, AuditOutcome, ListedAuditEntry } from './schema.ts';
import { type Audit, assertKnownWord } from './service.ts';

const config = operatorsWith('audit:read');
const tags = ['audit'];
const filters = {
  actorId: Type.Optional(
    Type.String({
      ...UuidOrLocal,
      description: 'id of an operator or integration; `local` is the command line of the database file',
    }),
  ),
  action: Type.Optional(KeptText(100, { description: 'an `operationId`' })),
  resource: Type.Optional(
    KeptText(100, { description: 'a kind of resource, as in paths, such as `policies`' }),
  ),
  resourceId: Type.Optional(Uuid),
  outcome: Type.Optional(AuditOutcome),
  reads: Type.Optional(
    Type.Boolean({
      description: '`false` leaves out successful calls that only read, and checks of policies',
    }),
  ),
  from: Type.Optional(Type.String({ ...Timestamp, description: 'from this time on' })),
  to: Type.Optional(Type.String({ ...Timestamp, description: 'before this time' })),
};

export function auditRoutes(app: Scope, { audit }: { audit: Audit }): void {
  let known: { actions: string[]; resources: string[] } | undefined;
  /** Refuses words that no route has: nothing is recorded under them. */
  function checkWords<Query extends { action?: string; resource?: string }>(query: Query): Query {
    known ??= wordsOf(app.swagger().paths ?? {});
    // An undescribed route is recorded under its path.
    if (query.action !== undefined && !query.action.startsWith('/'))
      assertKnownWord('action', query.action, known.actions);
    if (query.resource !== undefined) assertKnownWord('resource', query.resource, known.resources);
    return query;
  }

  app.get(
    '/audit',
    {
      config,
      schema: {
        operationId: 'listAudit',
        summary: 'List management calls, newest first',
        description:
          'Each entry says who did what to which resource, when and from where, with the resource before and after the call. With a filter, counting stops after 10,000: `total` is 10,001 when there are more.',
        tags,
        querystring: pageQuery({
          ...filters,
          before: Type.Optional(
            Type.String({
              ...Uuid,
              description: 'only entries before this one: such pages do not shift when entries are added',
            }),
          ),
        }),
        response: { 200: listOf(ListedAuditEntry), ...errorResponses },
      },
    },
    async (request) => {
      const { page, size, ...query } = withPage(checkWords(request.query));
      return pageEnvelope(await audit.list(query, { page, size }));
    },
  );

  app.get(
    '/audit/export',
    {
      config,
      schema: {
        operationId: 'exportAudit',
        summary: 'Export management calls, oldest first',
        description: 'One JSON object per line (NDJSON), each in the form of `GET /v1/audit/{id}`.',
        tags,
        querystring: Type.Object(filters, { additionalProperties: false }),
        response: {
          200: {
            description: 'one entry per line',
            content: { 'application/x-ndjson': { schema: Type.String() } },
          },
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const lines = linesOf(audit.all(checkWords(request.query)));
      // Before the first byte: bad input is refused, and a store that fails returns 503.
      const first = await lines.next();
      const rest = first.done ? [] : resumed(first.value, lines);
      return reply.type('application/x-ndjson').send(Readable.from(rest, { objectMode: false }) as never);
    },
  );

  app.get(
    '/audit/:id',
    {
      config,
      schema: {
        operationId: 'readAuditEntry',
        summary: 'Read one management call',
        tags,
        params: Type.Object({ id: Uuid }),
        response: { 200: responseOf(AuditEntry), ...errorResponses },
      },
    },
    async (request) => envelope(200, await audit.read(request.params.id)),
  );
}

async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

async function* resumed(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** The names under which calls of described routes (http/plugins/record-calls.ts) and sign-ins are recorded. */
function wordsOf(paths: object): { actions: string[]; resources: string[] } {
  const actions = Object.values(paths).flatMap((path: Record<string, { operationId?: string }>) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  );
  const resources = Object.keys(paths).flatMap((path) => path.split('/')[2] ?? []);
  return { actions: [...actions, 'signIn', 'signOut'], resources: [...new Set(resources)] };
}
