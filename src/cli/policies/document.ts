import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Http } from '../../client/http.ts';
import { path } from '../../client/http.ts';
import type { Policy, PolicyMediaType } from '../../schemas/policies.ts';
import { findNamed, idOf, listNamed } from '../api/find.ts';
import { Exit, exitCodes } from '../exit.ts';

/** Why a file is no text that could be a policy, or its text. */
export function readDocument(file: string): { text: string } | { error: string } {
  try {
    // Fatal: a byte that is no text must not be checked as if it were another.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (error) {
    const isText = (error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA';
    return { error: isText ? 'cannot be read' : 'is not UTF-8 text' };
  }
}

export interface Document {
  text: string;
  mediaType: PolicyMediaType;
}

export function documentIn(file = ''): Document {
  const read = readDocument(file);
  if ('error' in read) throw new Exit(exitCodes.wrongUse, `${file}: ${read.error}`);
  return { text: read.text, mediaType: file.endsWith('.json') ? 'application/json' : 'application/yaml' };
}

/** The policy that a document is a version of: the one named by `--policy`, or the one with the document's name. */
export async function policyOf(
  http: Http,
  { text }: Document,
  given: string | undefined,
): Promise<Policy | null> {
  const id = given === undefined ? await idByName(http, nameIn(text)) : await idOf(http, 'policies', given);
  if (id === null) return null;
  return (await http.send<Policy>({ method: 'GET', path: path`/v1/policies/${id}` })).data;
}

async function idByName(http: Http, name: string | null): Promise<string | null> {
  if (name === null) return null;
  const named = await findNamed(http, 'policies', name);
  if (named.length < 2) return named[0]?.id ?? null;
  throw new Exit(
    exitCodes.failed,
    `${named.length} policies are named ${JSON.stringify(name)}, give one by --policy ID: ${listNamed(named)}`,
  );
}

/** Null for a document without one, which the service refuses, and says why. */
function nameIn(text: string): string | null {
  try {
    const { name } = (parse(text) ?? {}) as { name?: unknown };
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}
