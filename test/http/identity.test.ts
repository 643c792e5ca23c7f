import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import t, { type Test } from 'tap';
import { createAddressPolicy } from '../../src/services/callbacks/address-policy.ts';
import { createKeySets } from '../../src/services/identities/key-sets.ts';
import { entityIdOf } from '../../src/services/identities/token.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { exportRecord, verify } from '../helpers/record.ts';

type Key = Awaited<ReturnType<typeof generateKeyPair>> & { kid: string };

async function newKey(kid: string, algorithm = 'ES256'): Promise<Key> {
  return { ...(await generateKeyPair(algorithm, { extractable: true })), kid };
}

/** An issuer with discovery and a key set, whose keys and health a test changes. */
async function startIssuer(t: Test) {
  const first = await newKey('first');
  const state = { keys: [first], isDown: false, reads: 0, discovered: null as object | null };
  const server = createServer(async (request, response) => {
    if (state.isDown) return void response.writeHead(500).end('<html>');
    if (request.url === '/.well-known/openid-configuration')
      return void response.end(JSON.stringify(state.discovered ?? { issuer, jwks_uri: `${issuer}/keys` }));
    state.reads++;
    const keys = await Promise.all(
      state.keys.map(async ({ publicKey, kid }) => ({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' })),
    );
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { state, issuer, first };
}

const hour = 3_600;

async function start(t: Test, more: object = {}, document?: string) {
  const { state, issuer, first } = await startIssuer(t);
  const app = await startApp(t, { ASSIZE_CALLBACK_ALLOW: '127.0.0.1' });
  const issuers = [{ issuer, audiences: ['assize'], keepClaims: ['team'] }];
  const { id, key } = await app.integration('REST_API', {
    identity: { required: false, issuers },
    ...more,
  });
  if (document !== undefined) await app.policy(id, document);
  const now = () => Math.floor(app.clock.now() / 1_000);
  const sign = (claims: Record<string, unknown> = {}, { privateKey, kid } = first, algorithm = 'ES256') =>
    new SignJWT({ iss: issuer, aud: 'assize', sub: 'ada', exp: now() + hour, iat: now(), ...claims })
      .setProtectedHeader({ alg: algorithm, kid })
      .sign(privateKey);
  const send = (token: string | null, body: object = {}, headers: Record<string, string> = {}) =>
    app.call(
      key,
      'POST',
      '/v1/evaluate',
      { input: { tool: 'pay' }, ...body },
      { ...(token !== null && { 'x-assize-identity': token }), ...headers },
    );
  const evaluate = async (token: string | null, body: object = {}) => {
    const { status, body: response, text } = await send(token, body);
    if (status !== 200) throw new Error(text);
    return response.data;
  };
  const reasonOf = async (token: string | null) => {
    const { enforcementAction, violations } = await evaluate(token);
    return [enforcementAction, ...violations.map(({ reason }: { reason: string }) => reason)].join(' ');
  };
  return { app, id, key, state, issuer, issuers, first, sign, send, evaluate, reasonOf, now };
}

const byIdentity = `
schemaVersion: 1
name: identities
counters:
  payments: { over: entity, per: day, where: tool == "pay" }
rules:
  - id: robots
    when: identity.actor == "robot" && !("payments" in identity.scopes)
    effect: BLOCK
  - id: other-team
    when: identity.subject != "" && identity.claims.?team.orValue("") != "billing"
    effect: WARN
  - id: too-many
    when: counters.payments >= 2
    effect: BLOCK
    reason: too_many
`;

t.test('rules read whom the token proves; what was proven is kept, the token is not', async (t) => {
  const { app, issuer, sign, evaluate } = await start(t, {}, byIdentity);
  const token = await sign({ jti: 'token-1', team: 'billing', scope: 'payments mail', secretClaim: 'x' });
  const { evaluationRunId, enforcementAction } = await evaluate(token);
  t.equal(enforcementAction, 'ALLOW');
  const identity = {
    issuer,
    subject: 'ada',
    tokenId: 'token-1',
    actors: [],
    scopes: ['payments', 'mail'],
    claims: { team: 'billing' },
  };
  const read = await app.call(adminKey, 'GET', `/v1/evaluations/${evaluationRunId}`);
  t.strictSame(read.body.data.identity, identity);

  t.equal((await evaluate(await sign({ team: 'sales' }))).enforcementAction, 'WARN');
  const delegated = await sign({ team: 'billing', act: { sub: 'robot', act: { sub: 'gateway' } } });
  t.match(await evaluate(delegated), { enforcementAction: 'BLOCK', violations: [{ ruleId: 'robots' }] });

  await app.services.record.roots.sweep();
  const lines = await exportRecord(app);
  const record = lines.join('\n');
  const { keyId } = app.services.record.key();
  t.strictSame(verify(lines, { trustedKeys: [keyId] }).problems, []);
  t.match(record, '"tokenId":"token-1"');
  t.notMatch(record, token.split('.')[2] ?? '');
  t.notMatch(app.log.join('\n'), token.split('.')[2] ?? '');
});

t.test('a token that cannot be verified is a BLOCK with its reason', async (t) => {
  const { state, sign, reasonOf, issuer, first, now } = await start(t);
  const stranger = await newKey('first');
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: issuer, aud: 'assize', sub: 'ada', exp: now() + hour };
  const publicBytes = new TextEncoder().encode(JSON.stringify(await exportJWK(first.publicKey)));
  const symmetric = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'first' })
    .sign(publicBytes);
  const embedded = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', jwk: await exportJWK(stranger.publicKey), kid: 'embedded' })
    .sign(stranger.privateKey);
  const good = await sign();
  const cases: [string, string, string][] = [
    ['no token at all', 'abc', 'identity_malformed'],
    ['an empty one', '', 'identity_malformed'],
    ['two in one header', `${good}, ${good}`, 'identity_malformed'],
    ['another issuer', await sign({ iss: 'https://elsewhere.example' }), 'identity_unknown_issuer'],
    ['the issuer with a slash', await sign({ iss: `${issuer}/` }), 'identity_unknown_issuer'],
    ['another audience', await sign({ aud: 'mail' }), 'identity_wrong_audience'],
    ['expired', await sign({ exp: now() - 31 }), 'identity_expired'],
    ['of tomorrow', await sign({ nbf: now() + 31 }), 'identity_not_yet_valid'],
    ['without an end', await sign({ exp: undefined }), 'identity_malformed'],
    ['without a subject', await sign({ sub: undefined }), 'identity_malformed'],
    ['an empty subject', await sign({ sub: '' }), 'identity_malformed'],
    ['a subject of two lines', await sign({ sub: 'ada\nroot' }), 'identity_malformed'],
    ['an actor that is no chain', await sign({ act: 'robot' }), 'identity_malformed'],
    ['kept claims of 5 KB', await sign({ team: 'x'.repeat(5_000) }), 'identity_malformed'],
    ['20 KB', await sign({ more: 'x'.repeat(20_000) }), 'identity_malformed'],
    ['the key of a stranger', await sign({}, stranger), 'identity_unverified'],
    ['a key id of nobody', await sign({}, { ...stranger, kid: 'unknown' }), 'identity_unverified'],
    ['alg none', `${base64({ alg: 'none' })}.${base64(claims)}.`, 'identity_unverified'],
    ['the public key as a secret', symmetric, 'identity_unverified'],
    ['a key of its own in the header', embedded, 'identity_unverified'],
    [
      'other claims than were signed',
      good.replace(/\.[^.]+\./, `.${base64({ ...claims, sub: 'root' })}.`),
      'identity_unverified',
    ],
  ];
  for (const [name, token, reason] of cases) t.equal(await reasonOf(token), `BLOCK ${reason}`, name);
  t.equal(await reasonOf(good), 'ALLOW');
  t.equal(await reasonOf(await sign({ exp: now() - 29 })), 'ALLOW', 'within the clock skew');
  t.ok(state.reads <= 3, 'keys that nobody has are asked for once in 30 seconds');
});

t.test('headers of a token change nothing about who it proves', async (t) => {
  const { state, sign, reasonOf, issuer, first, now } = await start(t);
  const claims = { iss: issuer, aud: 'assize', sub: 'ada', exp: now() + hour };
  /** Signs any header and payload, also those that the library would not. */
  const signed = async (header: object, payload: string) => {
    const parts = [JSON.stringify(header), payload].map((part) => Buffer.from(part).toString('base64url'));
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
    const signature = await crypto.subtle.sign(algorithm, first.privateKey, Buffer.from(parts.join('.')));
    return [...parts, Buffer.from(signature).toString('base64url')].join('.');
  };
  const header = { alg: 'ES256', kid: 'first' };
  const body = JSON.stringify(claims);
  t.equal(await reasonOf(await signed({ ...header, typ: 'at+jwt' }, body)), 'ALLOW');
  const cases: [string, object, string, string][] = [
    ['an extension that must be understood', { crit: ['x'], x: 1 }, body, 'identity_unverified'],
    ['a payload that is not encoded', { crit: ['b64'], b64: false }, body, 'identity_unverified'],
    ['a token in a token', { cty: 'JWT' }, JSON.stringify(await sign()), 'identity_malformed'],
    ['a path as key id', { kid: '../../dev/null' }, body, 'identity_unverified'],
    ['a statement as key id', { kid: "first' OR '1'='1" }, body, 'identity_unverified'],
    ['a prototype as key id', { kid: '__proto__' }, body, 'identity_unverified'],
    [
      'keys at an address of the token',
      { jku: `${issuer}/other`, kid: 'other' },
      body,
      'identity_unverified',
    ],
    ['an end of a session', { typ: 'logout+jwt' }, body, 'identity_malformed'],
    ['an event', { typ: 'application/SecEvent+JWT' }, body, 'identity_malformed'],
    ['a proof of possession', { typ: 'dpop+jwt' }, body, 'identity_malformed'],
    ['a type that is no text', { typ: ['logout+jwt'] }, body, 'identity_malformed'],
    ['an issuer before its own', {}, body.replace('{', '{"iss":"https://elsewhere.example",'), ''],
    [
      'an issuer after its own',
      {},
      body.replace(/}$/, ',"iss":"https://elsewhere.example"}'),
      'identity_unknown_issuer',
    ],
    ['an audience after its own', {}, body.replace(/}$/, ',"aud":"mail"}'), 'identity_wrong_audience'],
  ];
  for (const [name, more, payload, reason] of cases) {
    const expected = reason === '' ? 'ALLOW' : `BLOCK ${reason}`;
    t.equal(await reasonOf(await signed({ ...header, ...more }, payload)), expected, name);
  }
  t.ok(state.reads <= 3);
});

