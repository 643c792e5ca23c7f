import type {
  AcceptTools,
  ImportedTools,
  ImportTools,
  PutToolCatalogue,
  ReadToolCatalogue,
  ToolCatalogue,
} from '../features/tools/schema.ts';
import { type Http, path } from './http.ts';
import type { CallOptions } from './options.ts';

/** The tools of an integration as its operators describe them. Needs an operator's key. */
export interface ToolCatalogues {
  get(integrationId: string, options?: CallOptions): Promise<ReadToolCatalogue>;
  /** Replaces all of it, from the next evaluation on. */
  set(integrationId: string, catalogue: PutToolCatalogue, options?: CallOptions): Promise<ToolCatalogue>;
  /** Adds the tools that an MCP server lists: the result of `tools/list`. */
  import(integrationId: string, listed: ImportTools, options?: CallOptions): Promise<ImportedTools>;
  /** Accepts changes in `waiting` of a catalogue, by their digests. */
  accept(integrationId: string, accepted: AcceptTools, options?: CallOptions): Promise<ToolCatalogue>;
}

export function createToolCatalogues(http: Http): ToolCatalogues {
  const at = (integrationId: string): string => path`/v1/integrations/${integrationId}/tools`;
  const send = async <T extends ToolCatalogue = ToolCatalogue>(
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    json: object | undefined,
    options: CallOptions | undefined,
  ): Promise<T> => (await http.send<T>({ method, path, json }, options)).data;
  return {
    get: (id, options) => send<ReadToolCatalogue>('GET', at(id), undefined, options),
    set: (id, catalogue, options) => send('PUT', at(id), catalogue, options),
    import: (id, listed, options) => send<ImportedTools>('POST', `${at(id)}/import`, listed, options),
    accept: (id, accepted, options) => send('POST', `${at(id)}/accept`, accepted, options),
  };
}
