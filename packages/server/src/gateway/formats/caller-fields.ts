/**
 * Replaces names of fields in messages of the engine, which uses those of chat completions, by the names in the caller's
 * format.
 */
export type ToCallerFields = (text: string) => string;

/** Matches the path of a tool, as in `tools[0].function`. */
const TOOL = /\btools\[(\d+)\]\.function\b(?:\.parameters\b)?/g;
const ANSWER_SCHEMA = /\bresponse_format\.json_schema\.schema\b/g;

/**
 * Creates the replacement for a format. `parameters` is the name of the field with a tool's schema, `answerSchema` that of
 * the answer's schema.
 */
export function createCallerFields(parameters: string, answerSchema: string): ToCallerFields {
  return (text) =>
    text
      .replaceAll(TOOL, (place: string, index: string) =>
        place.endsWith(".parameters") ? `tools[${index}].${parameters}` : `tools[${index}]`,
      )
      .replaceAll(ANSWER_SCHEMA, answerSchema);
}