t.test('a token that names no key is tried with the keys of a real issuer, not with thousands', async (t) => {
  const { state, first, issuer, reasonOf, now } = await start(t);
  const unnamed = () =>
    new SignJWT({ iss: issuer, aud: 'assize', sub: 'ada', exp: now() + hour })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(first.privateKey);
  const other = await newKey('other');
  state.keys = [...Array.from({ length: 100 }, (_, at) => ({ ...other, kid: `k${at}` })), first];
  t.equal(await reasonOf(await unnamed()), 'BLOCK identity_keys_unavailable');
});

t.test('a token is taken until it ends, also when it was verified before', async (t) => {
  const { app, sign, reasonOf, now } = await start(t);
  const token = await sign({ exp: now() + 10 });
  t.equal(await reasonOf(token), 'ALLOW');
  app.clock.advance(39_000);
  t.equal(await reasonOf(token), 'ALLOW', 'within the clock skew');
  app.clock.advance(2_000);
  t.equal(await reasonOf(token), 'BLOCK identity_expired');
});

t.test('keys are read once for all, and again for one that is new', async (t) => {
  const { state, sign, reasonOf } = await start(t);
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, at) => sign({ jti: `${at}` })));
  t.strictSame([...new Set(await Promise.all(tokens.map(reasonOf)))], ['ALLOW']);
  t.equal(state.reads, 1);
  const second = await newKey('second');
  state.keys = [second];
  const rotated = await Promise.all(Array.from({ length: 20 }, (_, at) => sign({ jti: `n${at}` }, second)));
  t.strictSame([...new Set(await Promise.all(rotated.map(reasonOf)))], ['ALLOW']);
  t.equal(state.reads, 2);
  t.equal(await reasonOf(await sign({ jti: 'late' })), 'BLOCK identity_unverified', 'the old key is gone');
});

