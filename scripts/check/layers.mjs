// Who may import whom: the table in docs/architecture.md, enforced. Each layer may import itself and what is listed.
const layers = {
  // What every layer may use.
  errors: { at: '^src/(?:errors|awaitable)\\.ts$', may: [], packages: [] },
  schemas: { at: '^src/schemas/', may: ['words', 'featureSchema'], packages: ['@sinclair/typebox'] },
  json: { at: '^src/json/', may: [], packages: [] },
  cel: { at: '^src/cel/', may: ['json'], packages: ['re2js'] },
  'json-schema': { at: '^src/json-schema/', may: ['json', 'cel'], packages: [] },
  shell: { at: '^src/shell/', may: [], packages: [] },
  detectors: { at: '^src/detectors/', may: [], packages: ['re2js'] },
  policy: {
    at: '^src/policy/',
    may: ['words', 'featureSchema', 'schemas', 'json', 'cel', 'shell'],
    packages: ['yaml', '@sinclair/typebox'],
  },
  // Hashes: it reaches Node's crypto, and nothing else of it.
  record: { at: '^src/record/', may: ['json'], packages: [], node: true },
  // The hot path (docs/architecture.md). Its stores: evaluateStores, below.
  evaluatePure: {
    at: '^src/evaluate/(?:judge|verdict|approval|settle|session|session-places|quotas|port|evaluation|idempotency|sightings)\\.ts$',
    may: [
      'words',
      'featureSchema',
      'featureStore',
      'schemas',
      'errors',
      'json',
      'policy',
      'evaluateCounters',
      'storeShared',
    ],
    packages: [],
  },
  evaluateCounters: {
    at: '^src/evaluate/counters/(?!history)',
    may: ['schemas', 'evaluatePure'],
    packages: [],
    node: true,
  },
  evaluateRow: {
    at: '^src/evaluate/evaluation-row\\.ts$',
    may: ['record', 'evaluatePure'],
    packages: [],
    node: true,
  },
  evaluate: {
    at: '^src/evaluate/(?:(?:evaluate|action|catalogue|content|in-force|session-choice|masked-messages|verbatim-texts)\\.ts$|scanning/|counters/history)',
    may: [
      'schemas',
      'errors',
      'json',
      'json-schema',
      'policy',
      'detectors',
      'services',
      'words',
      'featureSchema',
      'featureService',
      'featureStore',
      'storeShared',
      'evaluatePure',
      'evaluateCounters',
      'evaluateRow',
    ],
    packages: [],
    node: true,
  },
  evaluateStores: {
    at: '^src/evaluate/(?:sqlite|postgres)/',
    may: [
      'words',
      'featureSchema',
      'featureStore',
      'schemas',
      'errors',
      'record',
      'store',
      'sql',
      'evaluatePure',
      'evaluateCounters',
      'evaluateRow',
    ],
    packages: ['drizzle-orm', 'better-sqlite3', 'pg'],
    node: true,
  },
  store: {
    at: '^src/store/',
    may: [
      'schemas',
      'errors',
      'record',
      'sql',
      'words',
      'featureStore',
      'featureSchema',
      'featureTables',
      'evaluatePure',
      'evaluateCounters',
      'evaluateRow',
      'evaluateStores',
    ],
    packages: ['drizzle-orm', 'better-sqlite3', 'pg'],
    node: true,
  },
  services: {
    at: '^src/services/',
    may: [
      'schemas',
      'errors',
      'json',
      'json-schema',
      'policy',
      'detectors',
      'record',
      'words',
      'featureSchema',
      'featureService',
      'featureStore',
      'evaluate',
      'evaluatePure',
      'evaluateCounters',
    ],
    node: true,
  },
  // One noun in one folder: each file of it has a layer of its own.
  words: { at: '^src/(?:features/[^/]+|schemas)/words\\.ts$', may: [], packages: [] },
  featureSchema: {
    at: '^src/features/[^/]+/schema\\.ts$',
    may: ['words', 'schemas'],
    packages: ['@sinclair/typebox'],
  },
  // Shown in the description of the API, and imported by nothing else.
  featureExamples: { at: '^src/features/[^/]+/examples\\.ts$', may: ['exampleStory'], packages: [] },
  featureTables: { at: '^src/features/[^/]+/tables\\.ts$', may: ['words', 'sql'], packages: ['drizzle-orm'] },
  featureStore: {
    // store.ts and its parts, store-….ts.
    at: '^src/features/[^/]+/store(?!d)[a-z-]*\\.ts$',
    may: [
      'words',
      'featureSchema',
      'schemas',
      'errors',
      'record',
      'sql',
      'storeShared',
      'evaluatePure',
      'evaluateCounters',
    ],
    packages: ['drizzle-orm'],
  },
  // Every other file is a part of the service.
  featureService: {
    at: '^src/features/[^/]+/(?!(?:words|schema|examples|tables|store(?!d)[a-z-]*|routes[a-z-]*|cli[a-z-]*)\\.ts$)',
    may: [
      'words',
      'featureSchema',
      'featureStore',
      'schemas',
      'errors',
      'json',
      'policy',
      'suggestions',
      'detectors',
      'record',
      'services',
      'storeShared',
      'evaluate',
      'evaluatePure',
      'evaluateCounters',
    ],
    node: true,
  },
  featureRoutes: {
    at: '^src/features/[^/]+/routes[a-z-]*\\.ts$',
    may: ['words', 'featureSchema', 'featureService', 'schemas', 'errors', 'json', 'services', 'http'],
    packages: ['@sinclair/typebox', 'fastify'],
    node: true,
  },
  featureCli: {
    at: '^src/features/[^/]+/cli[a-z-]*\\.ts$',
    // The engine and its use of the detectors: `policies check` needs no server.
    may: ['words', 'featureSchema', 'featureService', 'schemas', 'json', 'policy', 'client', 'cli'],
    packages: ['commander', 'diff', 'yaml'],
    node: true,
  },
  // Statements that both databases understand, and the two drivers that run them.
  sql: { at: '^src/sql/', may: ['featureTables', 'store', 'record'], packages: ['drizzle-orm'] },
  http: {
    at: '^src/http/',
    may: [
      'suggestions',
      'schemas',
      'errors',
      'json',
      'services',
      'words',
      'featureSchema',
      'featureService',
      'featureExamples',
      'evaluate',
      'evaluatePure',
    ],
    node: true,
  },
  // The second transport reads bodies and refuses callers as the first does, but never calls its routes.
  mcp: {
    at: '^src/mcp/',
    may: [
      'words',
      'featureSchema',
      'featureService',
      'schemas',
      'errors',
      'json',
      'services',
      'mcp-proxy',
      'httpShared',
      'evaluate',
      'evaluatePure',
    ],
    packages: ['@modelcontextprotocol/server', '@sinclair/typebox', 'fastify', 'ajv'],
    node: true,
  },
  // What stands between an MCP client and a server, over any transport: it reaches neither the network nor the process.
  'mcp-proxy': { at: '^src/mcp-proxy/', may: ['schemas', 'featureSchema', 'json', 'client'], packages: [] },
  // Knows nothing of the service but the shapes it is given.
  metrics: { at: '^src/metrics/', may: [], packages: ['prom-client'] },
  telemetry: { at: '^src/telemetry/', may: [], packages: ['@opentelemetry/[a-z-]+'] },
  // Types only (below): what is shipped of it must run where there is no Node.
  client: { at: '^src/client/', may: ['schemas', 'featureSchema', 'errors'], packages: [] },
  // A client of the public API, as every other one: types of the schemas, and its own packages. Canonical JSON, to verify the record.
  console: {
    at: '^src/console/',
    may: ['schemas', 'client', 'json', 'words', 'featureSchema'],
    packages: ['preact', '@preact/signals', '@codemirror/(?:commands|merge|state|view)'],
  },
  'ai-sdk': { at: '^src/ai-sdk/', may: ['client'], packages: ['ai'] },
  // Describes what it uses of a framework instead of importing it.
  adapters: { at: '^src/adapters/', may: ['client'], packages: [] },
};
const shared = {
  exampleStory: '^src/http/openapi/example-story\\.ts$',
  httpShared: '^src/http/(plugins/[^/]+|[^/]+)\\.ts$',
  storeShared: '^src/store/[^/]+\\.ts$',
  cli: '^src/cli/',
  // What somebody probably meant who wrote a name wrong.
  suggestions: '^src/cel/suggest\\.ts$',
};
const all = 'src/(errors\\.ts|awaitable\\.ts|main\\.ts|app\\.ts|app-telemetry\\.ts|[a-z-]+/)';

