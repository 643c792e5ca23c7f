import t from 'tap';
import { Inference } from '../../src/cel/check/inference.ts';
import { types } from '../../src/cel/type.ts';

const { bool, dyn, int, list, string } = types;

t.test('a failed attempt leaves no trace', async (t) => {
  const inference = new Inference();
  const variable = inference.fresh();
  t.notOk(inference.assignAll([int, int], [variable, string]));
  t.equal(inference.settle(variable), dyn, 'what was open is open');
  t.ok(inference.assign(int, variable));
  t.notOk(inference.assignAll([dyn, int], [variable, string]));
  t.equal(inference.settle(variable), int, 'what was known is known');
});

t.test('a variable gives way to a less specific type, and never contains itself', async (t) => {
  const inference = new Inference();
  const variable = inference.fresh();
  t.ok(inference.assignAll([int, dyn], [variable, variable]));
  t.equal(inference.settle(variable), dyn);
  const other = inference.fresh();
  for (const type of [
    list(other),
    types.optional(other),
    types.map(other),
    { kind: 'map', key: other, value: int } as const,
  ]) {
    t.notOk(inference.assign(type, other));
  }
  t.ok(inference.assign(other, other));
});

t.test('two types side by side have the more general one', async (t) => {
  const inference = new Inference();
  t.same(inference.join(list(int), list(dyn)), list(dyn));
  t.same(inference.join(types.map(int), types.map(dyn)), types.map(dyn));
  t.same(inference.join(types.optional(dyn), types.optional(int)), types.optional(dyn));
  t.equal(inference.join(int, bool), dyn);
  t.equal(inference.join(types.null, types.timestamp), types.timestamp);
});
