import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { readReceiverUrl, receiverUrlRule } from '../../services/callbacks/address-policy.ts';
import { type ResponsePage, responsePage } from '../../services/list-entries.ts';
import { found } from '../../services/refusals.ts';
import { openIfReadable, type SecretBox } from '../../services/secrets/secret-box.ts';
import { isoTime } from '../../services/times.ts';
import type { PageRequest, Store, StoredMcpServer } from '../../store/store.ts';
import type { ChangeMcpServer, CreateMcpServer, McpServer } from './schema.ts';

export interface McpServers {
  create(request: CreateMcpServer): Promise<McpServer>;
  read(id: string): Promise<McpServer>;
  list(page: PageRequest): Promise<ResponsePage<McpServer>>;
  change(id: string, request: ChangeMcpServer): Promise<McpServer>;
  delete(id: string): Promise<McpServer>;
  /** The server that an integration reaches under a name; null for one that it may not use, or that does not exist. */
  findFor(integrationId: string, name: string): Promise<ReachedServer | null>;
  /** Where the OAuth metadata of a server is; null for a server that passes no OAuth through, or does not exist. */
  findOauth(name: string): Promise<Pick<ReachedServer, 'name' | 'url'> | null>;
  /**
   * The name under which a client gets an id of a server, and back; null for a name that another owner got. A server that gives ids to
   * one account cannot tell the clients of the proxy apart.
   */
  nameOfId(owner: string, id: string): string;
  idOfName(owner: string, name: string): string | null;
  /** Seals headers again that an older key sealed. Headers that no key opens stay as they are and are reported to `onError`. */
  reseal(onError: (error: unknown) => void): Promise<void>;
}

/** A server with what is needed to call it. */
export interface ReachedServer extends Omit<StoredMcpServer, 'headers'> {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
}

