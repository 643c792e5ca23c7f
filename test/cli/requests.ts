import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { run } from '../helpers/command.ts';
import { everyCommand } from '../helpers/help.ts';

interface Operation {
  parameters?: { in: string; name: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { example?: Example }> }>;
}
interface Example {
  data: unknown;
  pagination?: { total: number };
}
interface OpenApi {
  components: object;
  paths: Record<string, Record<string, Operation>>;
}

/** Commands that are more than a request, or need a file: they have tests of their own. */
const others =
  /^(?:hook .*|mcp (?:wrap|install|uninstall).*|sessions tail|events tail|evaluate|explain|replay|audit (?:calls|export|key|verify)|policies (?:check|test|diff|prove|push)|tools (?:set|import|confirm|changes|accept)|keys rotate)$/;
/** Options that every command has, and where it connects. */
const common = /^--(?:json|url|key|database|server-ca|client-|page|size|wide|key-only|same-name)/;
/** Options that replace others. */
const alone =
  /^(?:keys create --(?:integration|scope)|policies schedule --cancel|webhooks redeliver --webhook)$/;
/** By what the help calls it, a value of an option that takes no text whatever. */
const samples: readonly (readonly [flags: RegExp, value: string])[] = [
  [/--trace/, '4bf92f3577b34da6a3ce929d0e0e4736'],
  [/<time>/, '2031-01-31T12:00:00Z'],
  [/<id>|--entity/, '01980000-0000-7000-8000-000000000000'],
  [/<n>|<minutes>|<hours>/, '7'],
  [/--email|--to /, 'ada@example.com'],
  [/-tag/, 'US_SSN'],
  [/--param/, 'most=5'],
  [/--fields/, '{"mode":"MONITOR"}'],
  [/--metadata/, '{"floor":3}'],
  [/--assignee/, 'me'],
  [/webhook.*--type/, 'review.*'],
  [/--header/, 'X-Team: support'],
  [/<answer>/, 'yes'],
];

interface CommandLine {
  words: string[];
  /** An example of the help; otherwise an example with another option. */
  isExample: boolean;
}

/** Every command line in the examples of the help, and each further option of a command beside its first example. */
function commandLines(): CommandLine[] {
  return everyCommand()
    .filter(([name, { options }]) => options.some(({ long }) => long === '--url') && !others.test(name))
    .flatMap(([name, command]) => {
      const help: string[] = [];
      command.configureOutput({ writeOut: (text) => void help.push(text) }).outputHelp();
      const examples = [...help.join('').matchAll(/^ {2}\$ assize ([^>|\n]*)/gm)]
        .map(([, line = '']) =>
          [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...found]) => found.find(Boolean) ?? ''),
        )
        .filter((words) => !words.includes('--database') && !words.some((word) => word.endsWith('.json')));
      const [first = []] = examples;
      const further = command.options
        .filter(
          ({ long = '' }) =>
            !common.test(`${long}`) && !first.includes(`${long}`) && !alone.test(`${name} ${long}`),
        )
        .map(({ long, flags, argChoices, required }) => {
          const [, sample = 'x'] = samples.find(([known]) => known.test(`${name} ${flags}`)) ?? [];
          return [...first, `${long}`, ...(required ? [argChoices?.[0] ?? sample] : [])];
        });
      return [
        ...examples.map((words) => ({ words, isExample: true })),
        ...further.map((words) => ({ words, isExample: false })),
      ];
    });
}