t.test('without keys nobody is proven', async (t) => {
  const { state, sign, reasonOf } = await start(t);
  state.isDown = true;
  t.equal(await reasonOf(await sign()), 'BLOCK identity_keys_unavailable');
  t.equal(await reasonOf(null), 'ALLOW', 'a token is not required');
  state.isDown = false;
  state.discovered = { issuer: 'https://elsewhere.example', jwks_uri: 'https://elsewhere.example/keys' };
  t.equal(await reasonOf(await sign()), 'BLOCK identity_keys_unavailable');
});

t.test('keys are used for an hour while their issuer cannot be reached', async (t) => {
  const { state, issuer } = await startIssuer(t);
  let now = 0;
  const failures: unknown[] = [];
  const sets = createKeySets({
    policy: createAddressPolicy(['127.0.0.1']),
    now: () => now,
    onError: (error) => failures.push(error),
  });
  const of = { issuer, audiences: ['assize'] };
  t.equal((await sets.of(of))?.keys.keys.length, 1);
  state.isDown = true;
  now = 59 * 60_000;
  t.equal((await sets.of(of))?.keys.keys.length, 1);
  now = 61 * 60_000;
  t.equal(await sets.of(of), null);
  t.ok(failures.length > 0);
  state.isDown = false;
  now += 1_000;
  t.equal(await sets.of(of), null, 'asked once in five seconds');
  now += 5_000;
  t.equal((await sets.of(of))?.keys.keys.length, 1);
});

