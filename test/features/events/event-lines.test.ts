import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import t, { type Test } from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';
import { heldIntegration } from '../../helpers/reviews.ts';
import { until } from '../../helpers/until.ts';

/** `last`: what the last line has; nothing when there are to be none. */
async function logged(t: Test, env: Record<string, string>, last = '') {
  const app = await startApp(t, env);
  const held = await heldIntegration(app);
  await app.policy(held.id, rule('tool == "block"', 'BLOCK').replace('one-rule', 'block'));
  const secret = 'content-that-must-not-appear';
  await held.evaluate({ input: { tool: 'fine', secret }, targetKey: secret });
  await held.evaluate({ input: { tool: 'block', secret }, targetKey: secret });
  const reviewId = await held.review({ input: { tool: 'pay', secret } });
  await held.decide(reviewId, 'approve', { comment: secret });
  await app.call(adminKey, 'POST', '/v1/operators', { name: 'Ada', roles: ['AUDITOR'] });
  // On PostgreSQL, lines are written some time after the response.
  await until(
    () => app.log.join(''),
    (log) => !last || log.includes(last),
  );
  t.notMatch(app.log.join(''), new RegExp(secret));
  // That the new integration has no policy is no event.
  const lines = app.log.map((line) => JSON.parse(line)).filter(({ msg }) => !/^no policy is bound/.test(msg));
  return { app, held, reviewId, lines };
}

t.test('one line for each decision other than ALLOW and each management change', async (t) => {
  const { lines, held, reviewId } = await logged(t, {}, 'operator.created');
  t.strictSame(
    lines.map(({ msg }) => msg),
    [
      'integration.created',
      'policy.created',
      'policy.bound',
      'policy.created',
      'policy.bound',
      'evaluation.blocked',
      'evaluation.held',
      'review.approved',
      'operator.created',
    ],
  );
  const blocked = lines.find(({ msg }) => msg === 'evaluation.blocked');
  t.match(blocked, {
    level: 30,
    event: { specversion: '1.0', type: 'evaluation.blocked', data: { integrationId: held.id } },
  });
  t.match(lines.at(-2), { event: { subject: `reviews/${reviewId}` } });
});

t.test('OCSF: the same lines as API Activity of the version that is asked for', async (t) => {
  const { lines, held } = await logged(
    t,
    { ASSIZE_EVENT_LINES: 'ocsf', ASSIZE_OCSF_VERSION: '1.4.0' },
    'createOperator',
  );
  t.equal(lines.length, 9);
  for (const line of lines) {
    t.match(line, {
      category_uid: 6,
      class_uid: 6003,
      type_uid: 600_300 + line.activity_id,
      severity_id: Number,
      time: Number,
      attestation: undefined,
      metadata: { version: '1.4.0', product: { vendor_name: 'Assize', version: String }, uid: String },
      actor: { user: { uid: String } },
      api: { operation: String },
      src_endpoint: {},
    });
    t.notOk('level' in line || 'msg' in line, 'nothing that OCSF does not have');
  }
  t.match(
    lines.find(({ message }) => message === 'evaluation.blocked'),
    {
      activity_id: 1,
      metadata: { profiles: ['security_control'], event_code: 'evaluation.blocked' },
      action_id: 2,
      disposition_id: 2,
      severity_id: 4,
      severity: 'High',
      actor: { user: { uid: held.id, name: 'test AGENT' } },
      api: { operation: 'evaluate' },
      src_endpoint: { uid: held.id },
    },
  );
  t.match(lines.at(-1), {
    activity_id: 1,
    api: { operation: 'createOperator' },
    actor: { user: { name: 'owner', type_id: 2 } },
    src_endpoint: { ip: '127.0.0.1' },
    resources: [{ type: 'operators', name: 'Ada' }],
    severity_id: 1,
  });
});

/** RFC 8785 for what these lines hold: keys in order, and no numbers but integers. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );

// biome-ignore lint/suspicious/noExplicitAny: tests read lines the way a SIEM does
type Line = any;
/** What a reader of the lines finds wrong in their chain. */
function brokenLinks(lines: readonly Line[]): string[] {
  return lines.flatMap(({ attestation, ...event }, place) => {
    const { fingerprint, ...covered } = attestation;
    const text = canonical({ ...event, attestation: covered });
    const own = createHash('sha256').update(text).digest('hex') === fingerprint.value;
    const before = lines[place - 1];
    const linked =
      canonical(covered.prev_event ?? null) ===
      canonical(
        before
          ? {
              uid: before.metadata.uid,
              type_uid: before.type_uid,
              fingerprint: before.attestation.fingerprint,
            }
          : null,
      );
    return [...(own ? [] : [`${place} was changed`]), ...(linked ? [] : [`${place} does not follow`])];
  });
}

t.test(
  'OCSF 1.9: the lines are of the published schema, and each attests itself and the one before',
  async (t) => {
    const { lines } = await logged(t, { ASSIZE_EVENT_LINES: 'ocsf' }, 'createOperator');
    const validate = new Ajv({ strict: false }).compile(
      JSON.parse(readFileSync('test/fixtures/ocsf-api-activity.json', 'utf8')),
    );
    for (const line of lines) t.ok(validate(line), `${line.message}: ${JSON.stringify(validate.errors)}`);
    t.ok(lines.every(({ metadata }) => metadata.profiles.includes('record_integrity')));
    t.equal(new Set(lines.map(({ attestation }) => attestation.chain_uid)).size, 1);
    t.strictSame(brokenLinks(lines), []);
    const changed = structuredClone(lines);
    changed[5].severity_id = 1;
    t.strictSame(brokenLinks(changed), ['5 was changed']);
    t.strictSame(brokenLinks(lines.toSpliced(3, 1)), ['3 does not follow']);
  },
);

t.test('a level above info, and the form off, write no such line', async (t) => {
  t.strictSame((await logged(t, { ASSIZE_EVENT_LINES: 'off' })).lines, []);
  for (const form of ['assize', 'ocsf']) {
    t.strictSame((await logged(t, { ASSIZE_LOG_LEVEL: 'warn', ASSIZE_EVENT_LINES: form })).lines, []);
  }
});
