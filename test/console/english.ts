import type { Page } from 'playwright-core';
import { de } from '../../src/console/strings/de.ts';
import { en } from '../../src/console/strings/en.ts';

const textsOf = (group: object): string[] =>
  Object.values(group).flatMap((value) =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? textsOf(value) : [],
  );

const german = new Set(textsOf(de));
const english = new Set(textsOf(en).filter((text) => !german.has(text)));

/** The texts of the console that are still English on a page in German, read or spoken. */
export async function englishOn(page: Page): Promise<string[]> {
  const texts = (await page.evaluate(`(() => {
    const found = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) found.push(nodes.currentNode.textContent.trim());
    for (const name of ['aria-label', 'title', 'placeholder']) {
      for (const element of document.querySelectorAll('[' + name + ']')) found.push(element.getAttribute(name));
    }
    return found;
  })()`)) as string[];
  return texts.filter((text) => english.has(text));
}
