import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// The pages of docs/ as a site with search, in build/site. They are copied beside what builds them, which has Vue. A link between pages that leads nowhere fails the build.
const docs = resolve(import.meta.dirname, '../pages');
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
  outDir: resolve(import.meta.dirname, '../../../build/site'),
  cacheDir: resolve(import.meta.dirname, '../../../build/site-cache'),
  rewrites: {
    'README.md': 'index.md',
    'agents/README.md': 'agents/index.md',
    'adr/README.md': 'adr/index.md',
  },
  // Other files of the repository are not part of the site; test/docs/paths.test.ts looks for them.
  ignoreDeadLinks: [/^(?:\.\/)?(?:\.\.\/)+/, /\.(?:json|png|ya?ml)$/, /127\.0\.0\.1/],
  markdown: {
    languageAlias: { cel: 'js' },
    html: false,
    // Braces in code are not expressions of Vue.
    config: (md) => {
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
