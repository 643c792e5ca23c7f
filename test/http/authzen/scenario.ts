/**
 * The checks of the certification of AuthZEN 1.0 policy decision points as data: its certification scenario (sections 2 to 6, as of
 * October 2026), and the checks that the OpenID Foundation's conformance suite adds to it. Facts only, in words of our own.
 */

export const levels = [
  'Basic Core',
  'Basic Properties',
  'Batch Core',
  'Batch Properties',
  'Search Core',
  'Search Properties',
  'Discovery',
] as const;

export interface Check {
  level: (typeof levels)[number];
  /** Section of the scenario; `suite` for what only the conformance suite checks. */
  section: string;
  what: string;
  path: string;
  method?: string;
  /** A text is sent as it stands. */
  body?: object | string;
  headers?: Record<string, string>;
  /** Another one than that of the integration; null for none. */
  key?: string | null;
  /** 200 when absent. */
  status?: number;
  decision?: boolean;
  /** In order; null for either. */
  decisions?: readonly (boolean | null)[];
  /** Ids of entities, or names of actions, that the results must have. None: the results must be empty. */
  finds?: readonly string[];
  /** Sent as `x-request-id`, and expected back. */
  requestId?: string;
}

const evaluation = '/access/v1/evaluation';
const evaluations = '/access/v1/evaluations';
const search = { subject: '/access/v1/search/subject', resource: '/access/v1/search/resource' };
const actions = '/access/v1/search/action';

const user = (id: string, properties?: object) => ({ type: 'user', id, ...(properties && { properties }) });
const record = (number: number, status?: string) => ({
  type: 'record',
  id: `record-${number}`,
  ...(status && { properties: { status } }),
});
const action = (name: string, properties?: object) => ({ name, ...(properties && { properties }) });
const alice = user('alice');
const bob = user('bob');
const admin = user('bob', { role: 'admin' });
const first = { subject: alice, action: action('read'), resource: record(1) };
const { subject: _s, ...noSubject } = first;
const { action: _a, ...noAction } = first;
const { resource: _r, ...noResource } = first;
const time = { time: '2025-06-27T18:03-07:00' };

type Case = readonly [section: string, what: string, body: object | string, expected: Partial<Check>];
const of = (level: Check['level'], path: string, cases: readonly Case[]): Check[] =>
  cases.map(([section, what, body, expected]) => ({ level, section, what, path, body, ...expected }));
const bad = { status: 400 };

/** What holds for each endpoint; `body` is a request that it takes. */
function transport(level: Check['level'], path: string, body: object): Check[] {
  const at = { level, path };
  const other = (what: string, more: Partial<Check>): Check => ({ ...at, section: 'suite', what, ...more });
  return [
    { ...at, section: '2.5.1', what: 'the request id comes back', body, requestId: 'a1-b2' },
    {
      ...at,
      section: '2.4.3',
      what: 'another content type',
      body: JSON.stringify(body),
      headers: { 'content-type': 'text/plain' },
      ...bad,
    },
    { ...at, section: '2.4.4', what: 'malformed JSON', body: '{"subject":', ...bad },
    { ...at, section: '2.4.5', what: 'an empty body', body: '', ...bad },
    other('GET is refused', { method: 'GET', status: 405 }),
    other('PUT is refused', { method: 'PUT', body, status: 405 }),
    other('a list as the body', { body: [body], ...bad }),
    other('a content type with its charset', {
      body,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }),
    other('an unknown member', { body: { ...body, foo: { nested: true } } }),
    other('no credentials', { body, key: null, status: 401 }),
    other('wrong credentials', { body, key: `asz_live_${'x'.repeat(43)}`, status: 401 }),
  ];
}

