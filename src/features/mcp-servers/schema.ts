import { type Static, Type } from '@sinclair/typebox';
import { KeptText, Timestamp, Uuid } from '../../schemas/values.ts';
import * as words from './words.ts';

export const ToolListing = Type.Unsafe<words.ToolListing>({
  type: 'string',
  enum: [...words.toolListings],
  description:
    'tools that may not be called now: HIDE leaves them out of lists, MARK lists them with the reason, ALL lists them as they are',
});
export type ToolListing = words.ToolListing;

const name = Type.String({
  pattern: '^(?!.*__)[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$',
  description:
    'unique; clients connect to `/v1/mcp-proxy/NAME`, and rules read it as `mcp.server`, so it never changes: 1 to 64 lower-case letters, digits, dots, hyphens and single low lines',
});
const url = KeptText(2_000, { minLength: 1, description: 'http or https: the Streamable HTTP endpoint' });
/** The headers of a server. Node refuses responses and requests with more. */
const headers = Type.Array(
  Type.String({
    pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}: ?[\\x21-\\x7e](?:[\\x20-\\x7e]{0,3998}[\\x21-\\x7e])?$",
  }),
  {
    maxItems: 20,
    description:
      'headers that every request to the server gets, such as `Authorization: Bearer TOKEN`; they are encrypted with ASSIZE_SECRETS_KEY and never returned',
  },
);
const integrationIds = Type.Array(Uuid, {
  maxItems: 100,
  uniqueItems: true,
  description: 'integrations whose keys may use it; empty means all',
});
const forwardsAuthorization = Type.Boolean({
  description:
    'the `Authorization` header of a client, and the OAuth of the server, are passed through; the key of the integration is then in `x-assize-key`',
});
const holdSeconds = Type.Integer({
  minimum: 0,
  maximum: 600,
  description: 'how long a held call waits for its reviewer; 0 responds with its review at once',
});
const masks = Type.Boolean({ description: 'detected values in results that are let through are masked' });
const timeoutSeconds = Type.Integer({
  minimum: 1,
  maximum: 3_600,
  description: 'how long a call may wait for the next byte of the server',
});

export const CreateMcpServer = Type.Object(
  {
    name,
    url,
    headers: Type.Optional(headers),
    integrationIds: Type.Optional(integrationIds),
    forwardsAuthorization: Type.Optional(Type.Boolean({ ...forwardsAuthorization, default: false })),
    toolList: Type.Optional(Type.Unsafe<ToolListing>({ ...ToolListing, default: 'HIDE' })),
    holdSeconds: Type.Optional(Type.Integer({ ...holdSeconds, default: 0 })),
    masks: Type.Optional(Type.Boolean({ ...masks, default: false })),
    timeoutSeconds: Type.Optional(Type.Integer({ ...timeoutSeconds, default: 300 })),
  },
  { additionalProperties: false },
);
export type CreateMcpServer = Static<typeof CreateMcpServer>;

export const ChangeMcpServer = Type.Object(
  {
    url: Type.Optional(url),
    headers: Type.Optional(Type.Array(headers.items, { ...headers, description: 'replaces all headers' })),
    integrationIds: Type.Optional(integrationIds),
    forwardsAuthorization: Type.Optional(forwardsAuthorization),
    toolList: Type.Optional(ToolListing),
    holdSeconds: Type.Optional(holdSeconds),
    masks: Type.Optional(masks),
    timeoutSeconds: Type.Optional(timeoutSeconds),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ChangeMcpServer = Static<typeof ChangeMcpServer>;

export const McpServer = Type.Object({
  id: Uuid,
  name: Type.String(),
  url: Type.String(),
  headerNames: Type.Array(Type.String(), {
    description: 'empty as well when no key in ASSIZE_SECRETS_KEY opens the headers',
  }),
  integrationIds: Type.Array(Uuid),
  forwardsAuthorization,
  toolList: ToolListing,
  holdSeconds,
  masks,
  timeoutSeconds,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type McpServer = Static<typeof McpServer>;
