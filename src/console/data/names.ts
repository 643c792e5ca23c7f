import { signal } from '@preact/signals';
import type { Integration } from '../../schemas/integrations.ts';
import { call } from './api.ts';

/** Names of integrations by id: other responses have the id only. */
const integrationNames = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();

export function nameOfIntegration(id: string): string | null {
  const known = integrationNames.value.get(id);
  if (known === undefined && !asked.has(id)) void read(id);
  return known ?? null;
}

async function read(id: string): Promise<void> {
  asked.add(id);
  try {
    const { data } = await call<Integration>(`/v1/integrations/${id}`, { background: true });
    rememberIntegration(data);
  } catch {
    asked.delete(id);
  }
}

function rememberIntegration({ id, name }: { id: string; name: string }): void {
  integrationNames.value = new Map(integrationNames.peek()).set(id, name);
}