const basic = of('Basic Core', evaluation, [
  ['2.2.1', 'permit', first, { decision: true }],
  ['1.4', 'rule 2: permit', { ...first, action: action('write') }, { decision: true }],
  ['1.4', 'rule 3: permit', { ...first, subject: bob }, { decision: true }],
  ['2.2.2', 'deny', { ...first, subject: bob, action: action('write') }, { decision: false }],
  ['2.2.3', 'a context', { ...first, context: { ...time, ip: '192.168.1.1' } }, { decision: true }],
  [
    '2.2.8',
    'other properties',
    {
      subject: user('alice', { department: 'Sales', role: 'manager' }),
      action: action('read', { method: 'GET' }),
      resource: { ...record(1), properties: { status: 'active', owner: 'bob' } },
    },
    { decision: true },
  ],
  ['2.2.9', 'unknown members', { ...first, foo: 'bar', futureField: { nested: true } }, { decision: true }],
  ['2.4.1', 'no subject', noSubject, bad],
  ['2.4.1', 'no action', noAction, bad],
  ['2.4.1', 'no resource', noResource, bad],
  ['2.4.2', 'no type of the subject', { ...first, subject: { id: 'alice' } }, bad],
  ['2.4.2', 'no id of the subject', { ...first, subject: { type: 'user' } }, bad],
  ['2.4.2', 'no name of the action', { ...first, action: {} }, bad],
  ['2.4.2', 'no type of the resource', { ...first, resource: { id: 'record-1' } }, bad],
  ['2.4.2', 'no id of the resource', { ...first, resource: { type: 'record' } }, bad],
  ['2.4.6', 'a text as the subject', { ...first, subject: 'alice' }, bad],
  ['2.4.6', 'a number as the name', { ...first, action: { name: 123 } }, bad],
  ['2.5.2', 'no request id', first, { decision: true }],
  ['2.6', 'the same again', first, { decision: true }],
  ['2.6', 'and again', first, { decision: true }],
  [
    'suite',
    'an unknown member of the subject',
    { ...first, subject: { ...alice, foo: 1 } },
    { decision: true },
  ],
  [
    'suite',
    'an unknown member of the action',
    { ...first, action: { name: 'read', foo: 1 } },
    { decision: true },
  ],
  [
    'suite',
    'an unknown member of the resource',
    { ...first, resource: { ...record(1), foo: 1 } },
    { decision: true },
  ],
]);

const basicProperties = of('Basic Properties', evaluation, [
  [
    '2.2.4',
    'deny by the resource',
    { subject: alice, action: action('write'), resource: record(2, 'archived') },
    { decision: false },
  ],
  [
    '2.2.5',
    'permit by the subject',
    { subject: admin, action: action('write'), resource: record(2, 'archived') },
    { decision: true },
  ],
  [
    '2.2.6',
    'permit by the action',
    { ...first, action: action('delete', { soft: true }) },
    { decision: true },
  ],
  [
    '2.2.7',
    'deny by the action',
    { ...first, action: action('delete', { soft: false }) },
    { decision: false },
  ],
]);

const readBoth = { ...noResource, evaluations: [{ resource: record(1) }, { resource: record(2) }] };
const both = {
  subject: bob,
  resource: record(1),
  evaluations: [{ action: action('read') }, { action: action('write') }],
};
const inOrder = (evaluations_semantic: string) => ({ ...both, options: { evaluations_semantic } });
const batch = of('Batch Core', evaluations, [
  ['3.2.1', 'two of them', readBoth, { decisions: [null, null] }],
  ['3.2.2', 'in order', both, { decisions: [true, false] }],
  [
    '3.2.5',
    'nothing in common',
    { evaluations: [first, { ...first, subject: bob, action: action('write') }] },
    { decisions: [true, false] },
  ],
  [
    '3.2.6',
    'a context in common',
    {
      ...readBoth,
      context: time,
      evaluations: [{ resource: record(1) }, { resource: record(2), context: { source: 'override' } }],
    },
    { decisions: [null, null] },
  ],
  [
    '3.4.1',
    'one without a resource',
    { ...noResource, evaluations: [{ resource: record(1) }, {}] },
    { decisions: [true, false] },
  ],
  ['3.4.2', 'no list', first, { decision: true }],
  ['3.4.3', 'an empty list', { ...first, evaluations: [] }, { decision: true }],
  ['suite', 'no subject anywhere', { ...noSubject, evaluations: [{}] }, { decisions: [false] }],
  [
    'suite',
    'one replaces what is in common',
    { ...first, evaluations: [{}, { action: action('write'), subject: bob }] },
    { decisions: [true, false] },
  ],
  ['suite', 'execute_all', inOrder('execute_all'), { decisions: [true, false] }],
  ['suite', 'permit_on_first_permit', inOrder('permit_on_first_permit'), { decisions: [true] }],
  [
    'suite',
    'deny_on_first_deny',
    { ...inOrder('deny_on_first_deny'), evaluations: [...both.evaluations, {}] },
    { decisions: [true, false] },
  ],
  ['suite', 'another semantic', inOrder('bogus'), bad],
  ['2.6', 'the same again', both, { decisions: [true, false] }],
]);