export function createMcpServers(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  box: SecretBox;
}): McpServers {
  const { store, now, newId, box } = deps;
  const mac = (owner: string, id: string): string =>
    createHmac('sha256', store.salt)
      .update(`mcp-proxy\n${owner}\n${id}`)
      .digest('base64url')
      .slice(0, macLength);
  const sealed = (id: string, headers: readonly string[]): string | null =>
    headers.length === 0 ? null : box.seal(JSON.stringify(headers), placeOf(id));

  const show = ({ headers, ...server }: StoredMcpServer): McpServer => {
    const text = headers === null ? '[]' : (openIfReadable(box, headers, placeOf(server.id)) ?? '[]');
    return {
      ...server,
      headerNames: (JSON.parse(text) as string[]).map(nameOf),
      createdAt: isoTime(server.createdAt),
      updatedAt: isoTime(server.updatedAt),
    };
  };

  return {
    async create({ headers = [], integrationIds = [], ...request }) {
      const id = newId();
      const { forwardsAuthorization = false } = request;
      checkUrl(request.url);
      checkHeaders(headers, forwardsAuthorization);
      const created = await store.mcpServers.create({
        id,
        toolList: 'HIDE',
        holdSeconds: 0,
        masks: false,
        timeoutSeconds: 300,
        ...request,
        forwardsAuthorization,
        headers: sealed(id, headers),
        integrationIds: lowerCase(integrationIds),
        createdAt: now(),
      });
      if (created === 'name_taken')
        throw new AppError('conflict', 'another MCP server has this name', { path: '/name' });
      if (created === 'too_many')
        throw new AppError('conflict', 'there are 200 MCP servers already, which is the maximum');
      return show(created);
    },

    read: async (id) => show(found(await store.mcpServers.find(id), 'MCP server', id)),

    list: async (page) => responsePage(await store.mcpServers.list(page), page, show),

    async change(id, { headers, integrationIds, ...change }) {
      const before = found(await store.mcpServers.find(id), 'MCP server', id);
      const { forwardsAuthorization = before.forwardsAuthorization } = change;
      if (change.url !== undefined) checkUrl(change.url);
      // A secret must not follow the address to another host.
      if (change.url !== undefined && headers === undefined && before.headers !== null) {
        if (URL.parse(change.url)?.origin !== URL.parse(before.url)?.origin)
          throw new AppError('invalid', 'must be given again for another origin of the url', {
            path: '/headers',
          });
      }
      if (headers !== undefined) checkHeaders(headers, forwardsAuthorization);
      else if (change.forwardsAuthorization && show(before).headerNames.some(isAuthorization))
        throw new AppError('invalid', 'the headers have an Authorization already', {
          path: '/forwardsAuthorization',
        });
      const changed = await store.mcpServers.change(
        before.id,
        {
          ...change,
          ...(headers && { headers: sealed(before.id, headers) }),
          ...(integrationIds && { integrationIds: lowerCase(integrationIds) }),
        },
        now(),
      );
      return show(found(changed, 'MCP server', id));
    },

    delete: async (id) => show(found(await store.mcpServers.delete(id), 'MCP server', id)),

    async findFor(integrationId, name) {
      const server = await store.mcpServers.findByName(name);
      if (!server) return null;
      const { headers, integrationIds } = server;
      if (integrationIds.length > 0 && !integrationIds.includes(integrationId)) return null;
      const lines: string[] = headers === null ? [] : JSON.parse(box.open(headers, placeOf(server.id)));
      return { ...server, headers: Object.fromEntries(lines.map(headerOf)) };
    },

    async findOauth(name) {
      const server = await store.mcpServers.findByName(name);
      return server?.forwardsAuthorization ? server : null;
    },

    nameOfId: (owner, id) => `${id}.${mac(owner, id)}`,

    idOfName(owner, name) {
      const id = name.slice(0, -macLength - 1);
      const expected = Buffer.from(`${id}.${mac(owner, id)}`);
      const given = Buffer.from(name);
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
    },

    reseal: (onError) =>
      store.mcpServers.reseal(({ id, headers }) => {
        if (headers === null || !box.isOutdated(headers)) return null;
        try {
          return box.seal(box.open(headers, placeOf(id)), placeOf(id));
        } catch (error) {
          onError(error);
          return null;
        }
      }),
  };
}

/** 132 bits. */
const macLength = 22;

/** Names the place that headers are sealed for: a copy cannot be opened anywhere else. */
const placeOf = (id: string): string => `mcp-servers/${id}/headers`;

const lowerCase = (ids: readonly string[]): string[] => ids.map((id) => id.toLowerCase());

const nameOf = (header: string): string => header.slice(0, header.indexOf(':'));
const headerOf = (header: string): [string, string] => [
  nameOf(header).toLowerCase(),
  header.slice(header.indexOf(':') + 1).trim(),
];
const isAuthorization = (name: string): boolean => name.toLowerCase() === 'authorization';

function checkUrl(url: string): void {
  if (!readReceiverUrl(url)) throw new AppError('invalid', receiverUrlRule, { path: '/url' });
}

/** Headers that the proxy or HTTP itself sets: with others, the server would read another message than was evaluated. */
const ownHeaders =
  /^(?:accept|connection|content-.*|expect|host|keep-alive|last-event-id|mcp-.*|te|trailer|transfer-encoding|upgrade|x-assize-.*)$/;

function checkHeaders(headers: readonly string[], forwardsAuthorization: boolean): void {
  const names = new Set<string>();
  for (const [place, header] of headers.entries()) {
    const name = nameOf(header).toLowerCase();
    const refuse = (why: string) => new AppError('invalid', why, { path: `/headers/${place}` });
    if (ownHeaders.test(name)) throw refuse(`${name} is set by the proxy: leave it out`);
    if (names.has(name)) throw refuse(`${name} is given twice`);
    if (forwardsAuthorization && isAuthorization(name))
      throw refuse('authorization is that of the client: leave it out, or do not forward it');
    names.add(name);
  }
}
