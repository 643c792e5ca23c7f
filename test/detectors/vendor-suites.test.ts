import { test } from 'tap';
import { CONFIG_FILES } from '../../bench/detection/config-files.ts';
import { Random } from '../../bench/detection/random.ts';
import { ASSIGNMENTS } from '../../bench/detection/secret-forms.ts';
import { BY_FORM, BY_NAME, LABELS } from '../../bench/detection/vendor-formats.ts';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

const detector = createDetector();
const r = new Random(77);

/** The share of inputs in which a credential is found. */
function recall(inputs: readonly unknown[]): number {
  return (
    inputs.filter((input) => detector.scan({ input }).tags.includes('CREDENTIALS')).length / inputs.length
  );
}

/** The mean of the shares of all names. */
function macro(cases: readonly (readonly unknown[])[]): number {
  return cases.reduce((sum, inputs) => sum + recall(inputs), 0) / cases.length;
}

test('credentials under the name of their vendor are found, whatever their form', async (t) => {
  const cases = BY_NAME.map(([name, make]) =>
    ASSIGNMENTS.map((assign, i) => assign((LABELS[i % 5] as (v: string) => string)(name), make(r))),
  );
  const share = macro(cases);
  t.ok(share > 0.97, String(share));
});

test('credentials of a form of their own are found without a label', async (t) => {
  const share = macro(BY_FORM.map(([, make]) => Array.from({ length: 20 }, () => `see (${make(r)}).`)));
  t.ok(share > 0.98, String(share));
});

test('passwords in the files of programs are found', async (t) => {
  const share = macro(
    Object.values(CONFIG_FILES).map((write) => ['hunter2', 'Tr0ub4dor&3', 'S3cr3t!pw'].map(write)),
  );
  t.ok(share > 0.88, String(share));
});

test('names in code under the name of a service are no credentials', async (t) => {
  expectCases(t, [
    ['github_token: secrets.GITHUB_TOKEN'],
    ["slack_token = 'my-slack-token-1'"],
    ['stripe_key: price_monthly_2024'],
    ["discord_id = '390515405837830375'"],
    ["dropbox_key = 'qx8tzrnbkwpfhde'", 'API_KEY=qx8tzrnbkwpfhde'],
    ["dropbox_key = 'fileuploader2ios'"],
    ["asana_token = '111111111111111111'"],
    ["asana_token = '7179269074781755'", 'API_KEY=7179269074781755'],
    ["sumo_token = 'suAdsmsCsJegEB'", 'API_KEY=suAdsmsCsJegEB'],
    ["linear_key = 'getAccessTokenOfUser'"],
    ["api_token = 'juwnsbzndfvskyv6tue1'", 'API_KEY=juwnsbzndfvskyv6tue1'],
    ["api_token = 'primary-replica-set-2'"],
    ["api_token = '37848082122-HKnDQLJeQbpBD2m41YIDCD0BJ'", 'API_KEY=37848082122-HKnDQLJeQbpBD2m41YIDCD0BJ'],
  ]);
});

test('finds passwords in lines, elements and files that programs write', async (t) => {
  expectCases(t, [
    ['db.example.net:5432:shop:app:letmein1\n', 'PASSWORD=letmein1'],
    ['main.c:5432:shop\n'],
    ['host:5432:a b:c'],
    ['network={\n  psk="hunter2"\n}', 'PASSWORD=hunter2'],
    ['requirepass letmein\n', 'PASSWORD=letmein'],
    ['ldap_bindpw letmein\r\n', 'PASSWORD=letmein'],
    ['user bob\npassword letmein\n', 'PASSWORD=letmein'],
    ['about\npassword letmein\n'],
    ['password manager\n'],
    ['see password letmein\n'],
    ['username bob password 0 letmein', 'PASSWORD=letmein'],
    ['enable password letmein', 'PASSWORD=letmein'],
    ['enable password letmein now', 'PASSWORD=letmein'],
    ['nmcli dev wifi connect lan password letmein ifname wlan0', 'PASSWORD=letmein'],
    ['psk psk token refresh failed because psk is hunter2x', 'PASSWORD=hunter2x'],
    ['<Pass encoding="base64">aHVudGVyMg==</Pass>', 'PASSWORD=aHVudGVyMg=='],
    ['<password type="x">hunter2</password>', 'PASSWORD=hunter2'],
    ['<Password><Value>hunter2</Value></Password>', 'PASSWORD=hunter2'],
    ['<pass encoding="base64"/>'],
    ['you may pass the time'],
  ]);
});

const HEX = '8f14e45fceea167a5a36dedd4bea2543';
const REFRESH = '1//0gLx7Qd4Kp2Zt9-Wm3Rv6Yb1Nc8Hs5Jf0Ta4Ue7Io2Pq';

test('tokens of several parts are found without a label', async (t) => {
  expectCases(t, [
    [`see ${REFRESH}.`, `GCP_API_KEY=${REFRESH}`],
    ['see 1//0gLx7Qd4Kp2Zt9'],
    ['see 1//0gggggggggggggggggggggggggggggggggggggggggggggggg'],
    [`use 1/1203456789012345:${HEX}`, `API_KEY=1/1203456789012345:${HEX}`],
    [
      `use 2/1203456789012345/1203456789012399:${HEX} now`,
      `API_KEY=2/1203456789012345/1203456789012399:${HEX}`,
    ],
    [`use 1/1203:${HEX}`],
    [`use 1/1203456789012345:${HEX}a`],
    ['page 1/12'],
    [
      'post to https://hooks.zapier.com/hooks/catch/1234567/b2xq8vz/',
      'API_KEY=https://hooks.zapier.com/hooks/catch/1234567/b2xq8vz/',
    ],
    [
      'note:44H8Q~7KFUHE7rctumnAbKPsGiKmhGty5u-4esQn',
      'AZURE_SECRET=44H8Q~7KFUHE7rctumnAbKPsGiKmhGty5u-4esQn',
    ],
  ]);
});

test('what names in code begin with too is a token only where letters and digits alternate', async (t) => {
  expectCases(t, [
    ['live_7Hq2Lm9Tz4Vb1Xc8Kp3Wd6Rf5Gs0Jq', 'API_KEY=live_7Hq2Lm9Tz4Vb1Xc8Kp3Wd6Rf5Gs0Jq'],
    ['live_migrationOfVirtualMachines2x'],
    ['pk_orders_customer_id_created_at_region_idx'],
  ]);
});
