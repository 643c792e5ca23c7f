import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';

/** The mark of Assize and its name. The console's logo and favicon are the same drawing. */
const mark = `<rect width="32" height="32" rx="7" fill="#2b3a9f"/><path d="M7.5 25 16 6.5 24.5 25" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/><path d="M5 19.2h22" stroke="#ffc24b" stroke-width="3.2" stroke-linecap="round"/>`;
const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${mark}</svg>`;
const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="32" viewBox="0 0 240 32">${mark}<text x="44" y="22.5" font-family="system-ui, sans-serif" font-size="18" font-weight="700" fill="#fff">Assize <tspan font-weight="400" fill="#c3cbf5">API</tspan></text></svg>`;

const css = `
.swagger-ui .topbar { padding: 12px 0; background: #1a1d26; }
.swagger-ui .topbar .download-url-wrapper { display: none; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag { font-family: system-ui, sans-serif; }
.swagger-ui .info { margin: 32px 0; }
.swagger-ui .btn.authorize { color: #2b3a9f; border-color: #2b3a9f; }
.swagger-ui .btn.authorize svg { fill: #2b3a9f; }
.swagger-ui a { color: #2b3a9f; }
`;

/** Options of the API page: Assize's own marks, and no bar that loads the description of another service. */
const brand = {
  logo: { type: 'image/svg+xml', content: logo, href: '/docs', target: '_self' as const },
  theme: {
    title: 'Assize API',
    css: [{ filename: 'assize.css', content: css }],
    favicon: [
      { filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: favicon },
    ],
  },
};

/** The app that serves the page of a description. */
export async function createApiPage(description: object): Promise<FastifyInstance> {
  const app = Fastify();
  const document = description as swagger.StaticDocumentSpec['document'];
  await app.register(swagger, { mode: 'static', specification: { document } });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, ...brand });
  return app;
}
