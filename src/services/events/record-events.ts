import type { RecordRoot } from '../../schemas/record.ts';
import type { NewEvent } from '../../store/store.ts';

/** Whoever receives it can compare it with every later export, whatever the operator of the database does. */
export const rootSigned = (root: RecordRoot, newId: () => string): NewEvent => ({
  id: newId(),
  type: 'record.root',
  at: Date.parse(root.at),
  integrationId: null,
  subject: 'record/roots',
  data: JSON.stringify(root),
});
