/** A variable as it is written in a prompt. In texts that are translated, braces have a meaning of their own. */
export const VARIABLE_EXAMPLE = "{{name}}";
