import type { Page } from 'playwright-core';

/**
 * Runs in the page: focuses every control that is in sight, as the keyboard does, and names those whose ring a person would not see:
 * none, a contrast below 3 against what surrounds it, or a side that a frame cuts off. The editor's text is in a shadow root.
 */
const check = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const over = (layers) => {
    canvas.fillStyle = '#fff';
    for (const colour of ['#fff', ...layers]) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const above = (element) => element.parentElement ?? element.getRootNode().host ?? null;
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = above(at)) layers.unshift(getComputedStyle(at).backgroundColor);
    return layers;
  };
  const luminance = (rgb) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, factor, place) => {
      const part = rgb[place] / 255;
      return sum + factor * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const ringOf = (element) => {
    for (let at = element; at; at = above(at)) {
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      if (outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2) return at;
    }
    return null;
  };
  const cutBy = (owner, reach) => {
    const box = owner.getBoundingClientRect();
    for (let at = above(owner); at && at !== document.body; at = above(at)) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      const frame = at.getBoundingClientRect();
      const [left, top] = [frame.left + at.clientLeft, frame.top + at.clientTop];
      const isCut =
        (overflowX !== 'visible' && (box.left - reach < left - 0.5 || box.right + reach > left + at.clientWidth + 0.5)) ||
        (overflowY !== 'visible' && (box.top - reach < top - 0.5 || box.bottom + reach > top + at.clientHeight + 0.5));
      if (isCut) return at;
      if (position === 'fixed') return null;
    }
    return null;
  };
  const nameOf = (element) => element.tagName.toLowerCase() + [...element.classList].map((one) => '.' + one).join('');
  const controls = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';
  const found = [...document.querySelectorAll(controls)];
  for (const host of document.querySelectorAll('*')) {
    const text = host.shadowRoot?.querySelector('[contenteditable]');
    if (text) found.push(text);
  }
  const before = document.activeElement;
  const faults = new Set();
  const kinds = new Set();
  for (const element of found) {
    // One that has the focus already keeps the look that it got it with.
    element.blur();
    element.focus({ focusVisible: true });
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (element.getRootNode().activeElement !== element || !element.checkVisibility()) continue;
    const kind = nameOf(element) + ' in ' + nameOf(above(element));
    kinds.add(kind);
    const owner = ringOf(element);
    if (!owner) {
      faults.add(kind + ': no ring');
      continue;
    }
    const { outlineColor, outlineOffset, outlineWidth } = getComputedStyle(owner);
    const offset = Number.parseFloat(outlineOffset);
    const around = behind(offset < 0 ? owner : above(owner));
    const seen = contrast(over([...around, outlineColor]), over(around));
    if (seen < 3) faults.add(kind + ': a contrast of ' + seen.toFixed(2));
    const frame = cutBy(owner, Math.max(0, offset + Number.parseFloat(outlineWidth)));
    if (frame) faults.add(kind + ': cut off by ' + nameOf(frame));
  }
  before?.focus();
  return { faults: [...faults], kinds: kinds.size };
})()`;

/** In light and in dark colours: one line for each kind of control whose ring would not be seen. */
export async function ringsInBothThemes(page: Page): Promise<string[]> {
  const lines: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const { faults, kinds } = (await page.evaluate(check)) as { faults: string[]; kinds: number };
    if (kinds === 0) lines.push('no control is in sight');
    lines.push(...faults.map((fault) => `${colorScheme}: ${fault}`));
  }
  return lines;
}