/** A service that takes the requests that docs/openapi.json describes, and answers with its examples. */
async function describedService() {
  const document = JSON.parse(
    readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const routes = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .sort((a, b) => written(b.path) - written(a.path));
  let words: readonly string[] = [];
  let requests: string[] = [];

  ajv.addSchema({ $id: 'api', components: document.components });
  /** Null when the schema takes it. The named schemas are read once, not with each that refers to them. */
  function mistakes(schema: object, value: unknown): string | null {
    const takes = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')));
    return takes(value) ? null : ajv.errorsText(takes.errors);
  }
  function problemIn({ parameters = [], requestBody }: Operation, url: URL, body: string): string | null {
    const inQuery = parameters.filter((one) => one.in === 'query');
    const properties = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]));
    const problem = mistakes(
      { properties, additionalProperties: false },
      Object.fromEntries(url.searchParams),
    );
    if (problem !== null || body === '') return problem;
    const schema = requestBody?.content['application/json']?.schema;
    return schema ? mistakes(schema, JSON.parse(body)) : 'it takes no body';
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? '', 'http://host');
    const route = routes.find(
      ({ path, method }) =>
        method === request.method?.toLowerCase() &&
        new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname),
    );
    const problem = route ? problemIn(route.operation, url, body) : 'there is no such route';
    if (problem !== null || !route)
      return {
        status: 400,
        body: { success: false, statusCode: 400, errors: [{ code: 'invalid', message: problem }] },
      };
    const isLookUp =
      url.searchParams.get('size') === '200' &&
      /^\/v1\/(?:policies|integrations|operators|lists|entities|mcp-servers|webhooks)$/.test(url.pathname);
    // The page after the only one.
    const isNext = url.searchParams.has('before') && !words.includes('--before');
    if (!isLookUp && !isNext)
      requests.push(`${request.method} ${url.pathname}${url.search} ${body}`.trimEnd());
    const [status = '200', response] =
      Object.entries(route.operation.responses).find(([code]) => code.startsWith('2')) ?? [];
    const example = response?.content?.['application/json']?.example as Example;
    if (isNext) return { status: 200, body: { ...example, data: [], pagination: { total: 1, next: null } } };
    return { status: Number(status), body: isLookUp ? named(example) : example };
  }
  /** Whatever name is looked for. */
  function named({ data, ...envelope }: Example): object {
    const [first] = data as object[];
    const found = [...new Set(words)].map((name) => ({ ...first, name, status: 'ACTIVE' }));
    return { ...envelope, data: found, pagination: { page: 1, size: 200, total: found.length } };
  }

  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** Runs a command line. Resolves with its exit code, what it wrote, and the requests that it sent besides looking up names. */
    async ask(line: readonly string[]) {
      words = line;
      requests = [];
      const ran = await run([...line, '--url', url, '--key', `asz_admin_${'k'.repeat(43)}`]);
      return { ...ran, requests };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const written = (path: string): number => path.replaceAll(/\{\w+\}/g, '').length;

/** The time in a query as so many minutes ago. */
const withoutNow = (request: string): string =>
  request.replace(/(?<=to=)[^&]+/, (time) => {
    const minutes = (Date.now() - Date.parse(decodeURIComponent(time))) / 60_000;
    return `(${minutes.toFixed(0)} minutes ago)`;
  });

/** Each command line with the requests that it sends, and examples with what they print. Throws when one fails. */
export async function requestsOfCommands(): Promise<string> {
  const service = await describedService();
  const failed: string[] = [];
  let text = '';
  try {
    for (const { words, isExample } of commandLines()) {
      // The service has whatever name it is asked for.
      const isNew = words.slice(0, 2).join(' ') === 'integrations create';
      const { code, out, err, requests } = await service.ask(isNew ? [...words, '--same-name'] : words);
      const line = words.map((word) => (/[\s"]/.test(word) ? `'${word}'` : word)).join(' ');
      if (code !== 0 || requests.length === 0) failed.push(`assize ${line}: ${err || 'sends nothing'}`);
      text += `$ assize ${line}\n${requests.map((request) => `> ${words.includes('--older-than') ? withoutNow(request) : request}\n`).join('')}`;
      if (isExample) text += `${out.trimEnd()}\n`;
    }
  } finally {
    service.close();
  }
  if (failed.length > 0) throw new Error(failed.join('\n'));
  return text;
}
