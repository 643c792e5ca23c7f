import Fastify from 'fastify';
import t from 'tap';
import {
  authenticateCallers,
  callerOf,
  integrationOf,
  operatorOf,
} from '../../../src/http/plugins/authenticate.ts';
import { startApp } from '../../helpers/app.ts';

t.test('a route that does not say who may call it cannot be registered', async (t) => {
  const app = await startApp(t);
  const plain = Fastify();
  authenticateCallers(plain, { authentication: app.services.authentication, identifySignedIn: null });
  t.throws(() => plain.get('/open', async () => 'x'), { message: 'GET /open does not say who may call it' });
  t.throws(() => plain.post('/open', { config: {} }, async () => 'x'), /does not say who may call it/);
  t.doesNotThrow(() =>
    plain.get(
      '/told',
      { config: { callers: 'any', permission: 'self:read', scope: 'read' } },
      async () => 'x',
    ),
  );
  for (const callers of ['any', 'operator'] as const) {
    t.throws(
      () => plain.get('/none', { config: { callers } }, async () => 'x'),
      /which permission an operator needs/,
    );
  }
  t.throws(
    () => plain.get('/no', { config: { callers: 'integration', permission: 'self:read' } }, async () => 'x'),
    /which permission/,
  );
  for (const config of [
    { callers: 'integration' },
    { callers: 'any', permission: 'self:read' },
    { callers: 'mcp', scope: 'read' },
    { callers: 'operator', permission: 'self:read', scope: 'read' },
  ] as const) {
    t.throws(
      () => plain.get('/unscoped', { config }, async () => 'x'),
      /which scope the key of an integration needs/,
    );
  }
});

t.test('a route that lets the wrong caller in fails instead of running', async (t) => {
  const nobody = { caller: null } as never;
  const operator = { caller: { kind: 'operator', keyId: 'k' } } as never;
  const integration = { caller: { kind: 'integration', integration: { id: 'i' } } } as never;
  t.throws(() => callerOf(nobody), /outside the authenticated scope/);
  t.throws(() => operatorOf(nobody), /outside the authenticated scope/);
  t.throws(() => integrationOf(nobody), /outside the authenticated scope/);
  t.throws(() => operatorOf(integration), /let an integration in/);
  t.throws(() => integrationOf(operator), /let an operator in/);
  t.match(operatorOf(operator), { keyId: 'k' });
  t.strictSame(integrationOf(integration), { id: 'i' });
});