const layerRules = Object.entries(layers).map(([name, { at, may }]) => ({
  name: `${name}-imports`,
  severity: 'error',
  comment: `${name} may import: ${may.join(', ') || 'nothing of the others'}`,
  from: { path: at },
  to: {
    path: `^${all}`,
    pathNot: [
      at,
      ...may.map((other) => shared[other] ?? layers[other].at),
      ...(name === 'services' ? ['^src/store/[^/]+\\.ts$'] : []),
    ],
  },
}));

const packageRules = Object.entries(layers)
  .filter(([, { packages }]) => packages)
  .map(([name, { at, packages, node }]) => ({
    name: `${name}-packages`,
    severity: 'error',
    from: { path: at },
    to: {
      path: node ? 'node_modules/' : '',
      dependencyTypes: node ? ['npm', 'npm-dev'] : ['npm', 'npm-dev', 'core'],
      pathNot: packages.map((name) => `node_modules/${name}/`),
    },
  }));

export default {
  forbidden: [
    ...layerRules,
    ...packageRules,
    {
      name: 'backend-behind-open',
      severity: 'error',
      comment:
        'the rest of the service knows the interface of the store; src/store/open.ts alone names a backend',
      from: {
        path: '^src/',
        pathNot: '^src/(store/(sqlite/|postgres/|open\\.ts$)|sql/|evaluate/(sqlite|postgres)/)',
      },
      to: { path: '^src/(?:store/[a-z-]+|evaluate/(?:sqlite|postgres))/' },
    },
    {
      name: 'backends-apart',
      severity: 'error',
      comment: 'what both need is in src/store or src/evaluate',
      from: { path: '^src/(?:store|evaluate)/(sqlite|postgres)/' },
      to: {
        path: '^src/(?:store|evaluate)/(?:sqlite|postgres)/',
        pathNot: '^src/(?:store|evaluate)/$1/',
      },
    },
    {
      name: 'driver-in-backend',
      severity: 'error',
      comment: 'the binary brings the addon of the driver, and nothing else of it',
      from: {
        path: '^src/',
        pathNot:
          '^src/((store|evaluate)/(sqlite|postgres)|sql|binary)/|^src/features/[^/]+/(store(?!d)[a-z-]*|tables)\\.ts$',
      },
      to: { path: 'node_modules/(?:better-sqlite3|drizzle-orm|pg)/' },
    },
    {
      name: 'client-types-only',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^src/', pathNot: '^src/client/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'console-types-only',
      severity: 'error',
      comment: 'the browser gets nothing of the service itself but words',
      from: { path: '^src/console/' },
      to: {
        path: '^src/',
        pathNot: '^src/(?:(?:console|json)/|(?:features/[^/]+|schemas)/words\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'ai-sdk-types-only',
      severity: 'error',
      comment: 'the host brings its own',
      from: { path: '^src/ai-sdk/' },
      to: { path: 'node_modules/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-imported-statically',
      severity: 'error',
      comment:
        'a bundler gives `import()` of a CommonJS package no export but `default`: import the package in a module of ours, and load that late',
      from: { path: '^src/' },
      to: { dynamic: true, dependencyTypes: ['npm', 'npm-dev', 'npm-peer'] },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      comment: 'nobody who installs the package would have it; of the console, everything is in the bundle',
      from: { path: '^src/', pathNot: '^src/console/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm', 'npm-peer'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
