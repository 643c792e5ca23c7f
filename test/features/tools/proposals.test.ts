import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { proposeTool } from '../../../src/features/tools/propose.ts';
import type { ReadTool } from '../../../src/features/tools/tool-lists.ts';
import type { ToolEffect } from '../../../src/features/tools/words.ts';

interface Labelled {
  label: { effect: ToolEffect; destinations: string[]; untrustedResults: boolean };
  tool: ReadTool;
}
interface PublicList {
  package: string;
  version: string;
  tools: Labelled[];
}

/** Lists by folder of `fixtures/tool-lists`, with the least that proposals must reach. */
const folders = [
  { name: 'first', count: 20, effects: 0.98, destinations: 0.94, untrusted: 0.92 },
  { name: 'second', count: 16, effects: 0.97, destinations: 0.95, untrusted: 0.91 },
  { name: 'third', count: 20, effects: 0.96, destinations: 0.95, untrusted: 0.87 },
  { name: 'fourth', count: 20, effects: 0.96, destinations: 0.98, untrusted: 0.88 },
  { name: 'fifth', count: 17, effects: 0.97, destinations: 0.95, untrusted: 0.78 },
  { name: 'sixth', count: 11, effects: 0.94, destinations: 0.86, untrusted: 0.8 },
  // Never improved with.
  { name: 'seventh', count: 19, effects: 0.89, destinations: 0.69, untrusted: 0.75 },
];

function listsIn(name: string): PublicList[] {
  const folder = new URL(`../../fixtures/tool-lists/${name}/`, import.meta.url);
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
}

interface Score {
  tools: number;
  effects: number;
  untrusted: number;
  found: number;
  wrong: number;
  missed: number;
}
const zero = (): Score => ({ tools: 0, effects: 0, untrusted: 0, found: 0, wrong: 0, missed: 0 });
const f1 = ({ found, wrong, missed }: Score): number =>
  found + wrong + missed === 0 ? 1 : (2 * found) / (2 * found + wrong + missed);

function add(score: Score, label: Labelled['label'], other: Labelled['label']): void {
  const found = other.destinations.filter((path) => label.destinations.includes(path)).length;
  score.tools++;
  score.found += found;
  score.wrong += other.destinations.length - found;
  score.missed += label.destinations.length - found;
  if (other.effect === label.effect) score.effects++;
  if (other.untrustedResults === label.untrustedResults) score.untrusted++;
}

function scoreOf(tools: readonly Labelled[], withAnnotations: boolean, mistakes: string[]): Score {
  const score = zero();
  for (const { label, tool } of tools) {
    const { annotations: _, ...bare } = tool;
    const proposed = proposeTool(withAnnotations ? tool : bare);
    add(score, label, proposed);
    if (proposed.effect !== label.effect)
      mistakes.push(`${tool.name}: ${proposed.effect}, not ${label.effect}: ${proposed.reasons[0]?.reason}`);
    if (proposed.untrustedResults !== label.untrustedResults)
      mistakes.push(`${tool.name}: untrusted ${proposed.untrustedResults}`);
    if (proposed.destinations.join() !== label.destinations.join())
      mistakes.push(`${tool.name}: to ${proposed.destinations.join()}, not ${label.destinations.join()}`);
  }
  return score;
}

const figures = (score: Score): string =>
  [score.effects / score.tools, f1(score), score.untrusted / score.tools]
    .map((figure) => figure.toFixed(3))
    .join(' ');

for (const { name: folder, count, ...least } of folders)
  t.test(
    `what is proposed for the tools of ${count} public servers is what a person says of them (${folder})`,
    async (t) => {
      const lists = listsIn(folder);
      t.equal(lists.length, count);
      for (const withAnnotations of [false, true]) {
        const all = zero();
        const mistakes: string[] = [];
        t.comment(`${withAnnotations ? 'with' : 'without'} annotations: effects, destinations F1, untrusted`);
        for (const { package: name, version, tools } of lists) {
          const score = scoreOf(tools, withAnnotations, mistakes);
          for (const key of Object.keys(all) as (keyof Score)[]) all[key] += score[key];
          t.comment(`${figures(score)}  ${name} ${version} (${score.tools})`);
        }
        t.comment(`${figures(all)}  all (${all.tools})`);
        const shown = mistakes.join('\n');
        t.ok(all.effects / all.tools >= least.effects, `effects\n${shown}`);
        t.ok(f1(all) >= least.destinations, `destinations\n${shown}`);
        t.ok(all.untrusted / all.tools >= least.untrusted, `untrusted results\n${shown}`);
      }
    },
  );

type Kind = [name: string, args: string, effect: ToolEffect, destinations: string, description?: string];

