import { type ChatWrapper, LlamaText, SpecialTokensText } from "node-llama-cpp";

/** White space that models leave out where their template writes it before the name of a called tool. */
const SPACINGS = [
  ["\n", ""],
  ['": "', '":"'],
] as const;

/** Returns a wrapper that also finds tool calls whose beginning has less white space than the template's. */
export function acceptTightCalls(wrapper: ChatWrapper): ChatWrapper {
  const { settings } = wrapper;
  const { call } = settings.functions;
  let spellings = [LlamaText(call.prefix)];
  for (const [loose, tight] of SPACINGS) {
    spellings = [...spellings, ...spellings.map((spelling) => replaceText(spelling, loose, tight))];
  }
  const known = String(LlamaText(call.prefix));
  const prefixAlternateMatches = [
    ...(call.prefixAlternateMatches ?? []),
    ...new Map(spellings.map((spelling) => [spelling.toString(), spelling])).values(),
  ].filter((spelling) => spelling.toString() !== known);
  const functions = { ...settings.functions, call: { ...call, prefixAlternateMatches } };
  return Object.create(wrapper, { settings: { value: { ...settings, functions } } });
}

function replaceText(text: LlamaText, from: string, to: string): LlamaText {
  return text.mapValues((value) => {
    if (typeof value === "string") return value.replaceAll(from, to);
    return value instanceof SpecialTokensText ? new SpecialTokensText(value.value.replaceAll(from, to)) : value;
  });
}
