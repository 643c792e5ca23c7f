import { signal } from '@preact/signals';
import type { VerifiedIdentity } from '../../schemas/identities.ts';
import { call, mostListed } from './api.ts';

/** Names by path, of what other responses have the id of only. */
const names = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Map<string, Promise<void>>();

/** Null until it is read. */
function nameOf(path: string): string | null {
  const known = names.value.get(path);
  if (known === undefined) void ask(path);
  return known ?? null;
}

export const nameOfIntegration = (id: string): string | null => nameOf(`/v1/integrations/${id}`);
export const nameOfEntity = (id: string): string | null => nameOf(`/v1/entities/${id}`);
export const nameOfList = (id: string): string | null => nameOf(`/v1/lists/${id}`);
export const nameOfPolicy = (id: string): string | null => nameOf(`/v1/policies/${id}`);

function ask(path: string): Promise<void> {
  const before = asked.get(path);
  if (before) return before;
  const found = read(path);
  asked.set(path, found);
  return found;
}

export interface Named {
  id: string;
  name: string;
}

/** Rows name few integrations, and often few entities: their first page is read before any name is asked for alone. */
const readAsList = ['/v1/integrations', '/v1/entities'];
/** The lists whose names are read or being read, by their paths. */
const listed = new Map<string, Promise<Named[]>>();

/** Reads a list of the API for its names: none of them is asked for alone. */
export function listNamed(path: string): Promise<Named[]> {
  const found = call<Named[]>(path, { query: { size: mostListed }, background: true }).then(({ data }) => {
    names.value = new Map([...names.peek(), ...data.map(({ id, name }) => [`${path}/${id}`, name] as const)]);
    return data;
  });
  listed.set(path, found);
  return found;
}

type Ids = Partial<Record<'integrations' | 'entities' | 'lists' | 'policies', readonly (string | null)[]>>;

/** Reads these names, so that what shows them does not move when they come. Resolves as well when there is no such thing. */
export async function knowNames(ids: Ids): Promise<void> {
  const paths = Object.entries(ids).flatMap(([noun, some]) =>
    some.flatMap((id) => (id === null ? [] : [`/v1/${noun}/${id}`])),
  );
  await Promise.all(paths.map(ask));
}

async function read(path: string): Promise<void> {
  try {
    const list = path.slice(0, path.lastIndexOf('/'));
    await (listed.get(list) ?? (readAsList.includes(list) && listNamed(list)));
  } catch {
    // The name alone may be found.
  }
  if (names.peek().has(path)) return;
  try {
    const { data } = await call<{ name: string }>(path, { background: true });
    names.value = new Map(names.peek()).set(path, data.name);
  } catch {
    asked.delete(path);
  }
}

/** Whom a token proves, and through whom they act: `ada (https://id.example), robot`. */
export const nameOfIdentity = ({ subject, issuer, actors }: VerifiedIdentity): string =>
  [`${subject} (${issuer})`, ...actors].join(', ');

/** The integrations of the demo: as a first start names it (`services/first-start.ts`), and as the console does. */
export const demoNames: readonly [string, string] = ['demo', 'console demo'];