const states = [{ resource: record(1, 'active') }, { resource: record(2, 'archived') }];
const write = { subject: alice, action: action('write') };
const batchProperties = of('Batch Properties', evaluations, [
  ['3.2.3', 'of the resource', { ...write, evaluations: states }, { decisions: [true, false] }],
  [
    '3.2.4',
    'of the subject',
    {
      action: action('write'),
      resource: record(2, 'archived'),
      evaluations: [{ subject: alice }, { subject: admin }],
    },
    { decisions: [false, true] },
  ],
  [
    '3.2.7',
    'the type in common, the id not',
    {
      ...write,
      resource: { type: 'record' },
      evaluations: [{ resource: { id: 'record-1', properties: { status: 'active' } } }, states[1]],
    },
    { decisions: [true, false] },
  ],
]);

const anyUser = { ...first, subject: { type: 'user' } };
const anyRecord = { ...first, resource: { type: 'record' } };
const itsActions = { subject: alice, resource: record(1) };
const searches = [
  ...of('Search Core', search.subject, [
    ['4.2.1', 'subjects', anyUser, { finds: ['alice', 'bob'] }],
    ['4.2.2', 'subjects with a context', { ...anyUser, context: time }, { finds: ['alice', 'bob'] }],
    ['suite', 'an id of the subject is ignored', first, { finds: ['alice', 'bob'] }],
    ['4.5.1', 'a limit of the page', { ...anyUser, page: { limit: 1 } }, {}],
    [
      'suite',
      'an unknown member of the page',
      { ...anyUser, page: { limit: 9, foo: 1 } },
      { finds: ['alice', 'bob'] },
    ],
    ['4.6.2', 'an unknown type', { ...anyUser, subject: { type: 'spaceship' } }, { finds: [] }],
    ['4.7.1', 'no action', { subject: { type: 'user' }, resource: record(1) }, bad],
    ['4.7.2', 'no id of the resource', { ...anyUser, resource: { type: 'record' } }, bad],
    ['suite', 'no name of the action', { ...anyUser, action: {} }, bad],
    ['suite', 'no type of the subject', { ...anyUser, subject: {} }, bad],
    ['2.6', 'the same again', anyUser, { finds: ['alice', 'bob'] }],
  ]),
  ...of('Search Core', search.resource, [
    ['4.3.1', 'resources', anyRecord, { finds: ['record-1'] }],
    ['suite', 'an id of the resource is ignored', first, { finds: ['record-1'] }],
    ['4.7.1', 'no subject', { action: action('read'), resource: { type: 'record' } }, bad],
    ['4.7.2', 'no id of the subject', { ...anyRecord, subject: { type: 'user' } }, bad],
    ['suite', 'no type of the resource', { ...anyRecord, resource: {} }, bad],
    ['4.6.2', 'an unknown type', { ...anyRecord, resource: { type: 'spaceship' } }, { finds: [] }],
    ['2.6', 'the same again', anyRecord, { finds: ['record-1'] }],
  ]),
  ...of('Search Core', actions, [
    ['4.4.1', 'actions', itsActions, { finds: ['read', 'write'] }],
    ['4.4.2', 'actions with a context', { ...itsActions, context: time }, { finds: ['read', 'write'] }],
    ['suite', 'an action is ignored', first, { finds: ['read', 'write'] }],
    ['4.6.1', 'an unknown subject', { ...itsActions, subject: user('nonexistent-user') }, { finds: [] }],
    ['4.7.1', 'no resource', { subject: alice }, bad],
    ['suite', 'no id of the resource', { ...itsActions, resource: { type: 'record' } }, bad],
    ['2.6', 'the same again', itsActions, { finds: ['read', 'write'] }],
  ]),
];

