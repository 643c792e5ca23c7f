import { AssizeError } from '../../client/error.ts';
import { type Http, path } from '../../client/http.ts';
import { Exit, exitCodes } from '../exit.ts';

import type { Call } from './call.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostInPage = 200;

/** An integration, a policy or an operator; only a policy has a version. */
export interface Named {
  id: string;
  name: string;
  status?: string;
  version?: number;
}

/** The id of each, with what helps to choose between policies. */
export const listNamed = (named: readonly Named[]): string =>
  named
    .map(({ id, status, version }) => (version === undefined ? id : `${id} (${status}, version ${version})`))
    .join(', ');

/** Everything of a list, page by page. */
export async function* everyOne<T>(
  http: Http,
  path: string,
  query: Record<string, string | undefined> = {},
): AsyncGenerator<T> {
  for (let page = 1; ; page++) {
    const { data, pagination } = await http.send<T[]>({
      method: 'GET',
      path,
      query: { ...query, page, size: mostInPage },
    });
    yield* data;
    if (data.length === 0 || page * mostInPage >= (pagination?.total ?? 0)) return;
  }
}

const singular = {
  policies: 'policy',
  integrations: 'integration',
  operators: 'operator',
  lists: 'list',
  'mcp-servers': 'MCP server',
  entities: 'entity',
  webhooks: 'webhook',
} as const;
export type Noun = keyof typeof singular;

/** The resources of this name. Names need not be unique; a DEPRECATED policy gives its name up to others. */
export async function findNamed(http: Http, noun: Noun, name: string): Promise<Named[]> {
  const named: Named[] = [];
  for await (const item of everyOne<Named>(http, `/v1/${noun}`)) if (item.name === name) named.push(item);
  const living = named.filter(({ status }) => status !== 'DEPRECATED');
  return living.length > 0 ? living : named;
}

/** The id that an argument means: itself, or that of the one thing with this name. */
export async function idOf(http: Http, noun: Noun, given = ''): Promise<string> {
  if (uuid.test(given)) return given;
  const named = await findNamed(http, noun, given);
  const [first] = named;
  if (first && named.length === 1) return first.id;
  const one = singular[noun];
  throw new Exit(
    exitCodes.failed,
    first === undefined
      ? `no ${one} has the name or id ${JSON.stringify(given)}`
      : `${named.length} ${noun} are named ${JSON.stringify(given)}, give the id of one: ${listNamed(named)}`,
  );
}

/** The fields of an item that hold ids, and what they are ids of. */
export type NamedFields = Readonly<Record<string, Noun>>;

/**
 * Shows names in place of ids: people do not know ids, and commands take either. An id that this key may not look up, or that
 * nothing has any more, stays.
 */
export function createNames(http: Call['http']) {
  const known = new Map<string, Promise<string>>();

  function nameOf(noun: Noun, id: string): Promise<string> {
    const key = `${noun} ${id}`;
    const name = known.get(key) ?? lookUp(noun, id);
    known.set(key, name);
    return name;
  }

  async function lookUp(noun: Noun, id: string): Promise<string> {
    try {
      return (await http.send<{ name: string }>({ method: 'GET', path: path`/v1/${noun}/${id}` })).data.name;
    } catch (error) {
      if (error instanceof AssizeError && (error.code === 'not_found' || error.code === 'forbidden'))
        return id;
      throw error;
    }
  }

  async function withNames<T extends object>(item: T, fields: NamedFields): Promise<T> {
    const named: [string, string][] = [];
    for (const [field, noun] of Object.entries(fields)) {
      const id = (item as Record<string, unknown>)[field];
      if (typeof id === 'string') named.push([field, await nameOf(noun, id)]);
    }
    return { ...item, ...Object.fromEntries(named) };
  }

  return { nameOf, withNames };
}
