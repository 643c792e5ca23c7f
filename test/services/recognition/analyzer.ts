import type { RequestListener } from 'node:http';
import { type Receiver, startReceiver } from '../callbacks/receiver.ts';

/**
 * What Presidio Analyzer answers for a text, from its OpenAPI document's own example and in its form; offsets count
 * characters, as Python does.
 */
const RECORDED: Readonly<Record<string, readonly object[]>> = {
  'John Smith drivers license is AC432223': [
    { entity_type: 'PERSON', start: 0, end: 10, score: 0.85, analysis_explanation: null },
    { entity_type: 'US_DRIVER_LICENSE', start: 30, end: 38, score: 0.65, analysis_explanation: null },
  ],
  'hello world, my name is Jane Doe.': [
    { entity_type: 'PERSON', start: 24, end: 32, score: 0.85, analysis_explanation: null },
  ],
  '😀😀 Ana moved to Springfield': [
    { entity_type: 'PERSON', start: 3, end: 6, score: 0.85, analysis_explanation: null },
    { entity_type: 'LOCATION', start: 16, end: 27, score: 0.85, analysis_explanation: null },
  ],
};

interface Entity {
  start: number;
  end: number;
}

/** The answer for a text in which recorded ones stand, one below the other. */
function entitiesIn(text: string): readonly object[] {
  return Object.entries(RECORDED).flatMap(([recorded, entities]) => {
    const at = text.indexOf(recorded);
    if (at < 0) return [];
    const before = [...text.slice(0, at)].length;
    return (entities as readonly Entity[]).map((one) => ({
      ...one,
      start: one.start + before,
      end: one.end + before,
    }));
  });
}

/** Whether the body is an AnalyzeRequest: text and language are required. */
function isRequest(body: Record<string, unknown>): boolean {
  return (
    typeof body.text === 'string' &&
    typeof body.language === 'string' &&
    (body.entities === undefined || Array.isArray(body.entities)) &&
    (body.score_threshold === undefined || typeof body.score_threshold === 'number')
  );
}

/** A server that speaks Presidio Analyzer's `POST /analyze`. */
export async function startAnalyzer(): Promise<Receiver> {
  const respond: RequestListener = (request, response) => {
    const received = analyzer.requests.at(-1);
    const body = JSON.parse(received?.body ?? '{}') as Record<string, unknown>;
    const isKnown = request.method === 'POST' && request.url === '/analyze' && isRequest(body);
    response.writeHead(isKnown ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? entitiesIn(body.text as string) : { error: 'No text provided' }));
  };
  const analyzer = await startReceiver(respond);
  return analyzer;
}
