import t from 'tap';
import { type CelType, check, typeName, types } from '../../src/cel/index.ts';
import { issueLines } from './evaluate.ts';

const session = types.object('Session', {
  warningCount: types.int,
  startedAt: types.timestamp,
  dataTags: types.list(types.string),
  toolCounts: types.map(types.int),
});
const variables: Record<string, CelType> = {
  tool: types.string,
  session,
  any: types.dyn,
  amount: types.double,
  opt: types.optional(types.int),
  wait: types.duration,
  empty: types.object('Empty', {}),
  mixed: types.object('Mixed', { a: types.int, b: types.string }),
};

t.test('every mistake is named with what was found, expected and meant', async (t) => {
  const cases: [string, ...string[]][] = [
    ['sesion.x', '1:1 unknown_variable unknown variable "sesion" [did you mean "session"?]'],
    [
      'zzz',
      '1:1 unknown_variable unknown variable "zzz" [put texts in quotes: "zzz"; available here: tool, session, any, amount, opt, wait, empty, mixed]',
    ],
    ['[1].all(item, itme > 0)', '1:15 unknown_variable unknown variable "itme" [did you mean "item"?]'],
    ['uint', '1:1 unsupported this profile has no type "uint" [write int]'],
    [
      'session.warningCuont',
      '1:9 unknown_field Session has no field "warningCuont" [did you mean "warningCount"?]',
    ],
    [
      'session["warningCuont"]',
      '1:9 unknown_field Session has no field "warningCuont" [did you mean "warningCount"?]',
    ],
    [
      'session.zzz',
      '1:9 unknown_field Session has no field "zzz" [its fields: warningCount, startedAt, dataTags, toolCounts]',
    ],
    ['empty.zzz', '1:7 unknown_field Empty has no field "zzz"'],
    [
      'session.dataTags.x',
      '1:18 type_mismatch list(string) has no fields, found ".x" [use [0], or a macro such as exists(x, …)]',
    ],
    [
      'session.startedAt.hours',
      '1:19 type_mismatch timestamp has no fields, found ".hours" [call a function, such as getHours()]',
    ],
    ['session.warningCount.x', '1:22 type_mismatch int has no fields, found ".x"'],
    [
      'tool[0]',
      '1:1 type_mismatch cannot index string[int], expected a list with an int or a map with a key of its type [use charAt(i) or substring(i, j)]',
    ],
    [
      'session.dataTags["a"]',
      '1:1 type_mismatch cannot index list(string)[string], expected a list with an int or a map with a key of its type',
    ],
    [
      'tool + 1',
      '1:1 type_mismatch found string + int, expected string + string [convert with string(…) or int(…)]',
    ],
    [
      '1 + 1.0',
      '1:1 type_mismatch found int + double, expected int + int [write a double such as 2.0, or double(…)]',
    ],
    ['true * 2', '1:1 type_mismatch found bool * int, expected int * int or double * double'],
    ['!tool', '1:1 type_mismatch found !string, expected bool'],
    ['-tool', '1:1 type_mismatch found -string, expected int or double'],
    [
      'tool && true',
      '1:1 type_mismatch found string && bool, expected bool && bool [write true or false without quotes]',
    ],
    [
      'tool == 1',
      '1:1 never_true string == int is never true: the types share no value [convert with string(…) or int(…)]',
    ],
    ['[1] != ["a"]', '1:1 never_true list(int) != list(string) is always true: the types share no value'],
    [
      '"a" in tool',
      '1:1 type_mismatch found string in string, expected an element in a list, or a key in a map [for a part of a text, write text.contains(part)]',
    ],
    [
      '1 in session.dataTags',
      '1:1 type_mismatch found int in list(string), expected an element in a list, or a key in a map',
    ],
    [
      'session.startedAt > "2026"',
      '1:1 type_mismatch found timestamp > string, expected timestamp > timestamp [convert with timestamp("2026-01-31T00:00:00Z")]',
    ],
    [
      'tool ? 1 : 2',
      '1:1 type_mismatch the condition before "?" is string, expected bool [compare it with something]',
    ],
    [
      'true ? 1 : "a"',
      '1:1 type_mismatch the branches are int and string, expected one type [convert one, or wrap both in dyn(…)]',
    ],
    [
      '{[1]: 2}',
      '1:2 type_mismatch a key of a map is list(int), expected string, int or bool [use string(…)]',
    ],
    ['[?1]', '1:3 type_mismatch an element after "?" is int, expected optional_type(any)'],
    ['tool.contain("a")', '1:6 unknown_function unknown function "contain" [did you mean "contains"?]'],
    ['sise(tool)', '1:1 unknown_function unknown function "sise" [did you mean "size"?]'],
    ['contains(tool, "a")', '1:1 unknown_function unknown function "contains" [write value.contains(…)]'],
    ['tool.string()', '1:6 unknown_function unknown function "string" [write string(value)]'],
    [
      'math.greatst(1)',
      '1:6 unknown_function unknown function "math.greatst" [did you mean "math.greatest"?]',
    ],
    [
      'session.dataTags.exists(1 > 0)',
      '1:18 unknown_function unknown function "exists" [a macro takes names and an expression, as in list.exists(x, x > 1)]',
    ],
    ['tool.contains(1)', '1:1 type_mismatch found string.contains(int), expected string.contains(string)'],
    [
      'size(1)',
      '1:1 type_mismatch found size(int), expected size(string) or size(list(any)) or size(map(any, any))',
    ],
    [
      'math.least(tool)',
      '1:1 type_mismatch found math.least(string), expected math.least(list(int)) or math.least(list(double)) or math.least(int) or math.least(double) or similar',
    ],
    [
      'tool.matches(tool)',
      '1:14 regex_not_literal the pattern of matches is computed, expected a literal [write the pattern in place as r"…"; for a plain text use contains, startsWith or endsWith]',
    ],
    [
      'tool.matches("(")',
      '1:14 regex_invalid not a regular expression of RE2: error parsing regexp: missing closing ): `(`',
    ],
    ['tool.matches(1)', '1:1 type_mismatch found string.matches(int), expected string.matches(string)'],
    [
      'matches(tool, tool)',
      '1:15 regex_not_literal the pattern of matches is computed, expected a literal [write the pattern in place as r"…"; for a plain text use contains, startsWith or endsWith]',
    ],
    ['tool.all(x, true)', '1:1 type_mismatch all of string, expected a list or a map'],
    ['[1].optMap(x, x)', '1:1 type_mismatch optMap of list(int), expected an optional'],
    ['{"a": 1}.sortBy(x, x)', '1:1 type_mismatch sortBy of map(string, int), expected a list'],
    ['opt.all(x, true)', '1:1 type_mismatch all of optional_type(int), expected a list or a map'],
    [
      '[1].exists(x, x + 1)',
      '1:15 type_mismatch the condition of exists is int, expected bool [compare it with something]',
    ],
    [
      '[1].filter(x, x)',
      '1:15 type_mismatch the condition of filter is int, expected bool [compare it with something]',
    ],
    [
      '[1].map(x, x, x)',
      '1:12 type_mismatch the condition of map is int, expected bool [compare it with something]',
    ],
    [
      '[1].transformMapEntry(i, v, v)',
      '1:29 type_mismatch the body of transformMapEntry is int, expected map(any, any)',
    ],
    ['opt.optFlatMap(x, x)', '1:19 type_mismatch the body of optFlatMap is int, expected optional_type(any)'],
    [
      'opt.orValue("a")',
      '1:1 type_mismatch found optional_type(int).orValue(string), expected optional_type(any).orValue(any)',
    ],
    [
      'nope || tool > 3 || session.zap',
      '1:1 unknown_variable unknown variable "nope" [put texts in quotes: "nope"; available here: tool, session, any, amount, opt, wait, empty, mixed]',
      '1:9 type_mismatch found string > int, expected string > string [convert with string(…) or int(…)]',
      '1:29 unknown_field Session has no field "zap" [its fields: warningCount, startedAt, dataTags, toolCounts]',
    ],
  ];
  for (const [source, ...expected] of cases) t.same(issueLines(source, variables), expected, source);
});