t.test('an issuer at an address that nobody opened is not asked', async (t) => {
  const { issuer, state } = await startIssuer(t);
  const sets = createKeySets({ policy: createAddressPolicy([]), now: () => 0, onError: () => undefined });
  t.equal(await sets.of({ issuer, audiences: ['assize'] }), null);
  t.equal(state.reads, 0);
});

t.test('where a token is required, nothing passes without one', async (t) => {
  const { app, id, key, issuers, sign, reasonOf } = await start(t);
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, {
    settings: { identity: { required: true, issuers } },
  });
  t.equal(await reasonOf(null), 'BLOCK identity_missing');
  t.equal(await reasonOf(await sign()), 'ALLOW');
  const open = (headers = {}) => app.call(key, 'POST', '/v1/evaluation-sessions', {}, headers);
  t.equal((await open()).status, 403);
  t.equal((await open({ 'x-assize-identity': await sign() })).status, 201);
});

t.test('a session belongs to whom the token proves, and is counted for them', async (t) => {
  const { app, key, issuer, sign, send, evaluate } = await start(t, {}, byIdentity);
  const ada = await sign({ team: 'billing' });
  const bob = await sign({ sub: 'bob', team: 'billing' });
  const inConversation = { externalSessionId: 'c1' };
  const { sessionId } = await evaluate(ada, inConversation);
  const session = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.equal(session.body.data.entityId, entityIdOf(issuer, 'ada'));
  t.match(await send(bob, inConversation), { status: 409 });
  t.match(await send(bob, { sessionId }), { status: 409 });
  t.match(await send(ada, { externalSessionId: 'c2', entityId: entityIdOf(issuer, 'bob') }), {
    status: 400,
    body: { errors: [{ path: '/entityId' }] },
  });
  const opened = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  t.match(await send(ada, { sessionId: opened.body.data.id }), { status: 409 }, 'a session of nobody');
  t.equal((await evaluate(ada, { externalSessionId: 'c3' })).enforcementAction, 'ALLOW');
  t.match(await evaluate(ada, { externalSessionId: 'c4' }), { violations: [{ reason: 'too_many' }] });
  t.equal(
    (await evaluate(bob, { externalSessionId: 'c5' })).enforcementAction,
    'ALLOW',
    'others count apart',
  );
});

