import { AssizeError } from '../../client/error.ts';
import { path } from '../../client/http.ts';
import type { Call } from './call.ts';
import type { Noun } from './find.ts';

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
