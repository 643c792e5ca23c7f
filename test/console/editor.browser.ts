import type { Page } from 'playwright-core';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { collectSizes, openPage, signedIn, startConsoleApp } from './browser.ts';

const app = await startConsoleApp(t);

/** What is in the editor: all of it is in sight. */
const textOf = async (page: Page) =>
  (await page.locator('.cm-line').allInnerTexts()).map((line) => line.replace(/\n$/, '')).join('\n');

async function write(page: Page, document: string) {
  await page.getByRole('textbox', { name: 'Policy document' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(document);
}

t.test('all that is loaded with the editor is at most 170 KB', async (t) => {
  const link = `${app.url}/console/policies/new#sign-in=${await app.services.signIns.createLink(adminKey)}`;
  const { page, faults } = await openPage(t, app);
  const loaded: Promise<number>[] = [];
  collectSizes(page, loaded);
  await page.goto(link);
  await page.getByRole('textbox', { name: 'Policy document' }).waitFor();
  await page.getByText('2 of 2 tests pass').waitFor();
  const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
  t.comment(`${bytes} bytes in ${loaded.length} files`);
  t.ok(bytes > 45 * 1_024, 'the editor is among them');
  t.ok(bytes <= 170 * 1_024, `${bytes} bytes`);
  t.strictSame(faults, []);
});

t.test('each test has its result at its line, and one that fails what it expected', async (t) => {
  const { page, faults } = await signedIn(t, app, '/console/policies/new');
  const results = page.locator('.cm-line:has(.policy-test)');
  const shown = async () => (await results.allInnerTexts()).map((text) => text.trim());
  await results.nth(1).waitFor();
  t.strictSame(await shown(), ['- name: a shell is blocked✓ passes', '- name: a search is allowed✓ passes']);
  await page.getByRole('textbox', { name: 'Policy document' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(
    '  - { name: c, given: { tool: shell }, expect: { enforcementAction: ALLOW } }\n',
  );
  const failed = page.locator('.policy-test.failed');
  await failed.waitFor();
  t.match(await failed.innerText(), '✗ expected enforcementAction ALLOW, found BLOCK; by no-shell');
  t.match(await results.nth(2).innerText(), /^ +- \{ name: c,/);
  // Beside the test as well, for those who do not see the editor.
  await page.getByText('2 of 3 tests pass').waitFor();
  t.strictSame(faults, []);
});

t.test('the mouse over a name shows what it means, and over a mistake what is wrong', async (t) => {
  const { page, faults } = await signedIn(t, app, '/console/policies/new');
  await write(
    page,
    `schemaVersion: 1
name: hover
rules:
  - id: a
    when: session.labels.exists(one, one == "PII") && toool == ""
    effect: BLOCK
    approval: { quorum: 2 }
`,
  );
  await page.locator('.policy-error').first().waitFor();
  const help = page.locator('.policy-hover');
  /** Over the name, as a person would move there. */
  async function over(name: string) {
    const { x, y } = (await page.evaluate(`(() => {
      const root = document.querySelector('.editor').shadowRoot;
      const nodes = document.createTreeWalker(root.querySelector('.cm-content'), NodeFilter.SHOW_TEXT);
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        const at = node.data.indexOf(${JSON.stringify(name)});
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + ${name.length});
        const { left, width, top, height } = range.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      }
    })()`)) as { x: number; y: number };
    await page.mouse.move(5, 5);
    await help.waitFor({ state: 'detached' });
    await page.mouse.move(x - 2, y);
    await page.mouse.move(x, y);
    await help.waitFor();
    return help.innerText();
  }
  t.match(await over('labels'), 'session.labels\n\nlist of texts that rules have given');
  t.match(await over('exists'), 'list.exists(x, condition)');
  t.match(await over('BLOCK'), 'the action must not happen');
  t.match(await over('quorum'), 'operators who must approve; default: 1', 'by the schema');
  t.match(await over('toool'), 'did you mean');
  t.strictSame(faults, []);
});

t.test('fields are offered where they fit, and chosen by the keyboard or the mouse', async (t) => {
  const { page, faults } = await signedIn(t, app, '/console/policies/new');
  await write(page, 'schemaVersion: 1\nname: x\nrules:');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- id: a');
  await page.keyboard.press('Enter');
  await page.keyboard.type('ef');
  const offered = page.locator('.policy-completions').getByRole('option');
  await offered.first().waitFor();
  t.strictSame(await page.locator('.policy-completions b').allInnerTexts(), ['effect']);
  await page.keyboard.press('Enter');
  await page.keyboard.type(': B');
  await page.getByRole('option', { name: 'BLOCK' }).click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('when: session.re');
  await page.getByRole('option', { name: 'reviewCount' }).waitFor();
  await page.keyboard.press('ArrowDown');
  const active = await page
    .getByRole('textbox', { name: 'Policy document' })
    .getAttribute('aria-activedescendant');
  t.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Enter');
  t.match(await textOf(page), /rules:\n {2}- id: a\n {4}effect: BLOCK\n {4}when: session\.re\w+$/);
  // The one that is typed whole is no choice: Enter is a new line.
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+Space');
  await offered.first().waitFor();
  await page.keyboard.press('Escape');
  t.equal(await offered.count(), 0);
  await page.keyboard.press('Control+Z');
  t.strictSame(faults, []);
});

t.test('the keys of the editor indent, move lines, comment, and undo', async (t) => {
  const { page, faults } = await signedIn(t, app, '/console/policies/new');
  await write(page, 'a: 1\nb:');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- c: 3');
  await page.keyboard.press('Enter');
  await page.keyboard.type('d: 4');
  await page.keyboard.press('Enter');
  for (let n = 0; n < 2; n++) await page.keyboard.press('Backspace');
  await page.keyboard.type('e: 5');
  t.equal(
    await textOf(page),
    'a: 1\nb:\n  - c: 3\n    d: 4\ne: 5',
    'a step of indentation is deleted at once',
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  t.not(await page.evaluate('document.activeElement.className'), 'editor', 'Esc, then Tab leaves it');
  await write(page, 'a: 1\nb: 2');
  await page.keyboard.press('Alt+ArrowUp');
  t.equal(await textOf(page), 'b: 2\na: 1');
  await page.keyboard.press('Control+/');
  t.equal(await textOf(page), '# b: 2\na: 1');
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Tab');
  t.equal(await textOf(page), '  # b: 2\n  a: 1');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Delete');
  t.equal(await textOf(page), ' b: 2\na: 1');
  for (let n = 0; n < 30; n++) await page.keyboard.press('Control+Z');
  t.match(await textOf(page), /name: new-policy/, 'back to the beginning');
  t.strictSame(faults, []);
});

t.test(
  'one action is tried against the draft, and the editor says why at the line of the rule',
  async (t) => {
    const { page, faults } = await signedIn(t, app, '/console/policies/new');
    await page.getByText('2 of 2 tests pass').waitFor();
    const form = page.getByRole('region', { name: 'Try an action' });
    const start = form.getByRole('button', { name: 'Try the action' });
    await form.getByLabel('Tool', { exact: true }).fill('shell');
    await start.click();
    await form.getByText('shell is not for agents').waitFor();
    t.strictSame(await form.locator('.badge').allInnerTexts(), ['Blocked']);
    t.match(await form.locator('.reads').innerText(), /tool\s+"shell"/, 'what the condition saw');
    const note = page.locator('.cm-line:has(.policy-test.BLOCK)');
    t.match((await note.innerText()).trim(), '- id: no-shellshell is not for agents');
    await form.getByRole('button', { name: /^Show line \d+$/ }).click();
    await page.locator('.cm-activeLine:has(.policy-test.BLOCK)').waitFor();

    const content = form.getByLabel('Content', { exact: true });
    await content.fill('{"to": ');
    await form.getByText('This is not a JSON object.').waitFor();
    t.equal(await start.isDisabled(), true);
    await content.fill('{"to": "ada@example.com"}');
    await form.getByLabel('Tool', { exact: true }).fill('mail.send');
    await form.getByText('The document or the action has changed since this answer.').waitFor();
    await start.click();
    await form.getByText('EMAIL_ADDRESS').waitFor();
    t.strictSame(await form.locator('.badge').allInnerTexts(), ['Allowed']);
    t.equal(await page.locator('.policy-test.BLOCK').count(), 0);
    await form.getByLabel('More').fill('{"session": {"actionCount": -1}}');
    await start.click();
    await form.getByRole('alert').getByText('has to be at least 0').waitFor();

    await form.getByLabel('More').fill('');
    await page.getByRole('textbox', { name: 'Policy document' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('p');
    await form.getByText('A document with mistakes decides nothing').waitFor();
    t.equal(await start.isDisabled(), true);
    await write(
      page,
      `schemaVersion: 1
name: labels
rules:
  - id: once-private
    when: '"PRIVATE" in session.labels'
    effect: APPROVAL_REQUIRED
`,
    );
    await page.getByText('The document has no tests.').waitFor();
    await form.getByLabel('Labels of the session').fill('PRIVATE, OTHER');
    await start.click();
    await page.locator('.policy-test.APPROVAL_REQUIRED').waitFor();
    t.strictSame(await form.locator('.badge').allInnerTexts(), ['Held']);
    t.strictSame(faults, []);
  },
);

t.test('what was typed survives the end of a sign-in, and a reload asks first', async (t) => {
  const own = await startConsoleApp(t);
  const { page, faults } = await signedIn(t, own, '/console/policies/new');
  await page.getByText('2 of 2 tests pass').waitFor();
  await page.getByRole('textbox', { name: 'Policy document' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('# not saved yet\n');
  await page.getByText('Unsaved changes').waitFor();
  own.clock.advance(13 * 3_600_000);
  await page.keyboard.insertText('# nor this\n');
  await page.locator('input[type=password]').fill(adminKey);
  await page.keyboard.press('Enter');
  await page.getByText('Unsaved changes').waitFor();
  t.match(await textOf(page), /# not saved yet\n# nor this\n$/);
  const asked = page.waitForEvent('dialog');
  await Promise.all([page.reload(), asked]);
  t.equal((await asked).type(), 'beforeunload');
  t.strictSame(faults, []);
});
