import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

const introduction = `# Assize

> Assize decides whether an AI agent may take an action, before the agent takes it. It finds the kinds of data in each tool call, runs
> policies on the call and on what the session has done so far, and returns ALLOW, WARN, APPROVAL_REQUIRED or BLOCK, with reasons.

Every page is Markdown. The API is described in [docs/openapi.json](docs/openapi.json), a policy in
[docs/policy.schema.json](docs/policy.schema.json).
`;

/** The title of a page, and its first paragraph on one line. */
function entryOf(page: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  const [, title = page] = /^# (.+)$/m.exec(text) ?? [];
  const [, after = ''] = /^# .+\n([\s\S]*)$/m.exec(text) ?? [];
  const prose = after.split(/\n\n+/).map((part) => part.trim().replaceAll(/\s+/g, ' '));
  const first = prose.find((part) => /^[\w`*[]/.test(part) && !part.startsWith('```')) ?? '';
  const plain = first.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const [sentence = plain] = /^.*?[.:](?= |$)/.exec(plain) ?? [];
  return `- [${title.replaceAll('`', '')}](${page}): ${sentence.replace(/:$/, '.')}\n`;
}

const sections: Readonly<Record<string, string>> = {
  Start: '{README,docs/getting-started,docs/concepts,docs/recipes,docs/troubleshooting}.md',
  Documentation: 'docs/*.md',
  Agents: 'docs/agents/*.md',
  Policies: 'policies/**/*.md',
  'For contributors': '{CONTRIBUTING,SECURITY}.md',
};

/** llms.txt: what a model reads first, in the form of https://llmstxt.org. */
export function llmsText(): string {
  const seen = new Set(['docs/README.md']);
  let text = introduction;
  for (const [title, pattern] of Object.entries(sections)) {
    const pages = globSync(pattern, { cwd: root })
      .sort()
      .filter((page) => !seen.has(page));
    for (const page of pages) seen.add(page);
    text += `\n## ${title}\n\n${pages.map(entryOf).join('')}`;
  }
  return text;
}

// Run: npm run -s docs -- llms > llms.txt
if (process.argv[1] === import.meta.filename) process.stdout.write(llmsText());
