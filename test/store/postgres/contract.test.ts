import t from 'tap';
import { cached } from '../../../src/store/open.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { storeContract } from '../contract.ts';
import { createDatabase, direct, migrations } from './open.ts';

// takes long: begins first

storeContract(t, async (t) => {
  const store = await openPostgresStore({ address: direct(await createDatabase(t)), migrations });
  t.teardown(() => store.close());
  return cached(store, store.changeCount);
});