t.test('a result of the wrong type is refused', async (t) => {
  t.same(issueLines('tool', variables, {}, types.bool), [
    '1:1 result_type the expression is string, expected bool [compare it with something]',
  ]);
  t.same(issueLines('true', {}, {}, types.string), [
    '1:1 result_type the expression is bool, expected string',
  ]);
  t.same(issueLines('any', variables, {}, types.bool), [], 'unknown types are settled when it runs');
});

t.test('worst-case cost and regular expressions are bounded before anything runs', async (t) => {
  const nested = 'l.all(a, l.all(b, l.all(c, l.all(d, a + b + c + d > 0))))';
  t.match(issueLines(nested, { l: types.list(types.int) }), [
    /too_costly the expression may take \d+ steps, where 1500000 are allowed/,
  ]);
  t.match(issueLines('tool.matches("a{400}")', variables), [
    /regex_too_large a pattern of about \d+ instructions, where 300 are allowed/,
  ]);
  t.match(issueLines(`tool.matches("${'a'.repeat(513)}")`, variables), [
    /regex_too_large a pattern of 513 characters, where 512/,
  ]);
  t.same(
    issueLines('tool.matches("a")', variables, { regexProgramSize: 2 }).length,
    1,
    'a pattern known already is measured again',
  );
});

