import type { CallToolResult } from '@modelcontextprotocol/server';
import { type TObject, Type } from '@sinclair/typebox';
import type { AppError, ErrorDetail } from '../errors.ts';
import { parseForWriting } from '../json/parse.ts';
import type { JsonObject } from '../schemas/values.ts';
import type { ToolResponse } from './tools/tool.ts';

/** The schema of a tool's structured content: its own result, preceded by a sentence that says what to do. */
export const guidedOutput = (output: TObject): TObject =>
  Type.Object({
    guidance: Type.Optional(Type.String({ description: 'what to do now' })),
    ...output.properties,
  });

/**
 * First the sentence alone, because some clients show only the first text; then the structured content as JSON, for clients
 * without structured content. The structure repeats the sentence, because other clients show nothing else (Claude Code 2.1.330).
 */
export const toolResult = (response: ToolResponse): CallToolResult => {
  const json = guided(response);
  return { content: texts(response, json), structuredContent: parseForWriting(json) as JsonObject };
};

/**
 * The JSON text of the same result, as the SDK completes it, without parsing what is JSON text already. `meta` is the JSON text
 * of its `_meta`.
 */
export function toolResultText(response: ToolResponse, meta: string): string {
  const json = guided(response);
  return `{"content":${JSON.stringify(texts(response, json))},"structuredContent":${json},"resultType":"complete","_meta":${meta}}`;
}

const texts = ({ text }: ToolResponse, json: string): CallToolResult['content'] => [
  { type: 'text', text },
  { type: 'text', text: json },
];

const guided = ({ text, json, isObvious = false }: ToolResponse): string =>
  isObvious ? json : `{"guidance":${JSON.stringify(text)},${json.slice(1)}`;

/**
 * A refusal as a result, so that the model can read it and correct the call. It has no structured content: clients would
 * validate that against the output schema, and throw.
 */
export const refused = ({ code, details, retryAfterSeconds }: AppError): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: `${code}: ${details.map(worded).join('; ')}${again(retryAfterSeconds)}` }],
  _meta: { 'dev.assize/error': { code, errors: details, retryAfterSeconds } },
});

const worded = ({ message, path }: ErrorDetail): string => (path ? `${path} ${message}` : message);
const again = (seconds: number | null): string => (seconds === null ? '' : `; try again in ${seconds} s`);
