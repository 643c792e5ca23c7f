import t from 'tap';
import { type CelType, types } from '../../src/cel/index.ts';
import { issueLines } from './evaluate.ts';

const variables: Record<string, CelType> = {
  l: types.list(types.string),
  s: types.string,
  m: types.map(types.int),
  now: types.timestamp,
};

t.test('a function of another host is named with what to write here', async (t) => {
  const cases: [string, RegExp][] = [
    ['l.hasIntersection(["a"])', /containsAny/],
    ['now() > now', /"now" is a variable: write it without \(\)/],
    ['len(l) > 1', /write size\(value\)/],
    ['l.length() > 1', /write size\(value\)/],
    ['l.contains("a")', /write x in list/],
    ['m.contains("a")', /write key in map/],
    ['l.startsWith("a")', /write list.exists\(x, x.startsWith\(part\)\)/],
    ['s.toLowerCase() == "a"', /lowerAscii/],
    ['l.any(x, x == "a")', /exists/],
    ['regex.extract(s, "a")', /write text.extract/],
    ['s.glob("a*")', /matches/],
    ['isArray(l)', /isList/],
    ['url(s).getHost() == "a"', /url\(text\).host/],
  ];
  for (const [source, hint] of cases) t.match(issueLines(source, variables).join('\n'), hint, source);
});
