import t from 'tap';
import { createPolicyModes } from '../../../src/features/integrations/protection.ts';

const head = 'schemaVersion: 1\nname: a\n';
const rules = 'rules:\n  - { id: r, when: "true", effect: BLOCK }\n';

t.test('the mode of a document is read however it is written', async (t) => {
  const { of: modeOf } = createPolicyModes();
  for (const monitored of [
    `${head}mode: MONITOR\n${rules}`,
    `${head}mode: "\\x4dONITOR"\n${rules}`,
    `${head}mode: "MON\\\n  ITOR"\n${rules}`,
    `${head}"m\\x6fde": MONITOR\n${rules}`,
    JSON.stringify({
      schemaVersion: 1,
      name: 'a',
      mode: 'MONITOR',
      rules: [{ id: 'r', when: 'true', effect: 'BLOCK' }],
    }),
  ])
    t.equal(modeOf(monitored), 'MONITOR', monitored);
  for (const enforced of [
    `${head}${rules}`,
    `${head}mode: ENFORCE\n${rules}`,
    `${head}# MONITOR\n${rules}`,
    '{',
    '',
  ])
    t.equal(modeOf(enforced), 'ENFORCE', enforced);
});

t.test('a large document that cannot be monitored is not read inside a change', async (t) => {
  const { of: modeOf } = createPolicyModes();
  const document = `${head}${rules}${'\n'.repeat(1_000_000)}not: [yaml`;
  const began = process.cpuUsage();
  t.equal(modeOf(document), 'ENFORCE');
  const { user, system } = process.cpuUsage(began);
  t.ok((user + system) / 1_000 < 20, 'takes no time');
});

t.test('#36: what another read of the document found is not read again', async (t) => {
  const modes = createPolicyModes();
  const document = `${head}${rules}# MONITOR \\${'\n'.repeat(1_000_000)}not: [yaml`;
  modes.learn(document, 'MONITOR');
  t.equal(modes.of(document), 'MONITOR');
  const pattern = `${head}${rules.replace('"true"', `'input.x.matches("\\\\d")'`)}${'\n'.repeat(1_000_000)}`;
  const began = process.cpuUsage();
  t.equal(modes.of(pattern), 'ENFORCE');
  const { user, system } = process.cpuUsage(began);
  t.ok((user + system) / 1_000 < 20, 'a backslash of a pattern is no escape');
});