t.test('a response under an idempotency key is for whom the token proved', async (t) => {
  const { sign, send } = await start(t);
  const once = { 'idempotency-key': 'once' };
  const ada = await sign();
  t.equal((await send(ada, {}, once)).status, 200);
  t.match(await send(await sign({ jti: 'renewed' }), {}, once), {
    status: 200,
    body: { data: { replayed: true } },
  });
  t.equal((await send(await sign({ sub: 'bob' }), {}, once)).status, 409);
  t.equal((await send('abc', {}, once)).status, 409);
});

t.test('who is proven to be the requester may not approve', async (t) => {
  const { app, issuer, sign, evaluate } = await start(
    t,
    {},
    'schemaVersion: 1\nname: ask\nrules:\n  - { id: ask, when: tool == "pay", effect: APPROVAL_REQUIRED }\n',
  );
  const { reviewRequestId } = await evaluate(await sign(), { externalSessionId: 'c1' });
  const operator = async (name: string, entityId: string | null) => {
    const { body } = await app.call(adminKey, 'POST', '/v1/operators', {
      name,
      roles: ['REVIEWER'],
      entityId,
    });
    return (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: body.data.id })).body.data
      .key;
  };
  const owner = await operator('Ada', entityIdOf(issuer, 'ada'));
  const other = await operator('Bob', null);
  const approve = (key: string) => app.call(key, 'POST', `/v1/reviews/${reviewRequestId}/approve`, {});
  const review = await app.call(other, 'GET', `/v1/reviews/${reviewRequestId}`);
  t.match(review.body.data, { identity: { issuer, subject: 'ada' }, notRequester: true });
  t.equal((await approve(owner)).status, 403);
  t.equal((await approve(other)).status, 200);
});

t.test('settings under which no token could be checked are refused by field', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const issuer = { issuer: 'https://id.example', audiences: ['assize'] };
  const refusedAt = async (issuers: object[]) => {
    const { status, body } = await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, {
      settings: { identity: { required: true, issuers } },
    });
    return `${status} ${body.errors?.[0]?.path}`;
  };
  const at = '/settings/identity/issuers/0';
  const publicKey = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
  t.equal(await refusedAt([{ ...issuer, issuer: 'ftp://id.example' }]), `400 ${at}/issuer`);
  t.equal(await refusedAt([{ ...issuer, issuer: 'https://me:pw@id.example' }]), `400 ${at}/issuer`);
  t.equal(await refusedAt([{ ...issuer, audiences: [] }]), `400 ${at}/audiences`);
  t.equal(await refusedAt([{ ...issuer, algorithms: ['HS256'] }]), `400 ${at}/algorithms/0`);
  t.equal(
    await refusedAt([{ ...issuer, jwks: { keys: [{ ...publicKey, d: 'd' }] } }]),
    `400 ${at}/jwks/keys/0/d`,
  );
  t.equal(
    await refusedAt([{ ...issuer, jwks: { keys: [{ kty: 'oct', k: 'k' }] } }]),
    `400 ${at}/jwks/keys/0/kty`,
  );
  t.equal(await refusedAt([issuer, issuer]), '400 /settings/identity/issuers/1/issuer');
  t.equal(await refusedAt([]), '400 /settings/identity/issuers');
  t.equal(await refusedAt([{ ...issuer, jwks: { keys: [publicKey] } }]), '200 undefined');
});
