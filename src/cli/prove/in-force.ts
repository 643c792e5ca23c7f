import { type Http, path } from '../../client/http.ts';
import type { BoundPolicy, HousePolicy, Policy, PolicySummary } from '../../features/policies/schema.ts';
import { everyOne, idOf } from '../api/find.ts';
import type { NamedPolicy } from './prove.ts';

/** The policies that are in force for an integration: those of the house first, each with the terms it is bound with. */
export async function policiesInForce(http: Http, integration: string): Promise<NamedPolicy[]> {
  const id = await idOf(http, 'integrations', integration);
  const bound: { policy: PolicySummary; terms: Pick<HousePolicy, 'params' | 'mode'> }[] = [];
  for await (const { policy, params, mode } of everyOne<HousePolicy>(http, '/v1/house-policies'))
    bound.push({ policy, terms: { params, mode } });
  for await (const { binding, ...policy } of everyOne<BoundPolicy>(
    http,
    path`/v1/integrations/${id}/policies`,
  ))
    bound.push({ policy, terms: { params: binding.params, mode: binding.mode } });
  const found = new Map<string, NamedPolicy>();
  for (const { policy, terms } of bound) {
    if (policy.status !== 'ACTIVE') continue;
    // A policy that is bound to the house and to the integration with the same terms decides once.
    const key = JSON.stringify([policy.id, terms]);
    if (found.has(key)) continue;
    const { data } = await http.send<Policy>({ method: 'GET', path: path`/v1/policies/${policy.id}` });
    found.set(key, { label: policy.name, text: data.document, ...terms });
  }
  return [...found.values()];
}
