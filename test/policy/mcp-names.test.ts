import t from 'tap';
import { Unknown } from '../../src/cel/index.ts';
import { cataloguedOf, createDecidingTools } from '../../src/evaluate/catalogue.ts';
import { CallArguments } from '../../src/policy/call-arguments.ts';
import { decide } from '../../src/policy/decide.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';
import { mcpNameOf, statedIn } from '../../src/policy/mcp-names.ts';
import { decideFor, findings, policy, rule, rules } from './policy-fixtures.ts';

const crm = policy(rules(rule('crm', 'mcp.server == "crm" && mcp.tool == "send"', 'effect: BLOCK')));
const of = (tool: string, input: Record<string, unknown> = {}) =>
  findings(decideFor([crm], { tool, input: { tool, ...input } }));
const found = ['crm BLOCK MEDIUM crm'];
const failed = ['crm BLOCK MEDIUM rule_error'];

t.test('names of agents that say the server', async (t) => {
  t.same(of('mcp__crm__send'), found);
  t.same(of('mcp_crm_send'), found);
  t.same(of('mcp__crm__read'), []);
  t.same(of('mcp__other__send'), []);
  t.same(of('Bash'), []);
});

t.test(
  'a name that can be divided in several places is an error, never the one or the other server',
  async (t) => {
    for (const tool of ['mcp__crm__x__send', 'mcp_crm_x_send', 'mcp__crm', 'mcp____send'])
      t.same(of(tool), failed, tool);
  },
);

t.test(
  'a name that does not say it belongs to no server, unless the catalogue has an alias that does',
  async (t) => {
    t.same(of('crm-send'), []);
    t.same(of('crm_send'), []);
    const tools = createDecidingTools({
      onChange: 'HOLD',
      tools: [
        { name: 'crm-send', aliases: ['mcp__crm__send', 'crm_send'], effect: 'EXTERNAL' },
        { name: 'mcp_crm_x_send', aliases: ['mcp__crm_x__send'], effect: 'EXTERNAL' },
        { name: 'two', aliases: ['mcp__a__x', 'mcp__b__x'], effect: 'EXTERNAL' },
      ],
    });
    const decided = (name: string) => {
      const known = tools.find(name);
      if (known === null) throw new Error(name);
      const input = { tool: name };
      const catalogued = cataloguedOf(known, 'ACTION', new CallArguments(input));
      return findings(decide([crm], { ...testSubject({ tool: known.name, input }, []), catalogued }));
    };
    t.same(decided('crm-send'), found);
    t.same(decided('crm_send'), found);
    t.same(decided('mcp_crm_x_send'), [], 'the alias divides it');
    t.same(decided('two'), failed);
  },
);

t.test('a call of the Responses API states its server', async (t) => {
  t.strictSame(statedIn({ type: 'mcp_call', server_label: 'crm', name: 'send' }), {
    server: 'crm',
    tool: 'send',
  });
  t.equal(statedIn({ server_label: 'crm', name: 'send' }), null);
  t.equal(statedIn({ type: 'mcp_call', server_label: 7, name: 'send' }), null);
});

t.test('a catalogue that is not known leaves it unknown', async (t) => {
  const unknown = new Unknown('changed since');
  t.equal(mcpNameOf('crm-send', unknown, null), unknown);
  t.strictSame(mcpNameOf('mcp__crm__send', unknown, null), { server: 'crm', tool: 'send' });
});

t.test('the MCP proxy says where a name divides, and nothing else than what the name is', async (t) => {
  const mcp = (server: unknown, tool: unknown) => ({ mcp: { server, tool } });
  t.same(of('mcp__crm__send', mcp('crm', 'send')), found);
  t.same(of('mcp__x__crm__send', mcp('x', 'crm__send')), []);
  t.same(of('mcp__crm_x__send', mcp('crm', 'send')), [], 'the name says another server');
  const unsaid = [
    mcp('', 'x'),
    mcp('crm__x', 'send'),
    mcp('crm', ''),
    mcp(7, 'send'),
    mcp('other', 'x'),
    { mcp: 'crm' },
  ];
  for (const more of unsaid) t.same(of('mcp__crm__x__send', more), failed);
  t.strictSame(statedIn({ tool: 'mcp__a___b', ...mcp('a', '_b') }), { server: 'a', tool: '_b' });
  t.equal(statedIn({ tool: 'mcp__a___b', ...mcp('a_', 'b') }), null);
});
