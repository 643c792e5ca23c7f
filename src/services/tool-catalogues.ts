import { normalizedToolName } from '../engine/index.ts';
import { AppError } from '../errors.ts';
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
import { found } from './found.ts';
import { isoTimeOrNull } from './times.ts';

export interface ToolCatalogues {
  read(integrationId: string): Promise<ToolCatalogue>;
  /** Replaces all of it. */
  put(integrationId: string, request: PutToolCatalogue): Promise<ToolCatalogue>;
  /** Adds what an MCP server lists; of tools that are there, only their descriptions and schemas change. */
  import(integrationId: string, request: ImportTools): Promise<ToolCatalogue>;
}

export function createToolCatalogues({ store, now }: { store: Store; now: () => number }): ToolCatalogues {
  async function read(integrationId: string): Promise<ToolCatalogue> {
    const stored = found(await store.integrations.findTools(integrationId), 'integration', integrationId);
    return {
      integrationId: integrationId.toLowerCase(),
      tools: stored.tools === null ? [] : (JSON.parse(stored.tools) as CatalogueTool[]),
      updatedAt: isoTimeOrNull(stored.updatedAt),
    };
  }

  async function put(integrationId: string, tools: readonly CatalogueTool[]): Promise<ToolCatalogue> {
    checkNames(tools);
    checkSchemas(tools);
    const kept = await store.integrations.replaceTools(integrationId, stringifyJson(tools), now());
    if (!kept) found(null, 'integration', integrationId);
    return read(integrationId);
  }

  return {
    read,
    put: (integrationId, { tools }) => put(integrationId, tools),
    async import(integrationId, { tools }) {
      const merged = imported((await read(integrationId)).tools, tools);
      if (merged.length > mostCatalogueTools)
        throw new AppError(
          'invalid',
          `the catalogue would have ${merged.length} tools, at most ${mostCatalogueTools} are allowed`,
          { path: '/tools' },
        );
      return put(integrationId, merged);
    },
  };
}

function checkNames(tools: readonly CatalogueTool[]): void {
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

function checkSchemas(tools: readonly CatalogueTool[]): void {
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

function imported(present: readonly CatalogueTool[], listed: ImportTools['tools']): CatalogueTool[] {
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
  return merged;
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
