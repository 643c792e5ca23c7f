import type { CallToolResult } from '@modelcontextprotocol/server';
import { type TObject, Type } from '@sinclair/typebox';
import type { AppError, ErrorDetail } from '../errors.ts';
import { parseForWriting } from '../json/parse.ts';
import type { JsonObject } from '../schemas/values.ts';
import type { ToolAnswer } from './tools/tool.ts';

/** What a tool's structured content is: its own answer, led by the sentence that says what to do now. */
export const guidedOutput = (output: TObject): TObject =>
  Type.Object({ guidance: Type.String({ description: 'what to do now' }), ...output.properties });

/**
 * The sentence alone first, because some clients show the first text only; then the structured content as JSON for those
 * that know no structure. It has the sentence too: others show a model nothing else (Claude Code 2.1.330).
 */
export const answered = (answer: ToolAnswer): CallToolResult => {
  const json = guided(answer);
  return { content: texts(answer, json), structuredContent: parseForWriting(json) as JsonObject };
};

/**
 * The JSON text of the same result, as the SDK completes it: what is JSON text already is not read for it. `meta` is the
 * JSON text of its `_meta`.
 */
export function answeredText(answer: ToolAnswer, meta: string): string {
  const json = guided(answer);
  return `{"content":${JSON.stringify(texts(answer, json))},"structuredContent":${json},"resultType":"complete","_meta":${meta}}`;
}

const texts = ({ text }: ToolAnswer, json: string): CallToolResult['content'] => [
  { type: 'text', text },
  { type: 'text', text: json },
];

const guided = ({ text, json }: ToolAnswer): string => `{"guidance":${JSON.stringify(text)},${json.slice(1)}`;

/**
 * A refusal, as a result that the model can read and mend. It has no structured content: clients hold that against
 * the output schema, and throw.
 */
export const refused = ({ code, details, retryAfterSeconds }: AppError): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: `${code}: ${details.map(worded).join('; ')}${again(retryAfterSeconds)}` }],
  _meta: { 'dev.assize/error': { code, errors: details, retryAfterSeconds } },
});

const worded = ({ message, path }: ErrorDetail): string => (path ? `${path} ${message}` : message);
const again = (seconds: number | null): string => (seconds === null ? '' : `; try again in ${seconds} s`);
