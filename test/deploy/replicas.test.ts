import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/config.ts';
import { root } from '../helpers/process.ts';

const read = (...names: string[]) => readFileSync(join(root, 'deploy', ...names), 'utf8');
/** How long a stop may take, in seconds, by src/cli/serve/run.ts. */
const grace = 20;
const adminKey = `asz_admin_${'a'.repeat(43)}`;
const secretsKey = Buffer.alloc(32, 1).toString('base64');

t.test('compose: two replicas that share what they must, and only the proxy can be reached', async (t) => {
  const { services, networks } = parse(read('compose.replicas.yaml'), { merge: true });
  const { 'assize-1': one, 'assize-2': other, proxy, postgres, valkey } = services;
  t.strictSame(one, other);
  for (const { ports } of [one, postgres, valkey]) t.equal(ports, undefined);
  t.ok(networks.storage.internal);
  t.notOk(proxy.networks.includes('storage'));
  const environment = { ...one.environment, ASSIZE_ADMIN_KEY: adminKey, ASSIZE_SECRETS_KEY: secretsKey };
  t.match(loadConfig(environment), {
    redis: 'redis://valkey:6379',
    trustProxy: [networks.inside.ipam.config[0].subnet],
    recordKeyFile: '/run/secrets/record-key',
    demo: false,
  });
  t.match(one, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  t.ok(Number.parseInt(one.stop_grace_period, 10) > grace);
  t.match(
    postgres.environment.POSTGRES_INITDB_ARGS,
    /--locale=C/,
    'the store refuses another order of texts',
  );
  t.match(read('Caddyfile.replicas'), /reverse_proxy assize-1:3000 assize-2:3000 \{/);
});

const documents = parseAllDocuments(read('kubernetes.replicas.yaml')).map((document) => document.toJS());
const [deployment, service, budget, autoscaler] = documents;
const [container] = deployment.spec.template.spec.containers;

t.test('Kubernetes: replicas are replaced one by one, and enough of them always serve', async (t) => {
  t.strictSame(
    documents.map(({ kind }) => kind),
    ['Deployment', 'Service', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'],
  );
  t.equal(deployment.spec.replicas, undefined, 'the autoscaler says how many');
  t.match(deployment.spec.strategy.rollingUpdate, { maxUnavailable: 0 });
  const { spec, metadata } = deployment.spec.template;
  for (const selector of [
    service.spec.selector,
    budget.spec.selector.matchLabels,
    deployment.spec.selector.matchLabels,
  ]) {
    t.strictSame(selector, metadata.labels);
  }
  t.ok(autoscaler.spec.minReplicas > budget.spec.minAvailable);
  t.equal(autoscaler.spec.scaleTargetRef.name, deployment.metadata.name);
  t.ok(spec.terminationGracePeriodSeconds > grace + 5, 'and 5 seconds of preStop');
  t.match(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  t.match(container.securityContext, { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  for (const { name } of container.volumeMounts) {
    t.ok(
      spec.volumes.some((volume: { name: string }) => volume.name === name),
      name,
    );
  }
});

interface EnvEntry {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { key: string } };
}

t.test('Kubernetes: every setting is one', async (t) => {
  const secrets: Record<string, string> = {
    database: 'postgres://assize@postgres/assize',
    redis: 'redis://valkey:6379',
    'admin-key': adminKey,
    'secrets-key': secretsKey,
  };
  const env = Object.fromEntries(
    container.env.map(({ name, value, valueFrom }: EnvEntry) => [
      name,
      value ?? secrets[valueFrom?.secretKeyRef.key ?? ''],
    ]),
  );
  t.match(loadConfig(env), { adminKey, redis: secrets.redis });
});

const values = parse(read('chart', 'values.yaml'));
const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('chart', 'values.schema.json')));

t.test('chart: its values are valid, and mistakes are not', async (t) => {
  t.ok(isValid(values), JSON.stringify(isValid.errors));
  for (const mistake of [
    { autoscaling: { ...values.autoscaling, minReplicas: 1 } },
    { image: { repository: '' } },
    { replicas: 3 },
    { settings: { LOG_LEVEL: 'debug' } },
    { settings: { ASSIZE_DATABASE: 'postgres://in-the-open' } },
    { settings: { ASSIZE_MAX_WAITING: 9 } },
  ]) {
    t.notOk(isValid({ ...values, ...mistake }), JSON.stringify(mistake));
  }
  t.doesNotThrow(() => loadConfig(values.settings));
});

t.test('chart: templates read values that there are, and every value is read', async (t) => {
  const templates = readdirSync(join(root, 'deploy', 'chart', 'templates')).map((name) =>
    read('chart', 'templates', name),
  );
  const named = new Set(
    templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path)),
  );
  const leaves = Object.entries(values).flatMap(([name, value]) =>
    named.has(name) ? [name] : Object.keys(value as object).map((member) => `${name}.${member}`),
  );
  t.strictSame([...named].sort(), leaves.sort());
  const all = templates.join('\n');
  const keysIn = (text: string) => [...text.matchAll(/\bkey: ([\w-]+(?:\.pem)?)/g)].map(([, key]) => key);
  t.strictSame(keysIn(all), keysIn(read('kubernetes.replicas.yaml')), 'the same keys of the same Secret');
  for (const [, name = ''] of all.matchAll(/include "([\w.]+)"/g)) t.match(all, `define "${name}"`);
});