/** One of each kind of evidence, and what is like it and is none. */
const kinds: Kind[] = [
  ['run_query', 'proxy', 'WRITE', 'proxy'],
  ['check_ssl', 'host port', 'READ', 'host'],
  ['ping', 'host', 'READ', 'host'],
  ['sftp_put', 'host path', 'WRITE', 'host'],
  ['query_db', 'dbHost localHost', 'READ', 'dbHost'],
  ['get_host_metrics', 'host', 'READ', ''],
  ['list_apps', 'base_url', 'READ', 'base_url'],
  ['get_report', 'site_url', 'READ', ''],
  ['fetch_rss', 'feed_url', 'READ', 'feed_url'],
  ['add_feed', 'url', 'WRITE', 'url'],
  ['update_webhook', 'id target_url', 'WRITE', 'target_url'],
  ['create_status', 'target_url', 'WRITE', ''],
  ['connect', 'url', 'WRITE', 'url'],
  ['create_order', 'notification_url return_url', 'WRITE', 'notification_url'],
  ['create_agent', 'name tools.url', 'WRITE', 'tools.url'],
  ['attach_image', 'card image_url', 'WRITE', 'image_url', 'URL of the image to attach'],
  ['create_product', 'name image_url', 'WRITE', '', 'The picture of the product'],
  ['git_pull', 'remote', 'WRITE', 'remote'],
  ['create_phone_call', 'to_number from_number', 'EXTERNAL', 'to_number'],
  ['place_call', 'number phone_number_id', 'EXTERNAL', 'number'],
  ['create_call', 'customer.number', 'EXTERNAL', 'customer.number'],
  ['create_tool', 'transfer.destinations.number', 'WRITE', 'transfer.destinations.number'],
  ['create_payout', 'destination amount', 'EXTERNAL', 'destination'],
  ['move_file', 'source destination', 'WRITE', ''],
  ['move_mail', 'destination_id', 'WRITE', ''],
  ['approve_token_spending', 'spender_address token_address', 'EXTERNAL', 'spender_address'],
  ['transfer_nft', 'to_address token_address', 'EXTERNAL', 'to_address'],
  ['place_order', 'account_id symbol', 'EXTERNAL', ''],
  ['update_customer', 'id email', 'WRITE', 'email'],
  ['update_user_email', 'user_id email', 'WRITE', 'email'],
  ['subscribe', 'email', 'WRITE', 'email'],
  ['create_campaign', 'name list_id', 'WRITE', 'list_id'],
  ['manage_field', 'name grant_access_to', 'WRITE', 'grant_access_to'],
  ['save_filter', 'share_permissions.group', 'WRITE', 'share_permissions.group'],
  ['add_users_to_group', 'group_id user_ids', 'EXTERNAL', 'user_ids'],
  ['update_room_members', 'room_id members_admin_ids', 'EXTERNAL', 'members_admin_ids'],
  ['create_chat', 'topic user_emails', 'EXTERNAL', 'user_emails'],
  ['create_chat', 'topic', 'WRITE', ''],
  ['send_message', 'channel mentions.user_id', 'EXTERNAL', 'channel'],
  ['mqtt_publish', 'topic payload', 'EXTERNAL', 'topic'],
  ['update_order', 'id shipping_address.address1', 'WRITE', 'shipping_address.address1'],
  ['orders_refunds_create', 'id amount', 'EXTERNAL', ''],
  ['mail_get_order', 'id', 'READ', ''],
  ['place_details_tool', 'id', 'READ', '', 'Retrieves the details of a place'],
  ['send_keys', 'text', 'WRITE', ''],
  ['call_service', 'domain service', 'WRITE', ''],
  ['call_api', 'endpoint body', 'DESTRUCTIVE', ''],
  ['publish_template', 'id', 'WRITE', ''],
  ['upload_file', 'uid path', 'EXTERNAL', '', 'Upload a file through the element'],
  ['unread_message', 'id', 'WRITE', ''],
  ['execute_sql', 'command', 'DESTRUCTIVE', '', 'Runs a command; read-only ones need no approval'],
  ['delete_product', 'id', 'DESTRUCTIVE', ''],
  ['delete_event', 'id', 'DESTRUCTIVE', ''],
  ['orders_delete', 'id', 'DESTRUCTIVE', ''],
  ['delete_entry', 'id', 'DESTRUCTIVE', ''],
  ['delete_glossary_entry', 'id', 'WRITE', ''],
  ['delete_alias', 'id', 'WRITE', ''],
  ['delete_draft', 'id', 'WRITE', ''],
  ['remove_member_from_team', 'id', 'WRITE', ''],
  ['delete_mail', 'id', 'WRITE', '', 'Moves the mail to the trash'],
  ['delete_all_comments', 'id', 'DESTRUCTIVE', ''],
];

t.test('each kind of evidence decides by itself', async (t) => {
  for (const [name, args, effect, destinations, description = ''] of kinds) {
    const inputSchema = { type: 'object', properties: {} as Record<string, object> };
    for (const path of args.split(' ')) {
      const [first = '', ...rest] = path.split('.');
      inputSchema.properties[first] = rest.reduceRight<object>(
        (below, step) => ({ type: 'object', properties: { [step]: below } }),
        { type: 'string', description },
      );
    }
    const proposed = proposeTool({ name, description, inputSchema });
    t.same([proposed.effect, proposed.destinations.join(' ')], [effect, destinations], `${name} ${args}`);
  }
});

