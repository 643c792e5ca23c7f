import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { segments, to } from '../data/route.ts';
import { Link } from '../parts/link.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { loadWords, words } from '../strings/index.ts';
import { ConfirmedPage } from './sign-in.tsx';

interface PageProps {
  /** The part of the address after the page's name. */
  id: string;
}

/** Each page is a file of its own that is loaded when it is first opened. */
const list = {
  now: async () => (await import('./now.tsx')).NowPage,
  reviews: async () => (await import('./reviews/list.tsx')).ReviewsPage,
  sessions: async () => (await import('./sessions/list.tsx')).SessionsPage,
  evaluations: async () => (await import('./evaluations/list.tsx')).EvaluationsPage,
  violations: async () => (await import('./violations/list.tsx')).ViolationsPage,
  statistics: async () => (await import('./statistics.tsx')).StatisticsPage,
  policies: async () => (await import('./policies/list.tsx')).PoliciesPage,
  proposals: async () => (await import('./proposals.tsx')).ProposalsPage,
  lists: async () => (await import('./lists.tsx')).ListsPage,
  integrations: async () => (await import('./integrations/list.tsx')).IntegrationsPage,
  entities: async () => (await import('./entities.tsx')).EntitiesPage,
  'mcp-servers': async () => (await import('./mcp-servers.tsx')).McpServersPage,
  webhooks: async () => (await import('./webhooks/list.tsx')).WebhooksPage,
  operators: async () => (await import('./operators.tsx')).OperatorsPage,
  audit: async () => (await import('./audit.tsx')).AuditPage,
  record: async () => (await import('./record.tsx')).RecordPage,
  confirmed: async () => ConfirmedPage,
  start: async () => (await import('./start.tsx')).StartPage,
  settings: async () => (await import('./settings.tsx')).SettingsPage,
} satisfies Record<string, () => Promise<ComponentType>>;

const single = {
  sessions: async () => (await import('./sessions/detail.tsx')).SessionPage,
  evaluations: async () => (await import('./evaluations/detail.tsx')).EvaluationPage,
  policies: async () => (await import('./policies/detail.tsx')).PolicyPage,
  proposals: async () => (await import('./proposals.tsx')).ProposalPage,
  lists: async () => (await import('./lists.tsx')).ListPage,
  integrations: async () => (await import('./integrations/detail.tsx')).IntegrationPage,
  entities: async () => (await import('./entities.tsx')).EntityPage,
  webhooks: async () => (await import('./webhooks/detail.tsx')).WebhookPage,
  operators: async () => (await import('./operators.tsx')).OperatorPage,
} satisfies Record<string, () => Promise<ComponentType<PageProps>>>;

type Load = () => Promise<ComponentType<PageProps>>;

function loaderOf([name = 'now', id, ...rest]: readonly string[]): Load | null {
  const pages: Record<string, Load> = id === undefined ? (list as Record<string, Load>) : single;
  return rest.length === 0 && Object.hasOwn(pages, name) ? (pages[name] ?? null) : null;
}

/** The style of every page but Now, once. Rejects when it is not there, as after the service was replaced. */
let styled: Promise<unknown> | null = null;
function loadStyle(): Promise<unknown> {
  styled ??= new Promise((resolve, reject) => {
    const sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.href = document.querySelector<HTMLMetaElement>('meta[name=pages-style]')?.content ?? '';
    sheet.onload = resolve;
    sheet.onerror = reject;
    document.head.append(sheet);
  });
  return styled;
}

/** The page of a path with all that it is shown with; null when there is none. */
async function loadPage(path: readonly string[]): Promise<ComponentType<PageProps> | null> {
  const isNow = (path[0] ?? 'now') === 'now';
  const [page] = await Promise.all([
    loaderOf(path)?.() ?? null,
    ...(isNow ? [] : [loadWords(), loadStyle()]),
  ]);
  return page;
}

// While the service says who is signed in. A failure is seen when the page is shown.
loadPage(segments.value).catch(() => undefined);

export function Page() {
  const path = segments.value;
  const load = loaderOf(path);
  const kind = `${path[0] ?? 'now'}${path.length > 1 ? '/' : ''}`;
  const [page, setPage] = useState<{ kind: string; show: ComponentType<PageProps> | null } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    loadPage(path).then(
      (show) => show && isCurrent && setPage({ kind, show }),
      () => isCurrent && setPage({ kind, show: null }),
    );
    return () => {
      isCurrent = false;
    };
  }, [kind]);
  if (!load) return <NotFound />;
  if (page?.kind !== kind) return <Loading />;
  // A new version of the console has other files: only the page itself knows their names.
  if (page.show === null) return <Reload />;
  const { show: Shown } = page;
  return <Shown key={path[1] ?? ''} id={path[1] ?? ''} />;
}

function Reload() {
  return (
    <Empty title={words.value.errors.failed}>
      <button type="button" class="button" onClick={() => location.reload()}>
        {words.value.common.retry}
      </button>
    </Empty>
  );
}

function NotFound() {
  const { errors } = words.value;
  return (
    <>
      <h1>{errors.notFound}</h1>
      <Empty title={errors.notFoundText}>
        <Link href={to('now')}>{errors.backToNow}</Link>
      </Empty>
    </>
  );
}
