const tools = [
  'web.search',
  'crm.lookup',
  'fs.read',
  'calendar.list',
  'sql.query',
  'tickets.update',
  'kb.search',
  'math.eval',
];

/** A tool call of about 300 bytes. */
export const callOf = (place: number): object => ({
  tool: tools[place % tools.length],
  arguments: {
    query: `status of order ${place} and the open questions of the customer about the delivery`,
    limit: 10 + (place % 7),
    filters: { region: 'north', state: 'open', since: '2026-01-01' },
    note: 'answer in two sentences, and cite the ticket you used',
  },
});

/** The tools of the calls, and others up to `count`, as a server lists them. */
export function listedTools(count: number): object[] {
  const text = { type: 'string' };
  const fields = { region: text, state: text, since: { type: 'string', format: 'date' } };
  const inputSchema = {
    type: 'object',
    properties: {
      query: text,
      limit: { type: 'integer' },
      filters: { type: 'object', properties: fields },
      note: text,
    },
    required: ['query'],
  };
  return Array.from({ length: count }, (_, place) => ({
    name: tools[place] ?? `other.update_${place}`,
    description: `Tool ${place} of the load`,
    inputSchema,
  }));
}

/** `bodyOf`: of the request that opens session n. */
export async function openSessions(
  url: string,
  key: string,
  sessions: number,
  bodyOf: (place: number) => object = () => ({}),
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < sessions) {
    const opened = await Promise.all(
      Array.from({ length: Math.min(32, sessions - ids.length) }, async (_, place) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const body = JSON.stringify(bodyOf(ids.length + place));
        const response = await fetch(`${url}/v1/evaluation-sessions`, { method: 'POST', headers, body });
        if (response.status !== 201) throw new Error(`no session: ${await response.text()}`);
        return ((await response.json()) as { data: { id: string } }).data.id;
      }),
    );
    ids.push(...opened);
  }
  return ids;
}

/** Bodies of evaluates in sessions that it opens: session n gets n mod 50 + 1 actions, one after the other. */
export async function sessionBodies(
  url: string,
  key: string,
  sessions: number,
  bodyOf?: (place: number) => object,
): Promise<string[]> {
  const ids = await openSessions(url, key, sessions, bodyOf);
  return ids.flatMap((sessionId, place) =>
    Array.from({ length: (place % 50) + 1 }, (_, action) =>
      JSON.stringify({ sessionId, input: callOf(place * 7 + action) }),
    ),
  );
}
