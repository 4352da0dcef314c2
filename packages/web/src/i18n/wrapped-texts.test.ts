// @vitest-environment node
import { parseSync } from "vite";
import { expect, test } from "vitest";

/** Files without messages: read by the build as they are, or content, code samples and prompts. */
const EXCLUDED_FILES =
  /\/(config|testing|content\/compile|snippets)\/|\.test\.|\.d\.ts$|samples\.ts$|\/(snippets|manifest|sponsorship-letter)\.ts$/;
const SOURCES = Object.entries(
  import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
).filter(([path]) => !EXCLUDED_FILES.test(path));

/** Properties of elements and objects whose values are shown or announced to people. */
const TEXT_PROPERTIES =
  /^(aria-(label|description|valuetext|roledescription)|about|advice|alt|caption|confirmButtonText|description|done|empty|head|heading|hint|intro|keywords|kicker|label|lede|legend|link|more|note|placeholder|says|subject|submitLabel|text|title|tooltip|what|word|words)$/;
/** Names of products and protocols, code and identifiers are the same in every language. */
const UNTRANSLATED_TEXTS =
  /^(&nbsp;|API|Authorization|Apache-2\.0|Cline|CLI|DeepSeek|Esc|Feather|GitHub|GPU|Hugging Face|JSON|main|ms|OpenAI( Compatible| SDK)?|RSS|Roo Code|SDK|YAML|bad|entries|conversation|good|list|text|(org|usr)_…|(npx )?feather .*|\S+[/=:]\S*)$/;

type Node = { type: string; [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";
const isText = (text: string) => /\p{L}{2}/u.test(text) && !UNTRANSLATED_TEXTS.test(text.trim());

/** Returns the texts of a source file that are not inside a Lingui macro. */
function bareTexts(path: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === "JSXElement" && /^(Trans|Plural|code|kbd|samp|pre)$/.test(nameOf(node))) return;
    found.push(...textsIn(node).filter(isText));
    for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) visit(child);
  };
  visit(parseSync(path, source).program as unknown as Node);
  return found;
}

const nameOf = (element: Node): string => String((element.openingElement as { name: { name?: unknown } }).name.name);

/** Returns the texts of a node: between tags, in a text property, or in the branches of an expression. */
function textsIn(node: Node): string[] {
  if (node.type === "JSXText") return [String(node.value).trim()];
  if (node.type === "JSXElement" || node.type === "JSXFragment") return (node.children as Node[]).flatMap(choicesOf);
  if (node.type === "JSXAttribute")
    return TEXT_PROPERTIES.test(String((node.name as Node).name)) ? choicesOf(node.value) : [];
  if (node.type === "Property")
    return TEXT_PROPERTIES.test(String((node.key as Node).name)) ? choicesOf(node.value) : [];
  return [];
}

function choicesOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === "JSXExpressionContainer") return choicesOf(node.expression);
  if (node.type === "ConditionalExpression") return [node.consequent, node.alternate].flatMap(choicesOf);
  if (node.type === "LogicalExpression") return choicesOf(node.right);
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node.type !== "TemplateLiteral") return [];
  return (node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw);
}

test.each(SOURCES)("%s has all its texts in messages", (path, source) => {
  expect(bareTexts(path, source)).toEqual([]);
});

test.each([
  ["<p>Some words</p>", ["Some words"]],
  ["<p title='Some words' className='not these' />", ["Some words"]],
  ["<p>{busy ? 'Some words' : null}</p>", ["Some words"]],
  ["({ label: busy ? 'Some words' : `other` + words })", ["Some words"]],
  ["<p>{t`Some words`} · <Trans>more <b>words</b></Trans></p>", []],
])("%s has %j outside of messages", (source, expected) => {
  expect(bareTexts("page.tsx", source)).toEqual(expected);
});