t.test(
  'a choice of actions is as grave as its gravest, and "remove" beside "add" takes an entry away',
  async (t) => {
    const effectOf = (name: string, argument: string, choices: string[]) =>
      proposeTool({
        name,
        inputSchema: { type: 'object', properties: { [argument]: { type: 'string', enum: choices } } },
      }).effect;
    t.equal(effectOf('manage_issue', 'action', ['list', 'create', 'delete']), 'DESTRUCTIVE');
    t.equal(effectOf('edit_documents', 'method', ['remove_tag', 'set_type', 'delete']), 'DESTRUCTIVE');
    t.equal(effectOf('manage_triggers', 'action', ['list', 'add', 'remove']), 'WRITE');
    t.equal(effectOf('rest', 'method', ['GET', 'POST', 'DELETE']), 'DESTRUCTIVE');
  },
);

t.test("what only the owner sets, and figures, are nobody else's words", async (t) => {
  const isUntrusted = (name: string) => proposeTool({ name, inputSchema: {} }).untrustedResults;
  for (const name of [
    'list_rules',
    'get_phone_number',
    'get_current_user',
    'auth_status',
    'get_ticker',
    'get_exchange_info',
  ])
    t.equal(isUntrusted(name), false, name);
  for (const name of [
    'get_user',
    'list_tasks_of_current_user',
    'search_rules',
    'get_contact_info',
    'list_accounts',
  ])
    t.equal(isUntrusted(name), true, name);
});

t.test('an argument of several forms is proposed once, so that the proposal can be confirmed', async (t) => {
  const forms = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
  const properties = { threadId: forms, to: forms, body: forms };
  for (const name of ['modify_email', 'send_email', 'update_page']) {
    const proposed = proposeTool({ name, inputSchema: { type: 'object', properties } });
    for (const field of ['destinations', 'identifiers', 'content'] as const)
      t.strictSame(proposed[field], [...new Set(proposed[field])], `${name}: ${field}`);
    t.equal(proposed.reasons.length, new Set(proposed.reasons.map(({ reason }) => reason)).size);
  }
  for (const { name: folder } of folders)
    for (const { package: server, tools } of listsIn(folder))
      for (const { tool } of tools) {
        const { destinations, identifiers, content } = proposeTool(tool);
        const paths = [...destinations, ...identifiers];
        t.equal(paths.length, new Set(paths).size, `${server}: ${tool.name}`);
        t.equal(content.length, new Set(content).size, `${server}: ${tool.name}`);
      }
});

t.test('two readings of the same tools agree far more than proposals do with either (fifth)', async (t) => {
  const again: Record<string, Record<string, Labelled['label']>> = JSON.parse(
    readFileSync(new URL('../../fixtures/tool-lists/fifth-again.json', import.meta.url), 'utf8'),
  );
  const score = zero();
  for (const { package: name, tools } of listsIn('fifth'))
    for (const { label, tool } of tools) {
      const other = again[name]?.[tool.name];
      if (!other) throw new Error(`${name} ${tool.name}: not read again`);
      add(score, label, other);
    }
  t.comment(`${figures(score)}  effects, destinations F1, untrusted (${score.tools})`);
  t.ok(score.effects / score.tools >= 0.97);
  t.ok(f1(score) >= 0.86);
  t.ok(score.untrusted / score.tools >= 0.9);
});

t.test(
  'a schema whose references lead on without end delays nobody, and its outer arguments are found',
  async (t) => {
    const referring = (count: number, target: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`part${place}`, { $ref: target }]));
    const to = { type: 'array', items: { type: 'string' } };
    const schemas = {
      circle: { type: 'object', properties: { ...referring(20, '#'), to } },
      chain: {
        type: 'object',
        properties: { ...referring(20, '#/$defs/one'), to },
        $defs: Object.fromEntries(
          ['one', 'two', 'three', 'four', 'five'].map((name, place, all) => [
            name,
            { type: 'object', properties: referring(20, `#/$defs/${all[place + 1]}`) },
          ]),
        ),
      },
      forms: {
        type: 'object',
        properties: { ...referring(1_000, '#'), to },
        anyOf: Array.from({ length: 2_000 }, () => ({ $ref: '#' })),
      },
    };
    for (const [name, inputSchema] of Object.entries(schemas)) {
      const before = process.cpuUsage().user;
      const { destinations } = proposeTool({ name: 'send_mail', inputSchema });
      const tookMs = (process.cpuUsage().user - before) / 1_000;
      t.ok(tookMs < 1_000, `${name}: ${tookMs.toFixed()} ms`);
      t.ok(destinations.includes('to'), name);
    }
  },
);
