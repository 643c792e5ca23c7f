import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';

/** A state that a page is in after something was done on it, by a name for people. */
export interface StateCase {
  name: string;
  path: string;
  /** Resolves once the state is there. */
  open(page: Page): Promise<unknown>;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const dialog = (page: Page) => page.getByRole('dialog');

/** Opens a dialog, and waits for a text in it. */
const asks = (button: string, text: string) => async (page: Page) => {
  await press(page, button);
  await dialog(page).getByText(text).first().waitFor();
};

/** What every page can become: dialogs, questions, refusals, results. */
export const everyState = ({
  integrationId,
  listId,
  entityId,
  webhookId,
  policyId,
  sessionId,
  reviewId,
}: Scene): StateCase[] => {
  const integration = `/console/integrations/${integrationId}`;
  const webhook = `/console/webhooks/${webhookId}`;
  return [
    {
      name: 'a new integration',
      path: '/console/integrations',
      open: asks('Create an integration', 'Description'),
    },
    { name: 'a new key', path: integration, open: asks('Create a key', 'May be used to') },
    { name: 'rotating a key', path: integration, open: asks('Rotate the key', 'The old key works for') },
    {
      name: 'asking before keys are replaced',
      path: integration,
      open: asks('Replace all keys', 'They are refused'),
    },
    { name: 'adding tools', path: integration, open: asks('Add tools', 'JSON') },
    {
      name: 'a limit that is refused',
      path: integration,
      async open(page) {
        await page.getByLabel('Active sessions at once').fill('0');
        await press(page, 'Save the limits');
        await page.locator('[aria-invalid=true]').waitFor();
      },
    },
    { name: 'a new webhook', path: '/console/webhooks', open: asks('Create a webhook', 'support agent') },
    {
      name: 'changing a webhook',
      path: webhook,
      open: asks('Edit the webhook', 'Only of these integrations'),
    },
    {
      name: 'a test that did not arrive',
      path: webhook,
      async open(page) {
        await press(page, 'Send a test');
        await page.getByText(/The test did not arrive/).waitFor();
      },
    },
    {
      name: 'a new MCP server',
      path: '/console/mcp-servers',
      open: asks('Register an MCP server', 'support agent'),
    },
    { name: 'a new list', path: '/console/lists', open: asks('Create a list', 'One on each line') },
    {
      name: 'an entry that is not found',
      path: `/console/lists/${listId}?q=nothing`,
      open: (page) => page.getByRole('heading', { name: 'partner_domains' }).waitFor(),
    },
    { name: 'a new entity', path: '/console/entities', open: asks('Register an entity', 'Kind') },
    {
      name: 'changing an entity',
      path: `/console/entities/${entityId}`,
      open: asks('Edit the entity', 'Owner'),
    },
    { name: 'a new operator', path: '/console/operators', open: asks('Create an operator', 'Groups') },
    {
      name: 'dismissing a violation',
      path: '/console/violations',
      async open(page) {
        await page.locator('.entries a').first().click();
        await page.locator('article').getByRole('button', { name: 'Dismiss' }).click();
        await page.getByLabel('Reason').waitFor();
      },
    },
    {
      name: 'a chart as a table',
      path: '/console/statistics?by=tool&period=month',
      async open(page) {
        await page.getByText('As a table').first().click();
        await page.locator('.chart').first().getByRole('row').nth(1).waitFor();
      },
    },
    {
      name: 'a record that was verified',
      path: '/console/record',
      async open(page) {
        await press(page, 'Verify the record');
        await page.getByText('Verified: nothing was changed.').waitFor();
      },
    },
    {
      name: 'a replay that is finished',
      path: `/console/policies/${policyId}`,
      async open(page) {
        await page.getByLabel('Evaluations').selectOption('all that are recorded');
        await press(page, 'Replay the record');
        await page
          .getByText(/decisions? changes?/)
          .first()
          .waitFor({ timeout: 120_000 });
      },
    },
    {
      name: 'an action that was tried, and what completion offers',
      path: '/console/policies/new',
      async open(page) {
        await page.getByText('2 of 2 tests pass').waitFor();
        await page.getByLabel('Tool', { exact: true }).fill('shell');
        await press(page, 'Try the action');
        await page.locator('.policy-test.BLOCK').waitFor();
        await page.getByRole('textbox', { name: 'Policy document' }).click();
        await page.keyboard.press('Control+End');
        await page.keyboard.type('p');
        await page.locator('.policy-completions').waitFor();
      },
    },
    {
      name: 'approving an action',
      path: `/console/reviews?id=${reviewId}`,
      async open(page) {
        const approve = page.locator('.decide').getByRole('button', { name: /Approve/ });
        await approve.waitFor();
        for (let parts = 0; parts < 10 && (await approve.isDisabled()); parts++) {
          await page.keyboard.press('a');
          await page.waitForTimeout(100);
        }
        await approve.click();
        await page.getByText('What the agent receives').waitFor();
      },
    },
    {
      name: 'rejecting several actions at once',
      path: `/console/reviews?id=${reviewId}`,
      async open(page) {
        await page
          .getByLabel(/^Select/)
          .first()
          .check();
        await page.getByRole('heading', { name: '1 selected' }).waitFor();
        await page
          .locator('.decide')
          .getByRole('button', { name: /Reject/ })
          .click();
        await page.getByText('What the agent receives').waitFor();
      },
    },
    {
      name: 'asking before a session is ended',
      path: `/console/sessions/${sessionId}`,
      open: asks('End the session', 'End this session?'),
    },
  ];
};
