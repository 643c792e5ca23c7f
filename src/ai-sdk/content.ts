import type { LanguageModelMiddleware } from 'ai';
import { complete } from '../client/readable.ts';

type Options<Wrap extends 'wrapGenerate' | 'wrapStream'> = Parameters<
  NonNullable<LanguageModelMiddleware[Wrap]>
>[0];
export type GenerateOptions = Options<'wrapGenerate'>;
export type StreamOptions = Options<'wrapStream'>;
export type Params = GenerateOptions['params'];
export type Message = Params['prompt'][number];
type Usage = Awaited<ReturnType<GenerateOptions['doGenerate']>>['usage'];
export type Generated = Awaited<ReturnType<GenerateOptions['doGenerate']>>['content'][number];
export type StreamPart =
  Awaited<ReturnType<StreamOptions['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** A tool result as the model sees it, in the same form whether it comes from the tool or from a prompt. */
export const toolContent = (toolName: string, output: unknown) => ({ toolName, output: complete(output) });

/** The words and tool calls that a model made, gathered from a result or from the parts of a stream. */
export class Output {
  #text = '';
  #reasoning = '';
  readonly #toolCalls: object[] = [];
  readonly #toolResults: object[] = [];
  #usage: Usage | null = null;

  add(part: Generated | StreamPart): void {
    switch (part.type) {
      case 'text':
        this.#text += part.text;
        break;
      case 'text-delta':
        this.#text += part.delta;
        break;
      case 'reasoning':
        this.#reasoning += part.text;
        break;
      case 'reasoning-delta':
        this.#reasoning += part.delta;
        break;
      case 'tool-call':
        this.#toolCalls.push({ toolName: part.toolName, input: part.input });
        break;
      case 'tool-result':
        this.#toolResults.push({ toolName: part.toolName, result: part.result });
        break;
      case 'finish':
        this.used(part.usage);
    }
  }

  used(usage: Usage): void {
    this.#usage = usage;
  }

  /** The tokens of the call; undefined when the provider does not say. */
  get cost(): Record<string, number> | undefined {
    const tokens = {
      inputTokens: this.#usage?.inputTokens.total,
      outputTokens: this.#usage?.outputTokens.total,
    };
    const known = Object.entries(tokens).filter((entry): entry is [string, number] => entry[1] !== undefined);
    return known.length > 0 ? Object.fromEntries(known) : undefined;
  }

  /** Null when there is nothing to be judged. */
  get said(): object | null {
    const said = {
      ...(this.#text !== '' && { text: this.#text }),
      ...(this.#reasoning !== '' && { reasoning: this.#reasoning }),
      ...(this.#toolCalls.length > 0 && { toolCalls: this.#toolCalls }),
      ...(this.#toolResults.length > 0 && { toolResults: this.#toolResults }),
    };
    return Object.keys(said).length > 0 ? said : null;
  }
}
