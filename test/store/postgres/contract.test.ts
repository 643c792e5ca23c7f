import t from 'tap';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Open } from '../contract/open.ts';
import { createDatabase, migrations } from './open.ts';

const open: Open = async (t) => {
  const store = await openPostgresStore({ address: await createDatabase(t), migrations });
  t.teardown(() => store.close());
  return store as Store;
};

// Those whose parts are there.
const parts: ((test: typeof t, open: Open) => void)[] = [];
for (const part of parts) part(t, open);
if (parts.length === 0) t.pass('nothing is there yet');