t.test('types are inferred as far as they can be known', async (t) => {
  const cases: [string, string][] = [
    ['[]', 'list(dyn)'],
    ['[1, 2.0]', 'list(dyn)'],
    ['[[], [1]]', 'list(list(int))'],
    ['{}', 'map(dyn, dyn)'],
    ['{"a": [], "b": [1]}', 'map(string, list(int))'],
    ['[null, session]', 'list(Session)'],
    ['[{"a": 1}, {}]', 'list(map(string, int))'],
    ['[optional.none(), opt]', 'list(optional_type(int))'],
    ['true ? null : session', 'Session'],
    ['true ? session : null', 'Session'],
    ['null == wait', 'bool'],
    ['any + 1', 'dyn'],
    ['any + 1.0', 'double'],
    ['1 / any', 'dyn'],
    ['-any % 2', 'dyn'],
    ['any == any', 'bool'],
    ['any.x.y[0]', 'dyn'],
    ['any.size() > 0', 'bool'],
    ['[][0]', 'dyn'],
    ['[].map(x, x > 1 ? x : 2)', 'list(int)'],
    ['amount > 1', 'bool'],
    ['amount == 1 || amount in [1, 2]', 'bool'],
    ['session.toolCounts.map(k, k)', 'list(string)'],
    ['session.toolCounts.transformMap(k, v, v > 1)', 'map(string, bool)'],
    ['session.toolCounts.transformList(k, v, k)', 'list(string)'],
    ['session.dataTags.transformMap(i, v, v)', 'map(int, string)'],
    ['session.dataTags.transformMapEntry(i, v, {v: i})', 'map(string, int)'],
    ['mixed[tool]', 'dyn'],
    ['mixed.map(k, k)', 'list(string)'],
    ['mixed == {"a": dyn(1)}', 'bool'],
    ['{"a": dyn(1)} == mixed', 'bool'],
    ['opt.optMap(x, [x])', 'optional_type(list(int))'],
    ['any.optMap(x, x)', 'optional_type(dyn)'],
    ['any.all(x, x) && any.exists(k, v, k == v)', 'bool'],
    ['any.matches("a")', 'bool'],
    ['cel.bind(x, 1, cel.bind(y, "a", [x].map(z, y)))', 'list(string)'],
    ['session.startedAt - session.startedAt + wait', 'duration'],
    ['[1].map(x, [x]).flatten()', 'list(int)'],
    ['[1].first().orValue(2)', 'int'],
    ['[[1], [2]].map(x, x[0]) == []', 'bool'],
  ];
  for (const [source, expected] of cases) {
    const result = check(source, { variables });
    t.equal(result.ok ? typeName(result.expression.type) : result.issues[0]?.message, expected, source);
  }
});

t.test('paths read are reported, and no others', async (t) => {
  const cases: [string, string[]][] = [
    ['session.warningCount > 3 && session.warningCount < 9', ['session.warningCount']],
    ['session.toolCounts[tool] > 1', ['session.toolCounts', 'tool']],
    ['session.toolCounts["a.b"] > 1', ['session.toolCounts.a.b']],
    ['session.toolCounts[?tool].orValue(0) > 1', ['session.toolCounts', 'tool']],
    ['any.?a.?b.hasValue()', ['any.a.b']],
    ['has(any.a.b)', ['any.a.b']],
    ['session.dataTags.exists(tool, tool == "x")', ['session.dataTags']],
    ['dyn(session) == any', ['any', 'session']],
    ['[1].all(x, x > 0)', []],
    ['cel.bind(s, session, s.warningCount > 1)', ['session']],
    ['any[0].b == 1', ['any']],
  ];
  for (const [source, expected] of cases) {
    const result = check(source, { variables });
    t.same(
      result.ok ? result.expression.reads.map((path) => path.join('.')) : result.issues,
      expected,
      source,
    );
  }
});

t.test('issues stand where the mistake is', async (t) => {
  const result = check('true &&\n  tool.contain("x")', { variables });
  t.match(result, { ok: false, issues: [{ line: 2, column: 8, offset: 15, length: 7 }] });
});
