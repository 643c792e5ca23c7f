import type { ImportTools, PutToolCatalogue, ToolCatalogue } from '../schemas/tool-catalogues.ts';
import { type Http, path } from './http.ts';
import type { CallOptions } from './options.ts';

/** What the tools of an integration do. Needs an operator's key. */
export interface ToolCatalogues {
  get(integrationId: string, options?: CallOptions): Promise<ToolCatalogue>;
  /** Replaces all of it, from the next evaluation on. */
  set(integrationId: string, catalogue: PutToolCatalogue, options?: CallOptions): Promise<ToolCatalogue>;
  /** Adds the tools that an MCP server lists: the result of `tools/list`. */
  import(integrationId: string, listed: ImportTools, options?: CallOptions): Promise<ToolCatalogue>;
}

export function createToolCatalogues(http: Http): ToolCatalogues {
  const at = (integrationId: string): string => path`/v1/integrations/${integrationId}/tools`;
  const send = async (
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    json: object | undefined,
    options: CallOptions | undefined,
  ): Promise<ToolCatalogue> => (await http.send<ToolCatalogue>({ method, path, json }, options)).data;
  return {
    get: (id, options) => send('GET', at(id), undefined, options),
    set: (id, catalogue, options) => send('PUT', at(id), catalogue, options),
    import: (id, listed, options) => send('POST', `${at(id)}/import`, listed, options),
  };
}
