import { hash } from 'node:crypto';
import t from 'tap';
import {
  createKey,
  createWebhookSecret,
  hashKey,
  integrationKeyPrefix,
  isIntegrationKey,
  isOperatorKey,
  keyPrefixOf,
  operatorKeyPrefix,
} from '../../src/services/access/keys.ts';

t.test('keys carry 256 random bits behind a prefix that tells their kind', async (t) => {
  const made = new Set<string>();
  for (const [prefix, own, other] of [
    [integrationKeyPrefix, isIntegrationKey, isOperatorKey],
    [operatorKeyPrefix, isOperatorKey, isIntegrationKey],
  ] as const) {
    const key = createKey(prefix);
    t.ok(own(key));
    t.notOk(other(key));
    t.equal(Buffer.from(key.slice(prefix.length), 'base64url').length, 32);
    made.add(key).add(createKey(prefix));
  }
  t.equal(made.size, 4);
  t.match(integrationKeyPrefix, /live_$/, 'specification, section 5');
});

t.test('what only resembles a key is none', async (t) => {
  const random = 'x'.repeat(43);
  for (const text of [
    '',
    random,
    `asz_live_${random}x`,
    `asz_live_${random.slice(1)}`,
    `ASZ_LIVE_${random}`,
    ` asz_live_${random}`,
    `asz_live_${random}\n`,
    `asz_live_${random.slice(1)}=`,
    `asz_test_${random}`,
  ]) {
    t.notOk(isIntegrationKey(text) || isOperatorKey(text), JSON.stringify(text));
  }
});

t.test('of a key its SHA-256 is kept and four of its characters are shown', async (t) => {
  const key = `asz_live_abcd${'x'.repeat(39)}`;
  t.equal(hashKey(key), hash('sha256', key, 'hex'));
  t.equal(keyPrefixOf(key), 'asz_live_abcd');
});

t.test('a signing secret has the form of Standard Webhooks', async (t) => {
  const secret = createWebhookSecret();
  t.equal(Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length, 32);
  t.not(createWebhookSecret(), secret);
});
