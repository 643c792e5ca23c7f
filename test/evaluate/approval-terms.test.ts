import t, { type Test } from 'tap';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { adminKey, startApp } from '../helpers/app.ts';

const rule = (id: string, tool: string, approval: string) => `
  - id: ${id}
    when: tool.startsWith("${tool}")
    effect: APPROVAL_REQUIRED
    approval: ${approval}
`;

async function start(t: Test, ...rules: string[]) {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, `schemaVersion: 1\nname: approvals\nrules:${rules.join('')}`);
  let made = 0;
  /** The key of a new operator. */
  async function operator(groups: string[] = [], more: object = {}): Promise<string> {
    const body = { name: `n${made++}`, roles: ['REVIEWER'], groups, ...more };
    const created = await app.call(adminKey, 'POST', '/v1/operators', body);
    const operatorId = created.body.data.id;
    return (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId })).body.data.key;
  }
  const send = async (input: object, more: object = {}) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input, externalSessionId: 's', ...more })).body.data;
  const hold = async (tool: string, more: object = {}): Promise<string> =>
    (await send({ tool }, more)).reviewRequestId;
  const approve = async (by: string, review: string, body: object = {}) => {
    const { status, body: response } = await app.call(by, 'POST', `/v1/reviews/${review}/approve`, body);
    return { status, review: response.data, message: response.errors?.[0].message };
  };
  const read = async (review: string, by = adminKey) =>
    (await app.call(by, 'GET', `/v1/reviews/${review}`)).body.data;
  return { app, id, key, operator, send, hold, approve, read };
}

t.test('a quorum of operators of a group approves, and nobody else', async (t) => {
  const { operator, send, hold, approve, read } = await start(
    t,
    rule('pay', 'pay', '{ quorum: 2, from: [finance, board] }'),
  );
  const review = await hold('pay');
  t.match(await read(review), {
    requires: [{ quorum: 2, from: ['finance', 'board'] }],
    approvals: [],
    notRequester: false,
  });
  const [ann, bob, eve] = [
    await operator(['finance']),
    await operator(['board', 'x']),
    await operator(['sales']),
  ];
  const refusalOf = async (by: string) => (await read(review, by)).approvalRefusal;
  t.strictSame(
    [await refusalOf(eve), await refusalOf(ann)],
    ['not_in_group', null],
    'said before it is tried',
  );
  const refused = await approve(eve, review);
  t.match([refused.status, refused.message], [403, /only operators of finance or board/]);
  const first = await approve(ann, review, { comment: 'fine' });
  t.match([first.status, first.review.status, first.review.decidedBy], [200, 'PENDING', null]);
  t.match(first.review.approvals, [{ by: { name: 'n0' }, comment: 'fine', at: '2030-01-01T00:00:00.000Z' }]);
  t.strictSame([await refusalOf(ann), await refusalOf(bob)], ['already_approved', null]);
  const again = await approve(ann, review);
  t.match([again.status, again.message], [409, /already approved it/]);
  t.equal((await send({ tool: 'pay' }, { reviewRequestId: review })).enforcementAction, 'APPROVAL_REQUIRED');
  const second = await approve(bob, review);
  t.match(
    [second.review.status, second.review.decidedBy.name, second.review.approvals.length],
    ['APPROVED', 'n1', 2],
  );
  t.equal((await send({ tool: 'pay' }, { reviewRequestId: review })).enforcementAction, 'ALLOW');
});

t.test('of 64 approvals at once, exactly two count', async (t) => {
  const { operator, hold, approve, read } = await start(t, rule('pay', 'pay', '{ quorum: 2 }'));
  const keys: string[] = [];
  for (let index = 0; index < 64; index++) keys.push(await operator());
  const review = await hold('pay');
  const all = await Promise.all(keys.map((key) => approve(key, review)));
  const statuses = all.map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 200).length, 2);
  t.equal(statuses.filter((status) => status === 409).length, 62);
  const { status, approvals } = await read(review);
  t.match([status, approvals.length], ['APPROVED', 2]);
});

t.test('one operator gives one approval, however many keys and requests', async (t) => {
  const { app, operator, hold, approve, read } = await start(t, rule('pay', 'pay', '{ quorum: 2 }'));
  const ann = await operator();
  const { id } = (await app.call(ann, 'GET', '/v1/operators/me')).body.data;
  const second = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: id });
  const review = await hold('pay');
  const keys = [ann, ann, second.body.data.key];
  const all = await Promise.all(keys.map((key) => approve(key, review)));
  t.strictSame(all.map(({ status }) => status).sort(), [200, 409, 409]);
  t.equal((await read(review)).status, 'PENDING');
});

