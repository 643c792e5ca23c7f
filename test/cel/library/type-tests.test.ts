import t from 'tap';
import { type CelType, types } from '../../../src/cel/index.ts';
import { typeName } from '../../../src/cel/type.ts';
import { typeOfValue } from '../../../src/cel/value.ts';
import { type Case, runCases } from '../cases.ts';
import { evaluate, issueLines } from '../evaluate.ts';

const input = { text: 'a', whole: 1, half: 0.5, yes: true, nothing: null, list: [1], map: { a: 1 } };
const variables: Record<string, CelType> = { input: types.map(types.dyn), amount: types.double };
const setting = { variables, activation: { input, amount: 3 } };

t.test('the type of a value is a value', async (t) => {
  const cases: Case[] = [
    ['type(1) == int && type(1.0) == double && type(1.5) != int', true],
    ['type(amount) == double', true],
    ['type("a") == string && type(true) == bool && type(null) == null_type', true],
    ['type([1]) == list && type({"a": 1}) == map && type(int) == type && type(type(1)) == type', true],
    [
      'type(timestamp(0)) == google.protobuf.Timestamp && type(duration("1s")) == google.protobuf.Duration',
      true,
    ],
    ['type(optional.none()) == optional_type', true],
    ['type(input.text) == string && type(input.whole) == int && type(input.half) == double', true],
    ['type(input.whole) == type(input.text)', false],
    ['type(input.list) in [list, map]', true],
    ['string(type(input.map))', 'map'],
    ['type(input.missing) == string', 'error: no_such_key'],
    ['[int, string].map(t, string(t))', ['int', 'string']],
    ['cel.bind(int, 5, int + 1)', 6],
    ['[{"IP": 1}].exists(net, net.IP == 1)', true],
  ];
  runCases(t, cases, setting);
  t.match(issueLines('type(1) == 1'), [/never_true type == int/]);
  t.match(issueLines('uint == uint'), [/this profile has no type "uint"/, /this profile has no type "uint"/]);
  t.match(issueLines('net.Port'), [/unknown variable "net"/]);
});

t.test('a value can be asked for its type, and so can a field that may be missing', async (t) => {
  const names = ['Bool', 'Int', 'Number', 'String', 'List', 'Map', 'Null', 'Timestamp', 'Duration'];
  const which = (source: string): string[] =>
    names.filter((name) => evaluate(`is${name}(${source})`, setting) === true);
  t.same(which('input.text'), ['String']);
  t.same(which('input.whole'), ['Int', 'Number']);
  t.same(which('input.half'), ['Number']);
  t.same(which('input.yes'), ['Bool']);
  t.same(which('input.nothing'), ['Null']);
  t.same(which('input.list'), ['List']);
  t.same(which('input.map'), ['Map']);
  t.same(which('timestamp(0)'), ['Timestamp']);
  t.same(which('duration("1s")'), ['Duration']);
  t.same(which('ip("::1")'), []);
  t.same(which('input.?text'), ['String']);
  t.same(which('input.?missing'), []);
  t.equal(evaluate('isString(input.missing)', setting), 'error: no_such_key');
  t.match(issueLines('input.text.isString()', variables), [/write isString\(value\)/]);
});

t.test('types have the names that expressions use', async (t) => {
  t.equal(String(typeOfValue(1)), 'int');
  t.equal(typeName({ kind: 'ip' }), 'net.IP');
  t.equal(typeName({ kind: 'cidr' }), 'net.CIDR');
});
