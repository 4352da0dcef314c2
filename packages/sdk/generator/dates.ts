/** Schemas of model responses. Their fields follow OpenAI's and Anthropic's formats, which contain no dates. */
const MODEL_RESPONSE_SCHEMAS = /^\s+(?:ResponsesAnswer|ResponsesInputItem): /;

/** Returns the schema types with `Date` for fields named `*_at` and `*_date`, which the client revives. Query parameters keep `string`. */
export function replaceDateTypes(schema: string): string {
  let skippedIndent: string | null = null;
  const lines = schema.split("\n").map((line) => {
    const [indent = ""] = /^\s*/.exec(line) ?? [];
    if (skippedIndent === null && (/^\s+query\??: \{$/.test(line) || MODEL_RESPONSE_SCHEMAS.test(line)))
      skippedIndent = indent;
    else if (skippedIndent !== null && line.startsWith(`${skippedIndent}}`)) skippedIndent = null;
    if (skippedIndent !== null) return line;
    return line.replace(/^(\s+\w+_(?:at|date)\??: )(?:string|number)( \| null)?;$/, "$1Date$2;");
  });
  return lines.join("\n");
}