t.test('the requirements of all rules that hold are met, and one rejection ends it', async (t) => {
  const { app, operator, hold, approve, read } = await start(
    t,
    rule('two', 'pay', '{ quorum: 2, from: [finance], expiresIn: 4h }'),
    rule('legal', 'pay', '{ from: [legal], expiresIn: 1h }'),
    rule('more', 'pay.more', '{ quorum: 3, from: [finance] }'),
  );
  const review = await hold('pay');
  const { requires, expiresAt } = await read(review);
  t.strictSame(requires, [
    { quorum: 2, from: ['finance'] },
    { quorum: 1, from: ['legal'] },
  ]);
  t.equal(expiresAt, '2030-01-01T01:00:00.000Z', 'the shortest');
  t.match((await read(await hold('pay.more'))).requires[0], { quorum: 3 });
  const [ann, bob, leo] = [
    await operator(['finance', 'legal']),
    await operator(['finance']),
    await operator(['legal']),
  ];
  t.equal((await approve(leo, review)).review.status, 'PENDING');
  t.equal((await approve(ann, review)).review.status, 'PENDING');
  t.equal((await approve(bob, review)).review.status, 'APPROVED');
  const other = await hold('pay.other');
  await approve(ann, other);
  const eve = await operator(['sales']);
  const rejected = await app.call(eve, 'POST', `/v1/reviews/${other}/reject`, {});
  t.equal(rejected.body.data.status, 'REJECTED', 'who may not approve may stop it');
  t.equal((await approve(bob, other)).status, 409);
});

t.test('who may have requested the action does not approve it', async (t) => {
  const entityId = '00000000-0000-4000-8000-0000000000aa';
  const {
    operator,
    hold,
    approve,
    read,
    key: integrationKey,
  } = await start(t, rule('pay', 'pay', '{ notRequester: true }'), rule('free', 'free', '{ quorum: 1 }'));
  const [self, other] = [await operator([], { entityId }), await operator()];
  const review = await hold('pay', { entityId });
  const refusals = [self, adminKey, other].map(async (by) => (await read(review, by)).approvalRefusal);
  t.strictSame(await Promise.all(refusals), ['own_request', 'own_request', null]);
  t.notOk('approvalRefusal' in (await read(review, integrationKey)), 'agents decide nothing');
  const refused = await approve(self, review);
  t.match([refused.status, refused.message], [403, /entity of the session/]);
  t.equal((await approve(adminKey, review)).status, 403, 'it made the key of the integration');
  t.equal((await approve(other, review)).review.status, 'APPROVED');
  t.equal((await approve(self, await hold('free', { entityId }))).review.status, 'APPROVED');
});

t.test('an approval counts for the findings that were seen', async (t) => {
  const { app, id, operator, hold, approve, read } = await start(t, rule('pay', 'pay', '{ quorum: 2 }'));
  const [ann, bob, leo] = [await operator(), await operator(), await operator()];
  const review = await hold('pay');
  t.equal((await approve(ann, review)).review.status, 'PENDING');
  await app.policy(id, `schemaVersion: 1\nname: other\nrules:${rule('other', 'pay', '{ quorum: 1 }')}`);
  t.equal(await hold('pay'), review);
  t.equal((await approve(bob, review)).review.status, 'PENDING', 'the first one saw less');
  t.equal((await approve(ann, review)).status, 200, 'and may approve what it is now');
  t.equal((await read(review)).status, 'APPROVED');
  t.equal((await approve(leo, review)).status, 409);
});

t.test('an approval no longer counts when its operator is disabled', async (t) => {
  const { app, operator, hold, approve, read } = await start(t, rule('pay', 'pay', '{ quorum: 2 }'));
  const [ann, bob, leo] = [await operator(), await operator(), await operator()];
  const { id } = (await app.call(ann, 'GET', '/v1/operators/me')).body.data;
  const setStatus = (status: string) => app.call(adminKey, 'PATCH', `/v1/operators/${id}`, { status });
  const review = await hold('pay');
  await approve(ann, review);
  await setStatus('DISABLED');
  t.equal((await approve(bob, review)).review.status, 'PENDING');
  t.match((await read(review)).approvals, [{ by: { name: 'n0' } }, { by: { name: 'n1' } }], 'both are shown');
  t.equal((await approve(leo, review)).review.status, 'APPROVED');
  const other = await hold('pay.other');
  await setStatus('ACTIVE');
  await approve(ann, other);
  await setStatus('DISABLED');
  await setStatus('ACTIVE');
  t.equal((await approve(bob, other)).review.status, 'APPROVED', 'an active operator counts again');
});

