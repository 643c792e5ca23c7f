import type { Locator, Page } from 'playwright-core';

/** More elements than any page has on the way to one of them. */
const mostTabs = 200;

/** A person at a page, with a mouse or without one. */
export interface Hands {
  /** Puts the focus there. */
  reach(of: Locator): Promise<void>;
  press(of: Locator, key?: 'Enter' | 'Space'): Promise<void>;
  /** Into an empty field. */
  type(of: Locator, text: string): Promise<void>;
  /** Chooses by the label of the choice. */
  choose(of: Locator, label: string): Promise<void>;
}

/** What a person with a mouse does on a page. */
export const mouse = (page: Page): Hands => ({
  reach: (of) => of.click(),
  press: (of) => of.click(),
  async type(of, text) {
    await of.click();
    await page.keyboard.insertText(text);
  },
  async choose(of, label) {
    await of.selectOption({ label });
  },
});

/** What a person without a mouse does on a page. */
export function keyboard(page: Page) {
  const isFocused = (of: Locator) =>
    of.evaluate((element) => element.getRootNode().activeElement === element);
  /** Also in the editor, which alone has a shadow root. */
  const whereIsFocus = (of: Awaited<ReturnType<Locator['elementHandle']>>) =>
    of?.evaluate((element) => {
      if (!element.isConnected) return 'gone';
      if (element.getRootNode().activeElement === element) return 'here';
      return element.ownerDocument.activeElement?.shadowRoot ? 'in the editor' : 'elsewhere';
    });

  /** Goes on from where the focus is. The element is looked for once: to find it by its role takes longer than many steps. */
  async function tabTo(of: Locator): Promise<void> {
    await of.waitFor();
    let element = await of.elementHandle();
    for (let tabs = 0; tabs < mostTabs; tabs++) {
      const focus = await whereIsFocus(element);
      if (focus === 'here') return;
      if (focus === 'gone') {
        element = await of.elementHandle();
        continue;
      }
      // There Tab indents, until Esc was pressed.
      if (focus === 'in the editor') await page.keyboard.press('Escape');
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
  return { isFocused, reach: tabTo, press, type, choose: type, button };
}
