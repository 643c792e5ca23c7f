import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/config.ts';
import { startApp, temporaryFolder } from '../helpers/app.ts';
import { root } from '../helpers/process.ts';

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
/** How long a stop may take, in seconds, by src/cli/serve/run.ts. */
const grace = 20;
const imageVolume = /^VOLUME \["(.*)"\]$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1];
const adminKey = `asz_admin_${'a'.repeat(43)}`;

t.test('compose: only the proxy can be reached, and only its network is believed', async (t) => {
  const { services, networks } = parse(read('compose.yaml'));
  t.equal(services.assize.ports, undefined);
  t.strictSame(services.assize.networks, services.proxy.networks);
  const [{ subnet }] = networks.inside.ipam.config;
  const { environment } = services.assize;
  t.match(loadConfig({ ...environment, ASSIZE_DATABASE_MUST_EXIST: 'true' }), {
    trustProxy: [subnet],
    demo: false,
    databaseMustExist: true,
  });
  t.match(environment.ASSIZE_DATABASE_MUST_EXIST, /:-false\}$/, 'the first start makes the database');
  t.match(
    read('Caddyfile'),
    /reverse_proxy \{\$ASSIZE_UPSTREAM:assize:3000\}/,
    'the proxy asks that service',
  );
});

t.test('compose: nothing but the volume can be written, and a stop has its time', async (t) => {
  const { assize } = parse(read('compose.yaml')).services;
  t.match(assize, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  t.strictSame(assize.volumes, [`data:${imageVolume}`]);
  t.ok(Number.parseInt(assize.stop_grace_period, 10) > grace);
});

t.test('Kubernetes: one pod at a time, without rights, on one volume', async (t) => {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
  const [claim, deployment, service] = documents;
  t.strictSame(
    documents.map(({ kind }) => kind),
    ['PersistentVolumeClaim', 'Deployment', 'Service'],
  );
  t.match(deployment.spec, { replicas: 1, strategy: { type: 'Recreate' } });
  const { spec, metadata } = deployment.spec.template;
  t.strictSame(metadata.labels, service.spec.selector);
  t.match(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  t.ok(spec.terminationGracePeriodSeconds > grace);
  t.equal(spec.volumes[0].persistentVolumeClaim.claimName, claim.metadata.name);
  const [container] = spec.containers;
  t.match(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  t.strictSame(container.volumeMounts, [{ name: spec.volumes[0].name, mountPath: imageVolume }]);
  const env = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value?: string }) => [name, value ?? adminKey]),
  );
  t.equal(loadConfig(env).adminKey, adminKey, 'every setting is one');
});

t.test('Kubernetes: every probe asks for what is answered', async (t) => {
  const { http } = await startApp(t);
  const [, deployment] = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
  const [container] = deployment.spec.template.spec.containers;
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    const { path } = container[probe].httpGet;
    t.equal((await http.inject(path)).statusCode, 200, path);
  }
});

t.test('systemd: a user of its own, one folder to write, and no restart after exit code 1', async (t) => {
  const unit = read('assize.service');
  for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'UMask=0077']) {
    t.ok(unit.includes(`\n${line}\n`), line);
  }
  t.match(unit, /^Restart=on-abnormal$/m);
  t.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > grace);
  const [, settings = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
  const env = Object.fromEntries(settings.split(' ').map((setting) => setting.split('=')));
  t.match(loadConfig(env), { database: '%S/assize/assize.db', demo: false });
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
t.test('systemd: the unit is valid', { skip: !hasSystemd && 'needs systemd-analyze' }, async (t) => {
  const file = join(temporaryFolder(t), 'assize.service');
  // The binary is not installed where the tests run.
  writeFileSync(file, read('assize.service').replace('/usr/local/bin/assize', '/bin/true'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  t.equal(status, 0, stderr);
  t.equal(stderr, '');
});
