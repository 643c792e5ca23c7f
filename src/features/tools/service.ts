import { AppError } from '../../errors.ts';
import { compileArguments } from '../../evaluate/catalogue.ts';
import { canonicalJson } from '../../json/stringify.ts';
import { normalized as normalizedToolName } from '../../policy/tool-calls.ts';
import { found, outdated } from '../../services/refusals.ts';
import { createSteps, type NextStep } from '../../services/steps.ts';
import { isoTimeOrNull } from '../../services/times.ts';
import type { Store } from '../../store/store.ts';
import { undescribedTools } from './called-tools.ts';
import { importedInto, readListing } from './imported-tools.ts';
import type {
  AcceptTools,
  CatalogueTool,
  ImportedTools,
  ImportTools,
  PutToolCatalogue,
  ReadToolCatalogue,
  ToolCatalogue,
  ToolChange,
  WaitingToolChange,
} from './schema.ts';
import { type Seen, seenAt } from './seen-tools.ts';
import {
  acceptedTool,
  catalogueText,
  differences,
  parseCatalogue,
  publicTool,
  replacedBy,
  type StoredCatalogue,
  type StoredTool,
  waitingChange,
} from './stored-catalogue.ts';

type CatalogueTools = readonly CatalogueTool[];

export interface ToolCatalogues {
  read(integrationId: string): Promise<ReadToolCatalogue>;
  /** Replaces all of it. `expected`: what it must be now. */
  put(integrationId: string, request: PutToolCatalogue, expected?: CatalogueTools): Promise<ToolCatalogue>;
  /** Adds what a server lists, with a proposal of what each tool does. What it changes of a tool that is there waits, unless `onChange` accepts it. */
  import(integrationId: string, request: ImportTools, expected?: CatalogueTools): Promise<ImportedTools>;
  /** Keeps the first definition of each tool that a proxy saw at an MCP server. What it changes of one waits. */
  see(integrationId: string, listing: { server: string; tools: readonly unknown[] }): Promise<SeenTools>;
  /** Takes over changes that wait. Refuses those that are no longer what was read. */
  accept(integrationId: string, request: AcceptTools): Promise<ToolCatalogue>;
  /** Refuses what `put`, `import` and `accept` would refuse. */
  check(tools: CatalogueTools): Promise<void>;
  /** The difference that it would make. */
  checkImport(integrationId: string, request: ImportTools): Promise<Difference>;
  /** The changes that would be accepted. */
  checkAccept(integrationId: string, request: AcceptTools): Promise<WaitingToolChange[]>;
}

type SeenTools = Seen['tools'];
type Difference = Pick<ImportedTools, 'changes' | 'refused'>;

/** Somebody else may change a catalogue at the same time: then it is read again, so often. */
const mostAttempts = 3;
/** The servers of an agent are listed at one moment. */
const mostAttemptsToSee = 50;

