/** Members that tell which element of a page a value is for, the most telling first. */
const ELEMENTS =
  'selector element locator fill target field input testid testId test_id css xpath ariaLabel aria_label placeholder into'.split(
    ' ',
  );
/** What a selector says of its element, the most telling first: an attribute, a test by text, an id, a class. */
const ATTRIBUTE =
  /(?:name|id|autocomplete|placeholder|aria-label|data-test(?:id)?|data-testid|formcontrolname|label|type)\s*[*^$~|]?=\s*['"\\]*([\p{L}][\p{L}\p{N} _.:-]{1,47})/iu;
const CALL = /(?:label|placeholder|testid|test_id)\(\s*['"]([\p{L}][\p{L}\p{N} _.-]{1,47})['"]/iu;
const ID = /[#.]([a-z_][\w-]{1,47})(?![\w-]*\()(?!.*[#.][a-z_])/i;
const PLAIN = /^[\p{L}][\p{L}\p{M}\p{N} _:-]{1,47}$/u;
/** What people and programs call the element itself, behind what it is for. */
const ROLE =
  /(?:[\s_-]+(?:text ?box|text ?field|text ?area|input|field|box|edit|entry|combo ?box|spin ?button|control|feld|champ|campo))+(?:[\s_-]+\d+)?$/i;
const MAX_SELECTOR = 160;

/** What the element of a page is called that a value beside it is typed into: `{"selector": "#password", "text": …}`; null for none. */
export function elementBeside(object: Readonly<Record<string, unknown>>): string | null {
  for (const member of ELEMENTS) {
    const element = object[member];
    if (typeof element === 'string' && element.length <= MAX_SELECTOR) return elementName(element);
  }
  return null;
}

function elementName(element: string): string | null {
  const name =
    CALL.exec(element)?.[1] ??
    ATTRIBUTE.exec(element)?.[1] ??
    (PLAIN.test(element) ? element : ID.exec(element)?.[1]);
  return name === undefined ? null : name.trim().replace(ROLE, '');
}
