import { normalizedToolName } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import { canonicalJson } from '../json/canonical.ts';
import { stringifyJson } from '../json/stringify.ts';
import {
  type CatalogueTool,
  type ImportTools,
  mostCatalogueTools,
  type PutToolCatalogue,
  type ToolCatalogue,
  type ToolEffect,
} from '../schemas/tool-catalogues.ts';
import type { Store } from '../store/store.ts';
import { compileArguments } from './argument-schemas.ts';
import { asExpected, outdated } from './expected-versions.ts';
import { found } from './found.ts';
import { isoTimeOrNull } from './times.ts';

type CatalogueTools = readonly CatalogueTool[];

export interface ToolCatalogues {
  read(integrationId: string): Promise<ToolCatalogue>;
  /** Replaces all of it. `expected`: what it must be now. */
  put(integrationId: string, request: PutToolCatalogue, expected?: CatalogueTools): Promise<ToolCatalogue>;
  /** Adds what an MCP server lists; of tools that are there, only their descriptions and schemas change. */
  import(integrationId: string, request: ImportTools, expected?: CatalogueTools): Promise<ToolCatalogue>;
  /** Refuses what `put` and `import` would refuse. */
  check(tools: CatalogueTools): void;
  checkImport(present: CatalogueTools, request: ImportTools): void;
}

export function createToolCatalogues({ store, now }: { store: Store; now: () => number }): ToolCatalogues {
  const stored = async (integrationId: string) =>
    found(await store.integrations.findTools(integrationId), 'integration', integrationId);

  async function read(integrationId: string): Promise<ToolCatalogue> {
    const { tools, updatedAt } = await stored(integrationId);
    return {
      integrationId: integrationId.toLowerCase(),
      tools: toolsIn(tools),
      updatedAt: isoTimeOrNull(updatedAt),
    };
  }

  /** Makes another catalogue of the one that is there. When that must be as expected, it stays so until then. */
  async function change(
    integrationId: string,
    change: (present: CatalogueTools) => CatalogueTools,
    expected: CatalogueTools | undefined,
  ): Promise<ToolCatalogue> {
    const before = (await stored(integrationId)).tools;
    if (expected && canonicalJson(toolsIn(before)) !== canonicalJson(expected)) throw outdated();
    const tools = stringifyJson(change(toolsIn(before)));
    const basis = expected && before;
    const result = asExpected(await store.integrations.replaceTools(integrationId, tools, now(), basis));
    if (result === 'no_integration') found(null, 'integration', integrationId);
    return read(integrationId);
  }

  return {
    read,
    check,
    checkImport: (present, { tools }) => void imported(present, tools),
    put: (integrationId, { tools }, expected) => change(integrationId, () => check(tools), expected),
    import: (integrationId, { tools }, expected) =>
      change(integrationId, (present) => imported(present, tools), expected),
  };
}

const toolsIn = (text: string | null): CatalogueTool[] => (text === null ? [] : JSON.parse(text));

function check(tools: CatalogueTools): CatalogueTools {
  checkNames(tools);
  checkSchemas(tools);
  return tools;
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

function checkSchemas(tools: CatalogueTools): void {
  for (const [index, { inputSchema }] of tools.entries()) {
    if (!inputSchema) continue;
    try {
      compileArguments(inputSchema);
    } catch (error) {
      const message = `must be a JSON Schema without references to other documents: ${(error as Error).message}`;
      throw new AppError('invalid', message.slice(0, 500), { path: `/tools/${index}/inputSchema` });
    }
  }
}

function imported(present: CatalogueTools, listed: ImportTools['tools']): CatalogueTools {
  const merged = [...present];
  for (const { name, description, inputSchema, annotations = {} } of listed) {
    const about = {
      ...(description !== undefined && { description: description.slice(0, 2_000) }),
      ...(inputSchema && { inputSchema }),
    };
    const place = merged.findIndex((tool) => tool.name === name || tool.aliases?.includes(name));
    const known = merged[place];
    if (known) merged[place] = { ...known, ...about };
    else
      merged.push({
        name,
        effect: effectOf(annotations),
        untrustedResults: annotations.openWorldHint !== false,
        ...about,
      });
  }
  if (merged.length > mostCatalogueTools)
    throw new AppError(
      'invalid',
      `the catalogue would have ${merged.length} tools, at most ${mostCatalogueTools} are allowed`,
      { path: '/tools' },
    );
  return check(merged);
}

/** Hints that are absent have the defaults of MCP, which are the worst case. */
function effectOf({
  readOnlyHint = false,
  destructiveHint = true,
  openWorldHint = true,
}: NonNullable<ImportTools['tools'][number]['annotations']>): ToolEffect {
  if (readOnlyHint) return 'READ';
  if (destructiveHint) return 'DESTRUCTIVE';
  return openWorldHint ? 'EXTERNAL' : 'WRITE';
}