export function createToolCatalogues({ store, now }: { store: Store; now: () => number }): ToolCatalogues {
  const stored = async (integrationId: string) =>
    found(await store.toolCatalogues.find(integrationId), 'integration', integrationId);

  async function shown(
    integrationId: string,
    { onChange, tools, seen = [] }: StoredCatalogue,
    updatedAt: number | null,
    step: NextStep,
  ): Promise<ToolCatalogue> {
    const waiting: WaitingToolChange[] = [];
    for (const tool of [...tools, ...seen]) {
      const change = waitingChange(tool);
      if (change) waiting.push(change);
      await step();
    }
    return {
      integrationId: integrationId.toLowerCase(),
      onChange,
      tools: tools.map(publicTool),
      waiting,
      seen: seen.map(publicTool),
      warnings: [...tools, ...seen].flatMap(({ name, warnings = [] }) =>
        warnings.map((one) => ({ name, ...one })),
      ),
      updatedAt: isoTimeOrNull(updatedAt),
    };
  }

  /** Makes another catalogue of the one that is there, and tells of what is different. Takes as long as it is large, in steps. */
  async function change<T extends { next: StoredCatalogue; changes: readonly ToolChange[] }>(
    integrationId: string,
    change: (present: StoredCatalogue, step: NextStep) => Promise<T>,
    { expected, attempts = mostAttempts }: { expected?: CatalogueTools | undefined; attempts?: number } = {},
  ): Promise<Omit<T, 'next'> & { next: StoredCatalogue; updatedAt: number | null }> {
    const step = createSteps();
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { tools: before, updatedAt } = await stored(integrationId);
      const present = parseCatalogue(before);
      await step();
      if (expected && !(await areEqual(present.tools.map(publicTool), expected, step))) throw outdated();
      const { next, ...result } = await change(present, step);
      await step();
      const text = catalogueText(next);
      await step();
      // Nothing to record, but for the first time.
      if (text === before) return { ...result, next, updatedAt };
      const at = now();
      const replaced = await store.audit.telling(toldOf(result.changes), () =>
        store.toolCatalogues.replace(integrationId, text, at, before),
      );
      if (replaced === 'no_integration') found(null, 'integration', integrationId);
      if (replaced === 'replaced') return { ...result, next, updatedAt: at };
      if (expected) throw outdated();
    }
    throw new AppError('conflict', 'the catalogue keeps changing: try again');
  }

  return {
    async read(integrationId) {
      const { tools, updatedAt } = await stored(integrationId);
      const catalogue = parseCatalogue(tools);
      const step = createSteps();
      const undescribed = await undescribedTools(
        store,
        integrationId,
        [...catalogue.tools, ...(catalogue.seen ?? [])],
        { now: now(), step },
      );
      return { ...(await shown(integrationId, catalogue, updatedAt, step)), undescribed };
    },
    check,

    async put(integrationId, { tools, onChange }, expected) {
      await check(tools);
      const { next, updatedAt } = await change(
        integrationId,
        async (present, step) => {
          const next = { ...replacedBy(present, tools), onChange: onChange ?? present.onChange };
          return { next, changes: await changesBetween(present.tools, next.tools, step) };
        },
        { expected },
      );
      return shown(integrationId, next, updatedAt, createSteps());
    },

    async import(integrationId, request, expected) {
      const listing = await readListing(request, createSteps());
      const { next, updatedAt, changes, refused } = await change(
        integrationId,
        (present, step) => importedInto(present, listing, now(), step),
        { expected },
      );
      return { ...(await shown(integrationId, next, updatedAt, createSteps())), changes, refused };
    },

    async see(integrationId, listing) {
      const seen = (present: StoredCatalogue, step: NextStep) => seenAt(present, listing, now(), step);
      // Whatever request brought the list.
      const named = { action: 'seeTools', resource: 'integrations', resourceId: integrationId };
      const changing = () => change(integrationId, seen, { attempts: mostAttemptsToSee });
      return (await store.audit.within(named, changing)).tools;
    },

    async accept(integrationId, { tools: accepted }) {
      const { next, updatedAt } = await change(integrationId, async (present) => {
        const changes = waitingAmong(present, accepted);
        const names = new Set(changes.map(({ name }) => name));
        const take = (tool: StoredTool) => (names.has(tool.name) ? acceptedTool(tool) : tool);
        const { tools, seen } = present;
        return {
          next: { ...present, tools: tools.map(take), ...(seen && { seen: seen.map(take) }) },
          changes: changes.map(({ name, change, fields }) => ({ name, change, held: false, fields })),
        };
      });
      return shown(integrationId, next, updatedAt, createSteps());
    },

    async checkImport(integrationId, request) {
      const step = createSteps();
      const listing = await readListing(request, step);
      const present = parseCatalogue((await stored(integrationId)).tools);
      const { changes, refused } = await importedInto(present, listing, now(), step);
      return { changes, refused };
    },

    checkAccept: async (integrationId, { tools }) =>
      waitingAmong(parseCatalogue((await stored(integrationId)).tools), tools),
  };
}

function waitingAmong(
  { tools, seen = [] }: StoredCatalogue,
  accepted: AcceptTools['tools'],
): WaitingToolChange[] {
  const waiting = new Map(
    [...tools, ...seen].flatMap((tool) => {
      const change = waitingChange(tool);
      return change ? [[change.name, change] as const] : [];
    }),
  );
  return accepted.map(({ name, digest }, index) => {
    const change = waiting.get(name);
    if (!change)
      throw new AppError('conflict', 'no change of this tool waits', { path: `/tools/${index}/name` });
    if (change.digest !== digest)
      throw new AppError('conflict', 'the change is another one by now: read it again', {
        path: `/tools/${index}/digest`,
      });
    return change;
  });
}