t.test('every mistake in an approval has its place', async (t) => {
  const cases: [rule: string, path: string, message: RegExp][] = [
    ['effect: BLOCK, approval: { quorum: 2 }', '/rules/0/approval', /holds actions/],
    ['label: [A], approval: {}', '/rules/0/approval', /holds actions/],
    ['approval: 2', '/rules/0/approval', /expected a map/],
    ['approval: null', '/rules/0/approval', /expected a map/],
    ['approval: { quorum: 0 }', '/rules/0/approval/quorum', /at least 1/],
    ['approval: { quorum: 11 }', '/rules/0/approval/quorum', /at most 10/],
    ['approval: { quorum: "2" }', '/rules/0/approval/quorum', /whole number/],
    ['approval: { from: finance }', '/rules/0/approval/from', /expected a list/],
    ['approval: { from: [] }', '/rules/0/approval/from', /at least 1 entry/],
    ['approval: { from: [Finance] }', '/rules/0/approval/from/0', /has to match/],
    [
      `approval: { from: [${Array.from({ length: 21 }, (_, i) => `g${i}`)}] }`,
      '/rules/0/approval/from',
      /at most 20/,
    ],
    ['approval: { notRequester: "yes" }', '/rules/0/approval/notRequester', /true or false/],
    ['approval: { expiresIn: 4 }', '/rules/0/approval/expiresIn', /expected a text/],
    ['approval: { expiresIn: 4 hours }', '/rules/0/approval/expiresIn', /has to match/],
    ['approval: { expiresIn: 59s }', '/rules/0/approval/expiresIn', /from 60s to 7d/],
    ['approval: { expiresIn: 8d }', '/rules/0/approval/expiresIn', /from 60s to 7d/],
    ['approval: { grant: {} }', '/rules/0/approval/grant', /needs an end: "for", "uses" or both/],
    ['approval: { grant: { same: [tool] } }', '/rules/0/approval/grant', /needs an end/],
    ['approval: { grant: 5 }', '/rules/0/approval/grant', /expected a map/],
    ['approval: { grant: { uses: 0 } }', '/rules/0/approval/grant/uses', /at least 1/],
    ['approval: { grant: { uses: 10001 } }', '/rules/0/approval/grant/uses', /at most 10000/],
    ['approval: { grant: { uses: 1.5 } }', '/rules/0/approval/grant/uses', /whole number/],
    ['approval: { grant: { for: 59s } }', '/rules/0/approval/grant/for', /from 60s to 7d/],
    ['approval: { grant: { for: 8d } }', '/rules/0/approval/grant/for', /from 60s to 7d/],
    ['approval: { grant: { for: 1 hour } }', '/rules/0/approval/grant/for', /has to match/],
    ['approval: { grant: { uses: 1, same: tool } }', '/rules/0/approval/grant/same', /expected a list/],
    ['approval: { grant: { uses: 1, same: [] } }', '/rules/0/approval/grant/same', /at least 1 entry/],
    ['approval: { grant: { uses: 1, same: [to] } }', '/rules/0/approval/grant/same/0', /has to match/],
    ['approval: { grant: { uses: 1, same: [input.] } }', '/rules/0/approval/grant/same/0', /has to match/],
    [
      'approval: { grant: { uses: 1, same: [session.id] } }',
      '/rules/0/approval/grant/same/0',
      /has to match/,
    ],
    ['approval: { grant: { use: 1 } }', '/rules/0/approval/grant/use', /unknown key "use"/],
    ['approval: { quorums: 2 }', '/rules/0/approval/quorums', /unknown key/],
  ];
  for (const [text, path, message] of cases) {
    const does = /effect|label/.test(text) ? text : `effect: APPROVAL_REQUIRED, ${text}`;
    const { issues } = checkPolicyDocument(
      `schemaVersion: 1\nname: a\nrules:\n  - { id: a, when: "true", ${does} }\n`,
    );
    const found = issues.find((issue) => issue.path === path);
    t.match(found?.message, message, `${text}: ${JSON.stringify(issues)}`);
    t.equal(found?.line, 4);
  }
});
