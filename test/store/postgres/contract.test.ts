import t from 'tap';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import type { Store } from '../../../src/store/store.ts';
import { bindings } from '../contract/bindings.ts';
import { integrationKeys } from '../contract/integration-keys.ts';
import { lists } from '../contract/lists.ts';
import type { Open } from '../contract/open.ts';
import { operatorKeys } from '../contract/operator-keys.ts';
import { operators } from '../contract/operators.ts';
import { policyActivation } from '../contract/policy-activation.ts';
import { signIns } from '../contract/sign-ins.ts';
import { createDatabase, migrations } from './open.ts';

const open: Open = async (t) => {
  const store = await openPostgresStore({ address: await createDatabase(t), migrations });
  t.teardown(() => store.close());
  return store as Store;
};

// Those whose parts are there.
const parts: ((test: typeof t, open: Open) => void)[] = [
  operators,
  operatorKeys,
  signIns,
  integrationKeys,
  policyActivation,
  bindings,
  lists,
];
for (const part of parts) part(t, open);