async function areEqual(some: CatalogueTools, others: CatalogueTools, step: NextStep): Promise<boolean> {
  if (some.length !== others.length) return false;
  for (const [place, tool] of some.entries()) {
    if (canonicalJson(tool) !== canonicalJson(others[place])) return false;
    await step();
  }
  return true;
}

async function changesBetween(
  before: CatalogueTools,
  after: CatalogueTools,
  step: NextStep,
): Promise<ToolChange[]> {
  const known = new Map(before.map((tool) => [tool.name, tool]));
  const changes: ToolChange[] = [];
  for (const tool of after) {
    const then = known.get(tool.name);
    known.delete(tool.name);
    const fields = then ? differences(then, tool) : [];
    if (!then || fields.length > 0)
      changes.push({ name: tool.name, change: then ? 'CHANGED' : 'ADDED', held: false, fields });
    await step();
  }
  const removed = [...known.keys()].map(
    (name): ToolChange => ({ name, change: 'REMOVED', held: false, fields: [] }),
  );
  return [...changes, ...removed];
}

/** Named in an event, and in the text of an audit entry; `changeCount` is of all. */
const mostTold = 50;
const mostCharacters = 500;

/** The account of a change for the audit and the event: names, and nothing of the definitions. */
function toldOf(changes: readonly ToolChange[]) {
  const all = changes.filter(({ change }) => change !== 'NOT_LISTED');
  const told = all.map(({ fields, warnings, ...one }) => ({
    ...one,
    fields: fields.map(({ field }) => field),
    ...(warnings && { warnings: [...new Set(warnings.map(({ kind }) => kind))] }),
  }));
  const texts = told.map(({ name, change, held, fields, warnings = [] }) => {
    const details = [...(change === 'CHANGED' ? fields : []), ...(held ? ['held'] : []), ...warnings].join(
      ', ',
    );
    return `${name} ${change.toLowerCase()}${details && ` (${details})`}`;
  });
  const text = texts.join('; ');
  return {
    message:
      text === '' ? null : text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text,
    data: { tools: told.slice(0, mostTold), changeCount: told.length },
  };
}

async function check(tools: CatalogueTools): Promise<void> {
  checkNames(tools);
  checkUntrustedFields(tools);
  await checkSchemas(tools);
}

function checkNames(tools: CatalogueTools): void {
  const owners = new Map<string, number>();
  for (const [index, tool] of tools.entries()) {
    for (const [place, name] of [tool.name, ...(tool.aliases ?? [])].entries()) {
      const path = `/tools/${index}${place === 0 ? '/name' : `/aliases/${place - 1}`}`;
      const key = normalizedToolName(name);
      if (key !== name.normalize('NFC') || key === '')
        throw new AppError('invalid', 'must not begin or end with white space', { path });
      const other = owners.get(key);
      if (other !== undefined) {
        const whose = other === index ? 'this tool already' : `the tool at /tools/${other}`;
        throw new AppError('invalid', `is a name or alias of ${whose}: each names one tool`, { path });
      }
      owners.set(key, index);
    }
  }
}

function checkUntrustedFields(tools: CatalogueTools): void {
  for (const [index, { untrustedResults = false, untrustedFields }] of tools.entries()) {
    if (untrustedFields && !untrustedResults)
      throw new AppError(
        'invalid',
        'needs untrustedResults: true, because others write none of its results',
        {
          path: `/tools/${index}/untrustedFields`,
        },
      );
  }
}

async function checkSchemas(tools: CatalogueTools): Promise<void> {
  const step = createSteps();
  for (const [index, { inputSchema }] of tools.entries()) {
    if (!inputSchema) continue;
    try {
      compileArguments(inputSchema);
    } catch (error) {
      const message = `must be a JSON Schema without references to other documents: ${(error as Error).message}`;
      throw new AppError('invalid', message.slice(0, 500), { path: `/tools/${index}/inputSchema` });
    }
    await step();
  }
}