const searchProperties = [
  ...of('Search Properties', search.subject, [
    [
      '4.2.4',
      'subjects of an archived record',
      { ...anyUser, action: action('write'), resource: record(2, 'archived') },
      { finds: ['bob'] },
    ],
  ]),
  ...of('Search Properties', search.resource, [
    [
      '4.3.3',
      'resources of an administrator',
      { subject: admin, action: action('write'), resource: { type: 'record' } },
      { finds: ['record-2'] },
    ],
  ]),
  ...of('Search Properties', actions, [
    [
      '4.4.3',
      'actions of an administrator',
      { subject: admin, resource: record(2, 'archived') },
      { finds: ['write'] },
    ],
  ]),
];

/** Pages and discovery take more than one request, and are in the test. */
export const checks: readonly Check[] = [
  ...basic,
  ...transport('Basic Core', evaluation, first),
  ...basicProperties,
  ...batch,
  ...transport('Batch Core', evaluations, both),
  ...batchProperties,
  ...searches,
  ...transport('Search Core', search.subject, anyUser),
  ...transport('Search Core', search.resource, anyRecord),
  ...transport('Search Core', actions, itsActions),
  ...searchProperties,
];
export const paged = { path: search.subject, body: anyUser };

/** The working group's interoperability scenario "Todo": who has which roles, and what they may do. */
export const todo = {
  policy: `
schemaVersion: 1
name: todo
params:
  admins: [rick@the-citadel.com]
  evilGeniuses: [rick@the-citadel.com]
  editors: [rick@the-citadel.com, morty@the-citadel.com, summer@the-smiths.com]
variables:
  isOwn: input.resource.?properties.?ownerID.orValue("") == input.subject.id && input.subject.id in params.editors
rules:
  - { id: create, tool: can_create_todo, when: "!(input.subject.id in params.editors)", effect: BLOCK, severity: LOW }
  - { id: update, tool: can_update_todo, when: "!vars.isOwn && !(input.subject.id in params.evilGeniuses)", effect: BLOCK, severity: LOW }
  - { id: delete, tool: can_delete_todo, when: "!vars.isOwn && !(input.subject.id in params.admins)", effect: BLOCK, severity: LOW }
`,
  /** What each is asked in turn, as a batch: the action, the type of its target, and whether that is their own. */
  asked: [
    ['can_read_user', 'user', false],
    ['can_read_user', 'user', true],
    ['can_read_todos', 'todo', false],
    ['can_create_todo', 'todo', false],
    ['can_update_todo', 'todo', false],
    ['can_update_todo', 'todo', true],
    ['can_delete_todo', 'todo', false],
    ['can_delete_todo', 'todo', true],
  ] as const,
  /** One letter for each of them: yes or no. */
  decisions: {
    'rick@the-citadel.com': 'yyyyyyyy',
    'morty@the-citadel.com': 'yyyynyny',
    'summer@the-smiths.com': 'yyyynyny',
    'beth@the-smiths.com': 'yyynnnnn',
    'jerry@the-smiths.com': 'yyynnnnn',
  },
};
