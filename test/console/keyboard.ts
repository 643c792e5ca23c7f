import type { Locator, Page } from 'playwright-core';

/** More elements than any page has on the way to one of them. */
const mostTabs = 150;

/** What a person without a mouse does on a page. */
export function keyboard(page: Page) {
  const isFocused = (of: Locator) =>
    of.evaluate((element) => element === element.ownerDocument.activeElement);

  /** Goes on from where the focus is. */
  async function tabTo(of: Locator): Promise<void> {
    await of.waitFor();
    for (let tabs = 0; tabs < mostTabs; tabs++) {
      if (await isFocused(of)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never reaches ${of}`);
  }
  async function press(of: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await tabTo(of);
    await page.keyboard.press(key);
  }
  async function type(of: Locator, text: string): Promise<void> {
    await tabTo(of);
    await page.keyboard.type(text);
  }
  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true }).first();
  return { isFocused, press, type, button };
}
