import { copyFileSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

// The pages of docs/ as a site with search, in build/site. They are copied beside what builds them, which has Vue. A link that leads nowhere fails the build.
const docs = resolve(import.meta.dirname, '../pages');
const site = resolve(import.meta.dirname, '../../../build/site');

/** Where a link leads on the site; null for a file of the repository outside of docs/, which is no part of it. */
function targetOf(link, page) {
  if (/^(?:[a-z]+:|#)/.test(link)) return link;
  if (relative(docs, resolve(docs, dirname(page), link)).startsWith('..')) return null;
  return link.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md');
}

/** Links to files of the repository become their text, which names the file when the pointer is over it. */
function mendLinks({ tokens, env }) {
  for (const { children } of tokens) {
    for (const [at, token] of (children ?? []).entries()) {
      if (token.type !== 'link_open') continue;
      const link = token.attrGet('href');
      const target = targetOf(link, env.relativePath);
      if (target !== null) {
        token.attrSet('href', target);
        continue;
      }
      const close = children.slice(at).find(({ type }) => type === 'link_close');
      token.tag = close.tag = 'span';
      token.type = close.type = 'span';
      token.attrs = [['title', `in the repository: ${join('docs', dirname(env.relativePath), link)}`]];
    }
  }
}

/** Every link of every page that was made leads to a file of the site. */
function assertLinks() {
  const dead = globSync('**/*.html', { cwd: site }).flatMap((page) =>
    [...readFileSync(join(site, page), 'utf8').matchAll(/<a [^>]*href="(?![a-z]+:)([^"#?]+)/g)]
      .map(([, link]) => join(link.startsWith('/') ? '.' : dirname(page), link))
      .filter((file) => !existsSync(join(site, file)))
      .map((file) => `${page}: ${file}`),
  );
  if (dead.length > 0) throw new Error(`links that lead nowhere:\n${dead.join('\n')}`);
}

const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(join(docs, page), 'utf8'))?.[1] ?? page;
const pagesIn = (folder) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => ({
      text: titleOf(join(folder, name)),
      link: `/${join(folder, name.replace(/\.md$/, ''))}`,
    }));

// biome-ignore lint/style/noDefaultExport: what VitePress imports
export default {
  title: 'Assize',
  description: 'Decides whether an AI agent may take an action, before the agent takes it',
  srcDir: docs,
  outDir: site,
  cacheDir: resolve(import.meta.dirname, '../../../build/site-cache'),
  rewrites: {
    'README.md': 'index.md',
    'agents/README.md': 'agents/index.md',
    'adr/README.md': 'adr/index.md',
  },
  // Only the addresses in examples: `assertLinks` looks at all others, and at those to files that are no pages.
  ignoreDeadLinks: [/\.(?:json|png)$/, /127\.0\.0\.1/],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  buildEnd() {
    for (const file of globSync('*.json', { cwd: docs })) copyFileSync(join(docs, file), join(site, file));
    assertLinks();
  },
  markdown: {
    languageAlias: { cel: 'js' },
    html: false,
    // Braces in code are not expressions of Vue.
    config: (md) => {
      // Before VitePress writes the addresses of pages into the links.
      md.core.ruler.push('links-of-the-site', mendLinks);
      md.renderer.rules.code_inline = (tokens, at) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[at].content)}</code>`;
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      { text: 'Documentation', items: pagesIn('.') },
      { text: 'Agents', items: pagesIn('agents'), collapsed: true },
      { text: 'Decisions', items: pagesIn('adr'), collapsed: true },
    ],
  },
};
