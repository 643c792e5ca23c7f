import { localOperatorId, localOperatorName } from './authentication.ts';

/** Who did something, by the id of the operator; `name` null for an id that no operator has. */
export const personOf = (id: string, name: string | null): { id: string; name: string } => ({
  id,
  // An operator key decided before operators had names.
  name: name ?? (id === localOperatorId ? localOperatorName : 'operator key'),
});
