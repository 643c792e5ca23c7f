import { Copy } from '../../parts/copy.tsx';
import { Secret } from '../../parts/secret.tsx';
import { words } from '../../strings/index.ts';

/** A key that the service shows once, with lines to paste that use it. */
export function ShownKey({ apiKey, webhookSecret }: { apiKey: string; webhookSecret?: string }) {
  const { integrations: text } = words.value;
  return (
    <div class="shown-key">
      <p class="note">{text.keyOnce}</p>
      <Secret label={text.key} value={apiKey} />
      {webhookSecret !== undefined && (
        <>
          <p class="note">{text.secretOnce}</p>
          <Secret label={text.webhookSecret} value={webhookSecret} />
        </>
      )}
      <h3>{text.lines}</h3>
      {linesFor(apiKey).map(([title, lines]) => (
        <figure key={title} class="json">
          <figcaption>
            <span>{title}</span>
            <Copy text={lines} />
          </figcaption>
          <pre tabIndex={0} role="region" aria-label={title}>
            {lines}
          </pre>
        </figure>
      ))}
    </div>
  );
}

function linesFor(key: string): (readonly [title: string, lines: string])[] {
  const url = location.origin;
  return [
    [
      'curl',
      `curl -s ${url}/v1/evaluate \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"input":{"tool":"web.search","query":"opening hours"}}'`,
    ],
    [
      'TypeScript',
      `import { createAssizeClient } from 'assize/client';
const client = createAssizeClient({ url: '${url}', apiKey: '${key}' });
const { enforcementAction } = await client.evaluate({ input: { tool: 'web.search' } });`,
    ],
    ['Claude Code', `ASSIZE_URL=${url} ASSIZE_KEY=${key} assize hook install claude-code --yes`],
    [
      'MCP',
      JSON.stringify(
        {
          mcpServers: {
            assize: { type: 'http', url: `${url}/v1/mcp`, headers: { Authorization: `Bearer ${key}` } },
          },
        },
        null,
        2,
      ),
    ],
  ];
}
