import { signal } from '@preact/signals';
import type { VerifiedIdentity } from '../../schemas/identities.ts';
import { call } from './api.ts';

/** Names by path, of what other responses have the id of only. */
const names = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();

/** Null until it is read. */
function nameOf(path: string): string | null {
  const known = names.value.get(path);
  if (known === undefined && !asked.has(path)) void read(path);
  return known ?? null;
}

export const nameOfIntegration = (id: string): string | null => nameOf(`/v1/integrations/${id}`);
export const nameOfEntity = (id: string): string | null => nameOf(`/v1/entities/${id}`);
export const nameOfList = (id: string): string | null => nameOf(`/v1/lists/${id}`);
export const nameOfPolicy = (id: string): string | null => nameOf(`/v1/policies/${id}`);

async function read(path: string): Promise<void> {
  asked.add(path);
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
