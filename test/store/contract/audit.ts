import type { Test } from 'tap';
import type { AuditedCall, NewAuditEntry, Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page, wide } from './open.ts';
import { operator, operatorKey } from './operators.ts';

const { start } = make;

const call = (more: Partial<AuditedCall> = {}): AuditedCall => ({
  at: start,
  actorKind: 'operator',
  actorId: 'o1',
  actorName: 'Ada',
  keyId: 'k1',
  action: 'createOperator',
  resource: 'operators',
  resourceId: null,
  method: 'POST',
  path: '/v1/operators',
  address: '203.0.113.7',
  requestId: 'r1',
  ...more,
});
const refused = (more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  ...call(),
  id: make.newId(),
  outcome: 'REFUSED',
  statusCode: 403,
  message: 'no',
  ...more,
});

/** Runs a change as a call, and says how often it was told that an entry is kept. */
async function recorded<T>(store: Store, given: AuditedCall, work: () => Promise<T>) {
  let count = 0;
  const entry = { newId: make.newId, statusCode: 201, recorded: () => void count++, event: () => null };
  const result = await store.audit.during(given, entry, work);
  return { result, count };
}

export function audit(t: Test, open: Open): void {
  t.test('audit: a change tells its entry and its event more than the call says', async (t) => {
    const store = await open(t);
    const told = { message: 'tools changed', data: { tools: ['x'] } };
    const events: unknown[] = [];
    const by = { newId: make.newId, statusCode: 201, recorded: () => {} };
    const event = (change: { call: AuditedCall }) => {
      events.push(change.call.told);
      return null;
    };
    await store.audit.during(call(), { ...by, event }, () =>
      store.audit.telling(told, () => store.operators.create(operator({ name: 'Ada' }))),
    );
    const { items } = await store.audit.list({}, page, wide);
    t.match(items, [{ message: told.message, action: 'createOperator' }]);
    t.strictSame(events, [told]);
    t.equal(await store.audit.telling(told, async () => 7), 7, 'outside of a call, too');
  });

  t.test('audit: a change is recorded with the call, and the resource before and after', async (t) => {
    const store = await open(t);
    const ada = operator({ name: 'Ada', roles: ['REVIEWER'] });
    const { count } = await recorded(store, call(), () => store.operators.create(ada));
    t.equal(count, 1);
    const changing = call({ at: start + 1, action: 'changeOperator', resourceId: ada.id.toUpperCase() });
    await recorded(store, changing, () => store.operators.change(ada.id, { name: 'Ada L.' }, start + 1));
    const { items, total } = await store.audit.list({}, page, wide);
    t.equal(total, 2);
    const [changed, created] = items;
    t.match(created, { ...call(), resourceId: ada.id, outcome: 'SUCCEEDED', statusCode: 201, message: null });
    t.equal(created?.before, null);
    const shown = JSON.parse(created?.after ?? '');
    t.match(shown, {
      id: ada.id,
      name: 'Ada',
      roles: ['REVIEWER'],
      createdAt: new Date(start).toISOString(),
    });
    t.strictSame(JSON.parse(changed?.before ?? ''), shown);
    t.match(JSON.parse(changed?.after ?? ''), { name: 'Ada L.' });
    const { omitted: _, ...whole } = changed ?? { id: '' };
    t.strictSame(await store.audit.find(whole.id.toUpperCase()), whole);
    t.equal(await store.audit.find(missing), null);
  });

  t.test('audit: every kind of resource is shown, and no secret of any', async (t) => {
    const store = await open(t);
    const owner = operator();
    const first = operatorKey(owner.id);
    await store.operators.createFirst(owner, first);
    const integration = await make.createIntegration(store);
    const policyId = make.newId();
    await store.policies.create(
      { id: policyId, status: 'DRAFT', createdAt: start },
      make.document('secret: x'),
    );
    const reviewId = await make.openReview(store, integration.id);
    const at = start + 1;
    const key = operatorKey(owner.id);
    const newKey = make.key({ keyPrefix: 'asz_live_next' });
    const decision = { status: 'APPROVED', decidedBy: owner.id, comment: 'fine', now: at } as const;
    const never = () => ({ id: make.newId(), body: '{}' });
    const cases: [string, string | null, () => Promise<unknown>, object | null, object | null][] = [
      [
        'operator-keys',
        null,
        () => store.operatorKeys.create(key, 9),
        null,
        { id: key.id, lastFour: 'abcd' },
      ],
      [
        'operator-keys',
        key.id,
        () => store.operatorKeys.revoke(key.id, at),
        { revokedAt: null },
        { revokedAt: /Z$/ },
      ],
      [
        'integrations',
        integration.id,
        () => store.integrations.replaceKey(integration.id, newKey, at),
        { keys: [{ keyPrefix: 'asz_live_abcd' }] },
        { keys: [{ keyPrefix: 'asz_live_next', scopes: { length: 4 } }] },
      ],
      [
        'integrations',
        integration.id,
        () => store.integrations.replaceWebhookSecret(integration.id, 'whsec_y', at),
        {},
        {},
      ],
      [
        'integrations',
        integration.id,
        () => store.policies.bind(integration.id, policyId, null, at),
        { policies: [] },
        { policies: [{ id: policyId, params: {}, mode: null }] },
      ],
      [
        'policies',
        policyId,
        () => store.policies.activate(policyId, null, at),
        { status: 'DRAFT' },
        { status: 'ACTIVE', version: 1 },
      ],
      ['policies', policyId, () => store.policies.delete(policyId), { name: 'p' }, null],
      [
        'reviews',
        reviewId,
        () => store.reviews.decide(reviewId, decision, never),
        { status: 'PENDING', decidedBy: null },
        { status: 'APPROVED', decidedBy: owner.id, comment: 'fine' },
      ],
    ];
    for (const [resource, resourceId, change, before, after] of cases) {
      await recorded(store, call({ resource, resourceId }), change);
      const [entry] = (await store.audit.list({}, { page: 1, size: 1 }, wide)).items;
      const parsed = (text: string | null | undefined) =>
        typeof text === 'string' ? JSON.parse(text) : null;
      t.match([parsed(entry?.before), parsed(entry?.after)], [before, after], `${resource} ${resourceId}`);
    }
    const all = JSON.stringify((await store.audit.list({}, page, wide)).items);
    for (const secret of [
      first.keyHash,
      key.keyHash,
      newKey.keyHash,
      integration.keyHash,
      'whsec_',
      'secret: x',
    ]) {
      t.notMatch(all, secret);
    }
  });

  t.test('audit: what changes nothing, and what no call does, leaves no entry', async (t) => {
    const store = await open(t);
    const ada = operator();
    await store.operators.create(ada);
    t.equal(
      (await recorded(store, call(), () => store.operators.change(missing, { name: 'x' }, start))).count,
      0,
    );
    t.equal((await recorded(store, call(), () => store.operators.find(ada.id))).count, 0);
    t.equal(
      (await recorded(store, call(), () => store.policies.deprecate(missing, start))).result,
      'no_policy',
    );
    t.equal((await store.audit.list({}, page, wide)).total, 0);
  });

  t.test('audit: calls that run at the same time are recorded each with its own change', async (t) => {
    const store = await open(t);
    const people = Array.from({ length: 20 }, (_, place) => operator({ name: `n${place}` }));
    await Promise.all(
      people.map((person) =>
        recorded(store, call({ actorName: person.name }), () => store.operators.create(person)),
      ),
    );
    const { items, total } = await store.audit.list({}, page, wide);
    t.equal(total, 20);
    for (const { actorName, after } of items) t.equal(JSON.parse(after ?? '').name, actorName);
  });

  t.test('audit: a list has what its filter says, newest first, and a share of each wide text', async (t) => {
    const { audit } = await open(t);
    const entries = [
      refused({ at: start, actorId: 'o1' }),
      refused({ at: start + 1, actorId: 'o2', action: 'readPolicy', resource: 'policies', resourceId: 'p1' }),
      refused({ at: start + 2, actorKind: 'integration', keyId: null, outcome: 'FAILED', address: null }),
    ];
    for (const entry of entries) await audit.record(entry);
    const [first, second, third] = entries.map(({ id }) => id);
    const ids = async (filter: object) => (await audit.list(filter, page, wide)).items.map(({ id }) => id);
    for (const [filter, expected] of [
      [{}, [third, second, first]],
      [{ actorId: 'o2' }, [second]],
      [{ action: 'readPolicy' }, [second]],
      [{ resource: 'policies', resourceId: 'P1' }, [second]],
      [{ outcome: 'REFUSED' }, [second, first]],
      [{ from: start + 1 }, [third, second]],
      [{ to: start + 1 }, [first]],
      [{ before: second?.toUpperCase() ?? '' }, [first]],
      [{ before: missing }, []],
      [{ actorId: 'o1', outcome: 'FAILED' }, [third]],
    ] as const) {
      t.strictSame(await ids(filter), expected, JSON.stringify(filter));
      t.equal((await audit.list(filter, page, wide)).total, expected.length);
    }
    t.match(await audit.list({}, { page: 2, size: 2 }, wide), { total: 3, items: { length: 1 } });
    for (const [page, length] of [1, 1, 0].entries())
      t.match(await audit.list({ actorId: 'o1' }, { page: page + 1, size: 1 }, wide), {
        total: 2,
        items: { length },
      });
    t.strictSame((await audit.find(third ?? ''))?.before, null);
    const after = async (id: string | null, filter = {}) =>
      (await audit.listAfter(filter, id, 2)).map(({ id }) => id);
    t.strictSame(await after(null), [first, second]);
    t.strictSame(await after(second ?? ''), [third]);
    t.strictSame(await after(first ?? '', { outcome: 'FAILED' }), [third]);

    const late = refused({ at: start, actorId: 'o1' });
    await audit.record(late);
    t.strictSame(
      await ids({ actorId: 'o1' }),
      [third, late.id, first],
      'a call that took long stands at its time',
    );
    t.strictSame(await ids({ before: second ?? '' }), [late.id, first]);
    t.strictSame(await ids({ before: late.id }), [first]);
    t.strictSame(await after(first ?? ''), [late.id, second]);
  });

  t.test('audit: a text that is too wide for a list is left out, and named', async (t) => {
    const store = await open(t);
    const ada = operator({ name: 'n'.repeat(200) });
    await recorded(store, call(), () => store.operators.create(ada));
    const [entry] = (await store.audit.list({}, page, 100)).items;
    t.match(entry, { before: null, after: null, omitted: ['after'] });
    t.match((await store.audit.find(entry?.id ?? ''))?.after, ada.name);
  });
}
